import GRDB
package import MooringModel

/// What a ledger says of its own state.
package struct LedgerHealth: Hashable, Sendable {
    /// What SQLite finds wrong with the file, in its own words; empty when it is sound.
    package var integrity: [String] = []
    /// Rows whose other half is missing; empty when there are none.
    package var foreignKeys: [String] = []
    /// The last migration that was applied; nil when there is none.
    package var schema: String?
    /// The journal against its chain.
    package var journal = JournalVerification()
    /// Steps of which nobody knows how they ended.
    package var openIntents = 0
    /// Runs that have not ended; while nobody holds the lock, they crashed.
    package var running: [RunID] = []
    /// Counts of sightings and of the watch that a run did not close, and plans without a run.
    package var leftovers: [String] = []
}

extension Ledger {
    /// Looks at everything that a ledger can tell of itself.
    ///
    /// `thorough` compares the indexes with their tables too, which takes longer. Does not look
    /// into the documents.
    package func health(thorough: Bool = true) throws(LedgerError) -> LedgerHealth {
        var health = try read("checking the ledger") { db in
            var health = LedgerHealth()
            health.integrity = try String.fetchAll(
                db, sql: thorough ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)")
            if health.integrity == ["ok"] { health.integrity = [] }
            for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(100) {
                let (table, parent): (String, String) = (row[0], row[2])
                health.foreignKeys.append("a row of \(table) has no row in \(parent)")
            }
            health.schema = try LedgerSchema.migrator.appliedIdentifiers(db).max()
            health.openIntents =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM journal WHERE outcome IS NULL") ?? 0
            health.running = try String.fetchAll(
                db, sql: "SELECT id FROM run WHERE status = 'running' ORDER BY id"
            ).compactMap { RunID($0) }
            health.leftovers = try Self.leftovers(db)
            return health
        }
        health.journal = try verifyJournal()
        return health
    }

    private static func leftovers(_ db: Database) throws -> [String] {
        let questions = [
            ("sighting", "sightings of a run that did not end", "runs > closedRuns"),
            ("watch", "watched objects of a run that did not end", "runs > closedRuns"),
            (
                "plan", "plans of runs that are gone and that nothing carried out",
                "run NOT IN (SELECT id FROM run) AND id NOT IN "
                    + "(SELECT plan FROM journal WHERE plan IS NOT NULL)"
            ),
        ]
        return try questions.compactMap { table, words, condition in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM \(table) WHERE \(condition)")
            return count.flatMap { $0 == 0 ? nil : "\($0) \(words)" }
        }
    }
}
