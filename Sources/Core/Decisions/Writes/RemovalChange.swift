package import MooringModel

/// Builds the write that removes a record.
package enum RemovalChange {
    /// The write that removes a record which still is as it was read, in every column: where the
    /// mapping names a mark of deletion the record becomes a tombstone, which devices learn of;
    /// else its row goes. Nil where the tombstone cannot be written, or the record is one already.
    package static func removing(
        _ id: RecordID, mapping: ModelMapping, row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        let whole = FieldChange.whole(row)
        guard let column = mapping.deleted else {
            return RecordChange(
                .delete, table: mapping.table, idColumns: mapping.id, id: id, expected: whole,
                assignments: [])
        }
        guard let old = row[column], let mark = mark(inPlaceOf: old) else { return nil }
        return RecordChange(
            table: mapping.table, idColumns: mapping.id, id: id, expected: whole,
            assignments: [ColumnValue(column, mark)]
                + FieldChange.movedOn(mapping, row, now).assignments)
    }

    // The mark in the form in which the record says that it is not deleted.
    private static func mark(inPlaceOf old: FieldValue) -> FieldValue? {
        switch old {
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            let marks = ["": "1", "0": "1", "false": "true", "f": "t", "no": "yes", "n": "y"]
            return marks[text].map { .text(Array($0.utf8)) }
        case .integer(0), .null, .absent: return .integer(1)
        case .attribute(Array(#"{"BOOL":false}"#.utf8)):
            return .attribute(Array(#"{"BOOL":true}"#.utf8))
        case .json(Array("false".utf8)): return .json(Array("true".utf8))
        case .real(0): return .real(1)
        default: return nil
        }
    }
}
