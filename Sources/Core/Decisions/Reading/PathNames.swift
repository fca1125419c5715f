package import MooringModel

/// Tells where a path ends too early.
package enum PathNames {
    /// The first member of a path that a nested value does not have, with the names that stand in
    /// its place; nil where the path leads to its end, or nothing is there to compare with.
    package static func missing(
        of path: FieldPath, in value: FieldValue
    ) -> (wanted: String, known: [[UInt8]])? {
        // What is no JSON has no names: that is the whole answer.
        guard let bytes = value.bytes, let root = try? JSONNode(parsing: bytes) else { return nil }
        for (place, step) in path.steps.enumerated() {
            guard case .member(let wanted) = step else { continue }
            let leaves = PathLeaves.of(root, Array(path.steps[..<place])) ?? []
            let known = leaves.flatMap { $0.node.members ?? [] }.map { Array($0.name) }
            guard !known.contains(where: { $0.elementsEqual(wanted.utf8) }) else { continue }
            return known.isEmpty ? nil : (wanted, known)
        }
        return nil
    }
}
