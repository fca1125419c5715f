package import MooringModel

/// Builds the write that gives an orphan back to the record that its key names as its owner.
package enum LinkingChange {
    /// What the owner's field has to hold to mean a key; nil where the field cannot name it, or
    /// would mean other keys as well.
    package static func value(
        naming key: ObjectKey, in field: FileField, identity: [UInt8]?, _ resolver: KeyResolver
    ) -> [UInt8]? {
        for reading in resolver.readings(of: key)
        where reading.stored == field.stored && field.fault(in: reading.relative) == nil {
            let patterns = resolver.patterns(
                value: reading.relative, level: field.level, identity: identity,
                stored: field.stored)
            if patterns == [.exact(key)] { return reading.relative }
        }
        return nil
    }

    /// The write that links a value: a field that holds nothing gets it, a list gets it behind its
    /// others. Nil where the field holds another key, or the value cannot be written in its form.
    /// A complex object is never made, since nothing tells its region.
    package static func linking(
        _ value: [UInt8], _ field: Int, of id: RecordID, in read: FieldChange.Read,
        at now: Instant
    ) -> RecordChange? {
        let file = read.mapping.files[field]
        guard !file.isComplex, KeyRule.fault(in: value) == nil, let old = read.row[file.column],
            let linked = linked(value, in: old, file)
        else { return nil }
        return FieldChange.change(
            id, file.column, (old, linked), in: read, at: now)
    }

    // Inside a column only what is there is filled: a list, or a value that is null.
    private static func linked(
        _ value: [UInt8], in old: FieldValue, _ file: FileField
    ) -> FieldValue? {
        guard !file.path.steps.isEmpty else {
            return file.isList ? appended(value, to: old) : set(value, in: old)
        }
        guard !file.path.hasElements, let element = ListEditing.element(value) else { return nil }
        return PathEditing.editing(old, file.path) { leaf, text in
            if file.isList { return longer(text, by: value) }
            return leaf.node.kind == .null ? element : nil
        }
    }

    private static func set(_ value: [UInt8], in old: FieldValue) -> FieldValue? {
        guard old.isMissing || old.bytes == [] else { return nil }
        if case .blob = old { return .blob(value) }
        return .text(value)
    }

    private static func appended(_ value: [UInt8], to old: FieldValue) -> FieldValue? {
        let list = old.isMissing ? Array("[]".utf8) : old.bytes ?? []
        return longer(list, by: value).flatMap { FieldChange.nested($0, like: old) }
    }

    private static func longer(_ list: [UInt8], by value: [UInt8]) -> [UInt8]? {
        guard let element = ListEditing.element(value),
            let elements = ListEditing.elements(of: list),
            // An element may be the same string in another spelling.
            !elements.contains(where: { ListEditing.string($0) == value })
        else { return nil }
        return ListEditing.appending([element], to: list)
    }
}
