package import MooringModel

/// Builds the write that gives an orphan back to the record that its key names as its owner.
package enum LinkingChange {
    /// What the owner's field has to hold to mean a key; nil where the field cannot name it, or
    /// would mean other keys as well.
    package static func value(
        naming key: ObjectKey, in field: FileField, identity: [UInt8]?, _ resolver: KeyResolver
    ) -> [UInt8]? {
        for reading in resolver.readings(of: key) where !reading.relative.isEmpty {
            let patterns = resolver.patterns(
                value: reading.relative, level: field.level, identity: identity)
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
        guard !file.isComplex, KeyRule.fault(in: value) == nil, let old = read.row[file.field],
            let linked = file.isList ? appended(value, to: old) : set(value, in: old)
        else { return nil }
        return FieldChange.change(
            id, file.field, (old, linked), in: read, at: now)
    }

    private static func set(_ value: [UInt8], in old: FieldValue) -> FieldValue? {
        guard old.isMissing || old.bytes == [] else { return nil }
        if case .blob = old { return .blob(value) }
        return .text(value)
    }

    private static func appended(_ value: [UInt8], to old: FieldValue) -> FieldValue? {
        guard let element = ListEditing.element(value) else { return nil }
        let list = old.isMissing ? Array("[]".utf8) : old.bytes ?? []
        guard let elements = ListEditing.elements(of: list),
            // An element may be the same string in another spelling.
            !elements.contains(where: { ListEditing.string($0) == value }),
            let longer = ListEditing.appending([element], to: list)
        else { return nil }
        return FieldChange.list(longer, like: old)
    }
}
