package import MooringModel

/// Builds the writes that make a copy of a record say what its authority says.
package enum CopyChange {
    /// The write that gives a copy every value of its authority that it has a column for, if it
    /// still is as it was read in every column. Nil where the copy is not behind, or may hold a
    /// write of its own that was not sent yet.
    package static func refreshing(
        _ copy: RecordReading, by authority: RecordReading, mapping: ModelMapping,
        row: FieldChange.Row, wanted: FieldChange.Row
    ) -> RecordChange? {
        guard isBehind(copy, authority) else { return nil }
        let assignments = FieldChange.whole(row).compactMap { held -> ColumnValue? in
            guard !mapping.id.contains(held.column), var value = wanted[held.column] else {
                return nil
            }
            if value == .absent {
                // What the authority's record has no more is nothing; that it does not say its
                // version or time says nothing about them.
                let marks = [mapping.version, mapping.changed, mapping.deleted]
                guard held.value != .null, !marks.contains(held.column) else { return nil }
                value = .null
            }
            // What is not deleted may be marked so on one side and have no mark on the other.
            if held.column == mapping.deleted, value == .null, !copy.isTombstone { return nil }
            let fitting = CopiedValue.of(value, like: held.value)
            return fitting == held.value ? nil : ColumnValue(held.column, fitting)
        }
        guard !assignments.isEmpty else { return nil }
        return RecordChange(
            table: mapping.table, idColumns: mapping.id, id: copy.id,
            expected: FieldChange.whole(row),
            assignments: assignments)
    }

    /// The write that removes the copy of a record that its authority does not have.
    package static func removing(
        _ id: RecordID, mapping: ModelMapping, row: FieldChange.Row
    ) -> RecordChange {
        RecordChange(
            .delete, table: mapping.table, idColumns: mapping.id, id: id,
            expected: FieldChange.whole(row),
            assignments: [])
    }

    /// The write that takes either back, value for value: a copy's version and change time are
    /// its authority's, so that they do not move on.
    package static func reverse(_ change: RecordChange) -> RecordChange {
        guard change.act == .update else {
            return RecordChange(
                .insert, table: change.table, idColumns: change.idColumns, id: change.id,
                expected: [], assignments: change.expected)
        }
        return RecordChange(
            table: change.table, idColumns: change.idColumns, id: change.id,
            expected: change.assignments,
            assignments: change.expected.filter { value in
                change.assignments.contains { $0.column == value.column }
            })
    }

    // As `CopyRule` tells it, without hashes: whatever differs is behind where nothing tells.
    private static func isBehind(_ copy: RecordReading, _ authority: RecordReading) -> Bool {
        func state(_ reading: RecordReading, _ content: UInt64) -> CopyState {
            CopyState(
                version: reading.version, changed: reading.changed, content: content,
                isTombstone: reading.isTombstone)
        }
        let isAlike =
            copy.references == authority.references && copy.unusable == authority.unusable
            && copy.identity == authority.identity
        let (own, other) = (state(copy, 0), state(authority, isAlike ? 0 : 1))
        return CopyRule.cause(of: own, authority: other) != nil
            && !CopyRule.mayHoldUnsent(own, authority: other)
    }
}
