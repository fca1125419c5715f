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
        try write(Self.refused) { db in try lines.map { try write($0, db) } }
    }

    /// The same for a caller that goes on with something else meanwhile.
    package func writeBeside(_ lines: [JournalLine]) async throws -> [Int64] {
        do {
            return try await queue.write { db in try lines.map { try self.write($0, db) } }
        } catch {
            throw LedgerError(error, path: path, refused: Self.refused)
        }
    }

    /// For each step whether an entry about the object that it acts on, or about its record where
    /// it acts on no object, has no outcome.
    package func hasOpenIntents(about steps: [PlanStep]) async throws -> [Bool] {
        do {
            return try await queue.read { db in
                let select = try db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM journalSubject JOIN journal ON number = entry
                            WHERE subject = ? AND outcome IS NULL)
                        """)
                return try steps.map { step in
                    guard let subject = Subject(of: step) else { return false }
                    return try Bool.fetchOne(select, arguments: [subject.blob]) ?? false
                }
            }
        } catch {
            throw LedgerError(error, path: path, refused: "reading the journal")
        }
    }

    private func write(_ line: JournalLine, _ db: Database) throws -> Int64 {
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
