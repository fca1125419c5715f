package import MooringModel

/// Builds the write that makes a reference without an object mean the one that is there.
package enum RepointingChange {
    /// What a reference becomes.
    package struct Meaning: Hashable, Sendable {
        /// The key as the record shall hold it.
        package let value: [UInt8]
        /// The bucket that a complex object shall name; nil where it stays as it is.
        package let bucket: String?

        /// A meaning.
        package init(value: [UInt8], bucket: String?) {
            self.value = value
            self.bucket = bucket
        }
    }

    /// What the record has to hold in place of `value`, which meant `key`, to mean another object;
    /// nil where its field cannot name that: a level and an identity stand before every value of
    /// a field, and only complex objects name their bucket.
    package static func meaning(
        of target: ObjectPlace, inPlaceOf value: [UInt8], meaning key: ObjectKey, bucket: String,
        field: FileField
    ) -> Meaning? {
        let end = field.stored.key(of: value)
        guard key.bytes.count >= end.count, key.bytes.suffix(end.count).elementsEqual(end)
        else { return nil }
        let head = key.bytes.dropLast(end.count)
        guard target.key.bytes.starts(with: head), target.key.bytes.count > head.count else {
            return nil
        }
        let isElsewhere = target.bucket != bucket
        if isElsewhere, !field.isComplex { return nil }
        let rest = Array(target.key.bytes[head.count...])
        guard let value = field.stored.value(of: rest), field.stored.fault(in: value) == nil
        else { return nil }
        return Meaning(
            value: value,
            bucket: isElsewhere ? target.bucket : nil)
    }

    /// The write that gives a reference another meaning, every other byte of the field kept. Nil
    /// when the row does not hold the reference, or holds it in a form that cannot be written.
    package static func repointing(
        _ target: NullingChange.Target, to meaning: Meaning, mapping: ModelMapping,
        row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        let file = mapping.files[target.field]
        guard KeyRule.fault(in: meaning.value) == nil, let old = row[file.column], !old.isMissing,
            let new = replacement(of: old, target, meaning, file), new != old
        else { return nil }
        return FieldChange.change(
            target.id, file.column, (old, new), in: (mapping, row), at: now)
    }

    private static func replacement(
        of old: FieldValue, _ target: NullingChange.Target, _ meaning: Meaning, _ file: FileField
    ) -> FieldValue? {
        let held = target.references(in: old, file)
        guard !held.isEmpty, let bytes = old.bytes else { return nil }
        if !file.isList, !file.isComplex, file.path.steps.isEmpty {
            if case .blob = old { return .blob(meaning.value) }
            return .text(meaning.value)
        }
        // A field that cannot be parsed has just been read, so that this is never nil.
        guard let node = try? JSONNode(parsing: bytes) else { return nil }
        var edits: [(range: Range<Int>, text: [UInt8])] = []
        let leaves = PathLeaves.of(node, file.path.steps) ?? []
        for reference in held {
            guard let leaf = leaves.first(where: { file.isList || $0.index == reference.index }),
                let place = file.isList ? leaf.node.element(reference.index) : leaf.node,
                let own = self.edits(in: place, meaning, file)
            else { return nil }
            edits += own
        }
        var output = bytes
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            output.replaceSubrange(edit.range, with: edit.text)
        }
        return FieldChange.nested(output, like: old)
    }

    // A complex object that is kept as a text inside a text has no bytes of its own to replace.
    private static func edits(
        in node: JSONNode, _ meaning: Meaning, _ file: FileField
    ) -> [(range: Range<Int>, text: [UInt8])]? {
        guard let key = ListEditing.element(meaning.value) else { return nil }
        guard file.isComplex else { return [(node.range, key)] }
        let object = node["s3"] ?? node
        guard let held = object["key"], held.stringBytes != nil else { return nil }
        guard let name = meaning.bucket else { return [(held.range, key)] }
        guard let bucket = object["bucket"], let text = ListEditing.element(Array(name.utf8))
        else { return nil }
        return [(held.range, key), (bucket.range, text)]
    }
}

extension JSONNode {
    /// The element of a list at an index; nil where there is none.
    fileprivate func element(_ index: Int?) -> JSONNode? {
        guard let index, let elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
