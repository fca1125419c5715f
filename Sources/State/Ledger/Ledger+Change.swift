import GRDB
package import MooringModel

extension Ledger {
    /// How many findings of each kind only one of two runs has; nil where one of them recorded
    /// none, as a run that was stopped.
    ///
    /// The database counts: no finding is read. Between runs of one series that takes as long as
    /// there are changes, and between others as long as there are findings.
    package func change(
        from run: RunID, to later: RunID
    ) throws(LedgerError) -> RunSummary.Change? {
        try read("comparing run \(run.text) with run \(later.text)") { db in
            guard let before = try RecordedRun(run, db), let after = try RecordedRun(later, db)
            else { return nil }
            return RunSummary.Change(
                since: run, new: try Self.count(in: after, without: before, db),
                gone: try Self.count(in: before, without: after, db))
        }
    }

    private static func count(
        in run: RecordedRun, without other: RecordedRun, _ db: Database
    ) throws -> [FindingKind: Int] {
        // A row also ends where its finding changes: then another one has the same id.
        let has = "other.first <= ? AND (other.last IS NULL OR other.last >= ?)"
        let rows = rows(of: run, without: other)
        let counted = try Row.fetchCursor(
            db,
            sql: """
                SELECT kind, count(*) FROM \(rows.text) AND NOT EXISTS (
                    SELECT 1 FROM finding other
                    WHERE other.id = finding.id AND other.series = ? AND \(has))
                GROUP BY kind
                """, arguments: rows.arguments + [other.series, other.place, other.place])
        var counts: [FindingKind: Int] = [:]
        while let row = try counted.next() {
            let kind: String = row[0]
            if let kind = FindingKind(rawValue: kind) { counts[kind] = row[1] }
        }
        return counts
    }

    private static func rows(
        of run: RecordedRun, without other: RecordedRun
    ) -> (text: String, arguments: StatementArguments) {
        if run.series == other.series {
            return RunInterval(run, other).rows(FindingFilter())
        }
        return (
            "finding INDEXED BY findingInOrder WHERE series = ? AND \(RecordedRun.holds)",
            [run.series, run.place, run.place]
        )
    }
}
