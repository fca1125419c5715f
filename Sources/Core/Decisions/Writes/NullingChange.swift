package import MooringModel

/// Builds the write that takes a reference out of a record.
package enum NullingChange {
    /// Which reference is taken out of a record.
    package struct Target: Hashable, Sendable {
        /// The identifier of the record that holds it.
        package var id: RecordID
        /// Which of the model's `files`.
        package let field: Int
        /// The key as the record holds it.
        package let value: [UInt8]
        /// The names of the bucket whose object is missing, which complex objects may hold; those
        /// that name another bucket stay.
        package let bucketNames: [String]

        /// A reference to be taken out.
        package init(id: RecordID, field: Int, value: [UInt8], bucketNames: [String]) {
            self.id = id
            self.field = field
            self.value = value
            self.bucketNames = bucketNames
        }

        /// Whether a reference is the one that is taken out.
        func means(_ reference: StoredReference) -> Bool {
            guard reference.field == field, reference.value == value else { return false }
            guard let name = reference.bucket else { return true }
            return bucketNames.contains { name.elementsEqual($0.utf8) }
        }

        /// Where a field's value holds the reference.
        func references(in value: FieldValue, _ file: FileField) -> [StoredReference] {
            var reading = RecordReading(
                id: RecordID([]), version: nil, changed: nil, mark: nil, identity: nil,
                references: [], unusable: [])
            FieldReader(field: field, mapping: file).read(value, into: &reading)
            return reading.references.filter(means)
        }
    }

    /// The write that takes a key out of a field: a scalar or complex object becomes what the
    /// mapping calls empty, a list loses every element that holds the key. The version and the
    /// change time move on where the mapping names them. Nil when the row does not hold the key,
    /// or holds it in a form that cannot be written.
    package static func nulling(
        _ target: Target, mapping: ModelMapping, row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        let file = mapping.files[target.field]
        guard let old = row[file.column], !old.isMissing,
            let replacement = replacement(of: old, target, file)
        else { return nil }
        return FieldChange.change(
            target.id, file.column, (old, replacement), in: (mapping, row), at: now)
    }

    private static func replacement(
        of old: FieldValue, _ target: Target, _ file: FileField
    ) -> FieldValue? {
        let held = target.references(in: old, file)
        guard !held.isEmpty else { return nil }
        guard file.isList || !file.path.steps.isEmpty else { return emptied(old, file.empty) }
        let indexes = Set(held.compactMap(\.index))
        return PathEditing.editing(old, file.path) { leaf, text in
            if file.isList { return ListEditing.removing(indexes, from: text) }
            let empty = file.empty == .null ? "null" : "\"\""
            return leaf.index.map(indexes.contains) ?? true ? Array(empty.utf8) : text
        }
    }

    // In the storage class of what it replaces, which the column is known to take.
    private static func emptied(_ old: FieldValue, _ form: EmptyForm) -> FieldValue {
        guard form == .text else { return .null }
        switch old {
        case .blob: return .blob([])
        case .json: return .json(Array("\"\"".utf8))
        default: return .text([])
        }
    }
}
