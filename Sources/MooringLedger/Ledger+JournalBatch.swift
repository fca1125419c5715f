import GRDB
package import MooringModel

/// One line for the journal: an intent, or how the step of an intent ended.
package enum JournalLine: Sendable {
    case intent(JournalEntry)
    case outcome(Int64, StepOutcome, reason: String?, at: Instant)
    /// Both at once, of a step that changed nothing.
    case ended(JournalEntry, StepOutcome, reason: String?, at: Instant)
}

extension Ledger {
    /// Writes several lines in one transaction, and returns the number of the entry of each: all of
    /// them are on disk when the call returns, or none.
    package func write(_ lines: [JournalLine]) throws(LedgerError) -> [Int64] {
        let refused = "writing the journal, and so the steps themselves"
        return try write(refused) { db in
            try lines.map { line in
                switch line {
                case .intent(let entry):
                    return try Self.insertNew(entry, db) { self.conflict($0, refused: refused) }
                case .outcome(let number, let outcome, let reason, let instant):
                    try end(number, outcome, reason, at: instant, refused, db)
                    return number
                case .ended(let entry, let outcome, let reason, let instant):
                    let number = try Self.insertNew(entry, db) {
                        self.conflict($0, refused: refused)
                    }
                    try end(number, outcome, reason, at: instant, refused, db)
                    return number
                }
            }
        }
    }

    private static func insertNew(
        _ entry: JournalEntry, _ db: Database, _ conflict: (String) -> LedgerError
    ) throws -> Int64 {
        guard entry.number == 0, entry.outcome == nil else {
            throw conflict("the entry was written before")
        }
        return try insert(entry, db).number
    }

    private func conflict(_ found: String, refused: String) -> LedgerError {
        conflict(found, refused: refused, hint: "run mooring journal verify")
    }

    private func end(
        _ number: Int64, _ outcome: StepOutcome, _ reason: String?, at instant: Instant,
        _ refused: String, _ db: Database
    ) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT outcome FROM journal WHERE number = ?", arguments: [number])
        guard let row else { throw conflict("no such journal entry", refused: refused) }
        let before: String? = row[0]
        if before == outcome.rawValue { return }
        guard before == nil || (before == StepOutcome.done.rawValue && outcome == .undone) else {
            throw conflict("the entry has another outcome", refused: refused)
        }
        try Self.end(number, outcome: outcome, reason: reason, at: instant, db)
    }
}
