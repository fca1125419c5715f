import GRDB
package import MooringModel

extension Ledger {
    /// The runs that say they began after a moment, in the order in which they began: a clock was
    /// ahead then, or is behind now. Nothing is ordered by it, and nothing is removed for it.
    package func runs(startedAfter moment: Instant) throws(LedgerError) -> [RunID] {
        try read("looking for runs from the future") { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM run WHERE startedAt > ? ORDER BY number",
                arguments: [moment]
            ).compactMap { RunID($0) }
        }
    }
}
