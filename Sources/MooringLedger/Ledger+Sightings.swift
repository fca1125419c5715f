import GRDB
package import MooringModel

extension Ledger {
    /// Notes that a run judged findings settled, each while it was about the version of a token.
    ///
    /// A run counts once. Another token than before starts anew. What the run counts is taken back
    /// unless `closeSightings` follows before another run sights or begins.
    package func sight(
        _ sightings: [(findingID: String, token: String)], at instant: Instant, run: RunID
    ) throws(LedgerError) {
        try write("noting sightings of run \(run.text)") { db in
            let select = try db.cachedStatement(
                sql: "SELECT token, \(RunTally.columns) FROM sighting WHERE finding = ?")
            let store = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO sighting (finding, token, \(RunTally.columns))
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (id, token) in sightings {
                let (id, token) = (Blob(id), Blob(token))
                var tally = RunTally()
                if let row = try Row.fetchOne(select, arguments: [id]), row[0] == token {
                    tally = RunTally(row, from: 1)
                }
                tally.count(at: instant, run: run)
                try store.execute(arguments: [id, token] + tally.arguments)
            }
        }
    }

    /// Ends the sightings of a complete run: what it sighted counts, all others are forgotten.
    ///
    /// A finding that was gone or not settled in a complete run starts anew.
    package func closeSightings(run: RunID) throws(LedgerError) {
        try write("closing the sightings of run \(run.text)") { db in
            try db.execute(sql: "DELETE FROM sighting WHERE lastRun <> ?", arguments: [run.text])
            try db.execute(sql: "UPDATE sighting SET closedRuns = runs, closedAt = lastAt")
        }
    }
}
