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
        try write(Self.refused) { db in
            try lines.map { line in
                switch line {
                case .intent(let entry):
                    return try insertNew(entry, db)
                case .outcome(let number, let outcome, let reason, let instant):
                    try end(number, outcome, reason, at: instant, db)
                    return number
                case .ended(let entry, let outcome, let reason, let instant):
                    let number = try insertNew(entry, db)
                    try end(number, outcome, reason, at: instant, db)
                    return number
                }
            }
        }
    }

    private static let refused = "writing the journal, and so the steps themselves"

    private func insertNew(_ entry: JournalEntry, _ db: Database) throws -> Int64 {
        guard entry.number == 0, entry.outcome == nil else {
            throw conflict("the entry was written before")
        }
        return try Self.insert(entry, db).number
    }

    private func conflict(_ found: String) -> LedgerError {
        conflict(found, refused: Self.refused, hint: "run mooring journal verify")
    }

    private func end(
        _ number: Int64, _ outcome: StepOutcome, _ reason: String?, at instant: Instant,
        _ db: Database
    ) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT outcome FROM journal WHERE number = ?", arguments: [number])
        guard let row else { throw conflict("no such journal entry") }
        let before: String? = row[0]
        if before == outcome.rawValue { return }
        guard before == nil || (before == StepOutcome.done.rawValue && outcome == .undone) else {
            throw conflict("the entry has another outcome")
        }
        try Self.end(number, outcome: outcome, reason: reason, at: instant, db)
    }
}
