package import MooringModel

/// Builds the writes that change one field of a record, move its version and change time on with
/// it, and take that back.
package enum FieldChange {
    /// A row of the record: columns and their values.
    package typealias Row = [String: FieldValue]
    /// A record as it was read, under its mapping.
    package typealias Read = (mapping: ModelMapping, row: Row)
    /// The values of a field before and after a change.
    package typealias Values = (old: FieldValue, new: FieldValue)

    /// The write that sets a field from its old value to its new one.
    package static func change(
        _ id: RecordID, _ field: String, _ values: Values, in read: Read, at now: Instant
    ) -> RecordChange {
        let moved = movedOn(read.mapping, read.row, now)
        return RecordChange(
            table: read.mapping.table, idColumns: read.mapping.id, id: id,
            expected: [ColumnValue(field, values.old)] + moved.expected,
            assignments: [ColumnValue(field, values.new)] + moved.assignments)
    }

    /// The write that takes a change of a field back in the record as it is by now, whoever wrote
    /// other parts of it since: a field that is as the change left it gets its old bytes; of a list
    /// that others wrote too, the elements that the change took out are added, and those that it
    /// added are taken out. Nil where the field holds another value, which somebody decided, or
    /// nothing of the change is left.
    package static func puttingBack(
        _ change: RecordChange, mapping: ModelMapping, row: Row, at now: Instant
    ) -> RecordChange? {
        guard let field = changedField(change, mapping), let current = row[field.name],
            let value = field.value(putBackInto: current)
        else { return nil }
        return self.change(
            change.id, field.name, (current, value), in: (mapping, row), at: now)
    }

    private struct ChangedField {
        let name: String
        let old: FieldValue
        let left: FieldValue
        let isList: Bool

        func value(putBackInto current: FieldValue) -> FieldValue? {
            if current == left || current.isMissing && left.isMissing { return old }
            guard isList, let (before, after) = lists, let bytes = current.bytes,
                let now = ListEditing.elements(of: bytes)
            else { return nil }
            // As it was left, in the bytes that the store gives it: a NULL comes back as one.
            if now == after { return old }
            let missing = before.filter { !after.contains($0) && !now.contains($0) }
            let added = after.filter { !before.contains($0) }
            let surplus = now.indices.filter { added.contains(now[$0]) }
            guard !missing.isEmpty || !surplus.isEmpty,
                let shorter = ListEditing.removing(Set(surplus), from: bytes)
            else { return nil }
            guard !missing.isEmpty else { return FieldChange.nested(shorter, like: current) }
            return ListEditing.appending(missing, to: shorter).flatMap {
                FieldChange.nested($0, like: current)
            }
        }

        private var lists: (before: [[UInt8]], after: [[UInt8]])? {
            guard let before = elements(old), let after = elements(left) else { return nil }
            return (before, after)
        }

        private func elements(_ value: FieldValue) -> [[UInt8]]? {
            value.isMissing ? [] : value.bytes.flatMap(ListEditing.elements)
        }
    }

    private static func changedField(
        _ change: RecordChange, _ mapping: ModelMapping
    ) -> ChangedField? {
        let moved = [mapping.version, mapping.changed]
        for assignment in change.assignments where !moved.contains(assignment.column) {
            guard let old = change.expected.first(where: { $0.column == assignment.column })
            else { continue }
            let file = mapping.files.first { $0.column == assignment.column }
            return ChangedField(
                name: assignment.column, old: old.value, left: assignment.value,
                isList: file?.isList == true && file?.path.steps.isEmpty == true)
        }
        return nil
    }

    /// A list's text in the storage class of the one that it replaces.
    /// Nil where it cannot be written in that class.
    static func nested(_ bytes: [UInt8], like old: FieldValue) -> FieldValue? {
        switch old {
        case .blob: return .blob(bytes)
        case .json: return .json(bytes)
        case .attribute(let typed):
            guard AttributeText.isStringSet(typed), let elements = ListEditing.elements(of: bytes)
            else { return nil }
            // There are no empty sets: the record then lacks the attribute.
            return elements.isEmpty ? .absent : .attribute(AttributeText.stringSet(elements))
        default: return .text(bytes)
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

    /// Every value of a row, in the order of the columns' names.
    static func whole(_ row: Row) -> [ColumnValue] {
        row.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ColumnValue($0.key, $0.value) }
    }

    /// What moves a record's version and change time on, and what they must be before.
    static func movedOn(
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
        // The time that the store itself will write is not known before.
        if !mapping.movesOnItself, let column = mapping.changed, let old = row[column] {
            expected.append(ColumnValue(column, old))
            // A number that tells of no year an app can mean is counted in another way than ours.
            if let read = ChangeTimeForm.read(old), read.time.latest >= BelievableTimes.earliest {
                assignments.append(
                    ColumnValue(column, read.form.write(now, like: old, zone: mapping.zone)))
            }
        }
        return (expected, assignments)
    }
}
