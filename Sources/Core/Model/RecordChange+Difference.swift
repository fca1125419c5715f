import MooringText

extension RecordChange {
    /// Why the rows that have the id are not as the write expects them, in the same words for every
    /// store; nil where they are. `holds` says whether the one row holds an expected value, which
    /// its place among `expected` names too.
    package func difference(
        rows: Int = 1, holds: (_ place: Int, _ value: ColumnValue) -> Bool
    ) -> String? {
        switch (act, rows) {
        case (.insert, 0): return nil
        case (.insert, _): return "there is a record of this id"
        case (_, 0): return "no such record"
        case (_, 1): break
        default: return "several rows have this id"
        }
        return expected.enumerated().first { !holds($0, $1) }.map { _, value in
            "column \(quotedName(Array(value.column.utf8))) holds another value now"
        }
    }
}
