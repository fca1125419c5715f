import MooringModel

/// Edits the values that a path leads to, without touching a byte of what stands around them.
enum PathEditing {
    /// The column's value with what `edit` makes of each text at the path's end; nil where it has
    /// none there, an edit is nil, or the value cannot be written in its form.
    static func editing(
        _ old: FieldValue, _ path: FieldPath,
        _ edit: (PathLeaf, [UInt8]) -> [UInt8]?
    ) -> FieldValue? {
        // What is no nested value has nothing at the path's end: that is the whole answer.
        guard let bytes = old.bytes, let root = try? JSONNode(parsing: bytes),
            let leaves = PathLeaves.of(root, path.steps), !leaves.isEmpty
        else { return nil }
        var output = bytes
        for leaf in leaves.reversed() {
            guard let text = edit(leaf, Array(bytes[leaf.node.range])) else { return nil }
            output.replaceSubrange(leaf.node.range, with: text)
        }
        return FieldChange.nested(output, like: old)
    }
}
