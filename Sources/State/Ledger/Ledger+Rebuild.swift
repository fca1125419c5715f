import GRDB
package import MooringModel

/// A run as its quarantine tells of it, for a ledger that does not know it.
package struct RebuiltRun: Hashable, Sendable {
    /// The run; written only where the ledger does not know it.
    package var summary: RunSummary
    /// Its repairs without number and outcome: each was carried out.
    package var entries: [JournalEntry]

    /// A run and its repairs.
    package init(summary: RunSummary, entries: [JournalEntry]) {
        self.summary = summary
        self.entries = entries
    }
}

extension Ledger {
    /// Writes runs and repairs that were read back from the buckets, all of them or none: each
    /// repair as done, with the reason given.
    ///
    /// The caller leaves out what the journal knows; a run that is known keeps its summary.
    package func rebuild(
        _ runs: [RebuiltRun], reason: String, at instant: Instant
    ) throws(LedgerError) {
        try write("rebuilding the ledger from the buckets") { db in
            for run in runs {
                if try Self.number(of: run.summary.id, db) == nil {
                    try Self.insert(run.summary, db)
                }
                for entry in run.entries {
                    let written = try Self.insert(entry, db)
                    try Self.end(written.number, outcome: .done, reason: reason, at: instant, db)
                }
            }
        }
    }
}
