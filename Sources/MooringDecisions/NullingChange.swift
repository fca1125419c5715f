package import MooringModel

/// Builds the writes that null a reference and that bring it back.
package enum NullingChange {
    /// A row of the record: the mapping's columns and their values.
    package typealias Row = [String: FieldValue]

    /// Which reference is taken out of a record.
    package struct Target: Hashable, Sendable {
        /// The record.
        package let id: RecordID
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
    }

    /// The write that takes a key out of a field: a scalar or complex object becomes NULL, a list
    /// loses every element that holds the key. The version and the change time move on where the
    /// mapping names them. Nil when the row does not hold the key, or holds it in a form that
    /// cannot be written.
    package static func nulling(
        _ target: Target, mapping: ModelMapping, row: Row, at now: Instant
    ) -> RecordChange? {
        let file = mapping.files[target.field]
        guard let old = row[file.field], !old.isMissing,
            let replacement = replacement(of: old, target, file)
        else { return nil }
        let moved = movedOn(mapping, row, now)
        return RecordChange(
            table: mapping.table, idColumns: mapping.id, id: target.id,
            expected: [ColumnValue(file.field, old)] + moved.expected,
            assignments: [ColumnValue(file.field, replacement)] + moved.assignments)
    }

    /// The write that takes a nulling back where the record still is as the nulling left it.
    /// The field gets its old bytes; version and change time move on once more.
    package static func reverse(
        _ change: RecordChange, mapping: ModelMapping, at now: Instant
    ) -> RecordChange {
        let before = Dictionary(
            change.expected.map { ($0.column, $0.value) }, uniquingKeysWith: { first, _ in first })
        let versions = [mapping.version, mapping.changed].compactMap { $0 }
        let row = Dictionary(
            change.assignments.map { ($0.column, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let moved = movedOn(mapping, row, now)
        return RecordChange(
            table: change.table, idColumns: change.idColumns, id: change.id,
            expected: change.assignments,
            assignments: change.assignments.compactMap { assignment in
                if versions.contains(assignment.column) {
                    return moved.assignments.first { $0.column == assignment.column }
                }
                return before[assignment.column].map { ColumnValue(assignment.column, $0) }
            })
    }

    /// The write that puts a nulled key back into the record as it is by now, whoever wrote other
    /// parts of it since: a field that is as the nulling left it gets its old bytes, and to a list
    /// that others changed the elements that the nulling took out are added. Nil where the field
    /// holds another value, which somebody decided, or holds the key again.
    package static func puttingBack(
        _ change: RecordChange, mapping: ModelMapping, row: Row, at now: Instant
    ) -> RecordChange? {
        guard let field = nulledField(change, mapping), let current = row[field.name],
            let value = field.value(putBackInto: current)
        else { return nil }
        let moved = movedOn(mapping, row, now)
        return RecordChange(
            table: change.table, idColumns: change.idColumns, id: change.id,
            expected: [ColumnValue(field.name, current)] + moved.expected,
            assignments: [ColumnValue(field.name, value)] + moved.assignments)
    }

    private struct NulledField {
        let name: String
        let old: FieldValue
        let left: FieldValue
        let isList: Bool

        func value(putBackInto current: FieldValue) -> FieldValue? {
            if current == left || current.isMissing && left.isMissing { return old }
            guard isList, let (before, after, now) = lists(current) else { return nil }
            let removed = before.filter { !after.contains($0) }
            let missing = removed.filter { !now.contains($0) }
            guard !missing.isEmpty, let bytes = current.bytes,
                let longer = ListEditing.appending(missing, to: bytes)
            else { return nil }
            return NullingChange.list(longer, like: current)
        }

        private func lists(
            _ current: FieldValue
        ) -> (before: [[UInt8]], after: [[UInt8]], now: [[UInt8]])? {
            guard let old = old.bytes, let left = left.bytes, let now = current.bytes,
                let before = ListEditing.elements(of: old),
                let after = ListEditing.elements(of: left),
                let current = ListEditing.elements(of: now)
            else { return nil }
            return (before, after, current)
        }
    }

    private static func nulledField(
        _ change: RecordChange, _ mapping: ModelMapping
    ) -> NulledField? {
        for assignment in change.assignments {
            guard let file = mapping.files.first(where: { $0.field == assignment.column }),
                let old = change.expected.first(where: { $0.column == assignment.column })
            else { continue }
            return NulledField(
                name: file.field, old: old.value, left: assignment.value, isList: file.isList)
        }
        return nil
    }

    private static func list(_ bytes: [UInt8], like old: FieldValue) -> FieldValue {
        switch old {
        case .blob: .blob(bytes)
        case .json: .json(bytes)
        default: .text(bytes)
        }
    }

    /// The write that keeps an earlier one from being carried out late: it only moves the version
    /// and the change time of a record on that still is as before the earlier write. Nil where the
    /// mapping names neither, or neither can be moved.
    package static func fence(
        _ change: RecordChange, mapping: ModelMapping, at now: Instant
    ) -> RecordChange? {
        let row = Dictionary(
            change.expected.map { ($0.column, $0.value) }, uniquingKeysWith: { first, _ in first })
        func assignments(_ moment: Instant) -> [ColumnValue] {
            movedOn(mapping, row, moment).assignments.filter { row[$0.column] != $0.value }
        }
        let moved = assignments(now)
        // A record that changed in this very second has to be told apart as well.
        let told = moved.isEmpty ? assignments(now + .seconds(1)) : moved
        guard !told.isEmpty else { return nil }
        return RecordChange(
            table: change.table, idColumns: change.idColumns, id: change.id,
            expected: change.expected, assignments: told)
    }

    private static func replacement(
        of old: FieldValue, _ target: Target, _ file: FileField
    ) -> FieldValue? {
        var reading = RecordReading(
            id: RecordID([]), version: nil, changed: nil, isTombstone: false, identity: nil,
            references: [], unusable: [])
        FieldReader(field: target.field, mapping: file).read(old, into: &reading)
        let held = reading.references.filter(target.means)
        guard !held.isEmpty else { return nil }
        guard file.isList else { return .null }
        guard let bytes = old.bytes,
            let shorter = ListEditing.removing(Set(held.compactMap(\.index)), from: bytes)
        else { return nil }
        return list(shorter, like: old)
    }

    private static func movedOn(
        _ mapping: ModelMapping, _ row: Row, _ now: Instant
    ) -> (expected: [ColumnValue], assignments: [ColumnValue]) {
        var expected: [ColumnValue] = []
        var assignments: [ColumnValue] = []
        if let column = mapping.version, let old = row[column] {
            expected.append(ColumnValue(column, old))
            if case .integer(let number) = old, number < Int64.max {
                assignments.append(ColumnValue(column, .integer(number + 1)))
            }
        }
        if let column = mapping.changed, let old = row[column] {
            expected.append(ColumnValue(column, old))
            if let form = ChangeTimeForm.read(old)?.form {
                assignments.append(ColumnValue(column, form.write(now, like: old)))
            }
        }
        return (expected, assignments)
    }
}
