import GRDB
package import MooringModel

extension Ledger {
    /// Removes runs that started before a moment, with their findings and unused plans, and
    /// returns them, oldest first.
    ///
    /// Kept are: the runs named, those that still run, the latest complete run of each command, be
    /// its repair refused,
    /// runs with an open intent, the whole journal, and every plan that the journal names. The
    /// history of a finding goes with the last run that saw it.
    package func removeRuns(
        before: Instant, keeping: Set<RunID> = []
    ) throws(LedgerError) -> [RunID] {
        let refused = "removing old runs"
        let old = try read(refused) { db in try Self.removableRuns(before: before, db) }
        var removed: [RunID] = []
        for text in old {
            guard let run = RunID(text), !keeping.contains(run) else { continue }
            // A transaction for each run, since one may hold a million findings.
            try write(refused) { db in
                try db.execute(
                    sql: """
                        DELETE FROM plan WHERE run = ?
                            AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.plan = plan.id)
                        """, arguments: [text])
                try FindingIntervals.removeRows(ofNoneBut: run, db)
                try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [text])
            }
            removed.append(run)
        }
        // Also after an earlier pruning that was cut short, when no run is left to remove.
        try write(refused) { db in
            try db.execute(
                sql: """
                    DELETE FROM history WHERE NOT EXISTS
                        (SELECT 1 FROM finding
                        JOIN findingSeries ON findingSeries.number = finding.series
                        WHERE finding.id = history.finding AND first <= place)
                    """)
        }
        return removed
    }

    private static func removableRuns(before: Instant, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT id FROM run
                WHERE startedAt < ? AND status <> 'running'
                    AND number NOT IN
                        (SELECT max(number) FROM run WHERE status IN ('complete', 'refused')
                        GROUP BY command, status)
                    AND id NOT IN (SELECT run FROM journal WHERE outcome IS NULL)
                ORDER BY number
                """, arguments: [before])
    }
}
