import GRDB
package import MooringDecisions
package import MooringModel

/// Which entries of the journal an excerpt holds.
package enum JournalScope: Sendable {
    /// Those of a run and of its plans, and what was done later to the objects and records of them.
    case run(RunID)
    /// Those that act on an object, or name a record.
    case object(bucket: String, key: ObjectKey)
    case record(RecordIdentity)
}

/// What an excerpt of the journal is handed over to, piece by piece: first every entry, then the
/// place before the first link, then every link up to the head.
package protocol JournalExcerptTaker {
    /// Takes the next entry, by its number.
    mutating func take(_ entry: JournalExcerptEntry) throws
    /// Takes the place before the first link.
    mutating func begin(at place: JournalPlace) throws
    /// Takes the next link.
    mutating func take(_ link: JournalExcerptLink) throws
}

extension Ledger {
    /// Hands over the entries of a scope and the chain from the first of their links to the head,
    /// all from one moment, and gives the head. Holds no more of them than their numbers.
    ///
    /// What the taker throws is thrown as it is.
    package func excerpt(
        of scope: JournalScope, into taker: inout some JournalExcerptTaker
    ) throws -> JournalPlace {
        var failure: (any Error)?
        let head = try read("reading an excerpt of the journal") { db -> JournalPlace in
            let head = try JournalChain.head(db)
            let numbers = try Self.numbers(of: scope, db)
            do {
                try Self.readEntries(numbers, db, &taker)
                try Self.readLinks(numbers, head.links, db, &taker)
            } catch let error as DatabaseError {
                throw error
            } catch {
                failure = error
            }
            return JournalPlace(links: head.links, hash: head.hash)
        }
        if let failure { throw failure }
        return head
    }

    private static func numbers(of scope: JournalScope, _ db: Database) throws -> [Int64] {
        switch scope {
        case .run(let run): try numbers(of: run, db)
        case .object(let bucket, let key):
            try numbers(about: .object(bucket: bucket, key: key), db)
        case .record(let identity):
            try numbers(about: .record(identity), db)
        }
    }

    private static func numbers(of run: RunID, _ db: Database) throws -> [Int64] {
        let own = try Int64.fetchAll(
            db,
            sql: """
                SELECT number FROM journal
                WHERE run = ?1 OR plan IN (SELECT id FROM plan WHERE plan.run = ?1)
                """, arguments: [run.text])
        var numbers = Set(own)
        for number in own {
            guard let entry = try readableEntry(number, db), let subject = Subject(of: entry.step)
            else { continue }
            numbers.formUnion(try self.numbers(about: subject, db).filter { $0 > number })
        }
        return numbers.sorted()
    }

    // Nil of an entry whose own bytes are damaged: it stays in the excerpt as it is, and nobody can
    // say what followed it. What the database refuses is thrown.
    private static func readableEntry(_ number: Int64, _ db: Database) throws -> JournalEntry? {
        do {
            return try journalEntry(number, db)
        } catch let error as DatabaseError {
            throw error
        } catch {
            return nil
        }
    }

    private static func numbers(about subject: Subject, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT entry FROM journalSubject WHERE subject = ? ORDER BY entry",
            arguments: [subject.blob])
    }

    private static func readEntries(
        _ numbers: [Int64], _ db: Database, _ taker: inout some JournalExcerptTaker
    ) throws {
        let select = try db.cachedStatement(
            sql: "SELECT number, \(EntryRow.columns) FROM journal WHERE number = ?")
        for number in numbers {
            guard let row = try Row.fetchOne(select, arguments: [number]) else { continue }
            var entry = JournalExcerptEntry(
                number: number, run: Stored.text(row[1]), plan: Stored.bytesIfAny(row[2]),
                intendedAt: Stored.integer(row[3]) ?? 0, document: Stored.bytes(row[4]),
                outcome: Stored.textIfAny(row[5]), reason: Stored.bytesIfAny(row[6]),
                endedAt: Stored.integer(row[7]))
            entry.erasures = try erasures(of: number, db)
            try taker.take(entry)
        }
    }

    private static func erasures(
        of entry: Int64, _ db: Database
    ) throws -> [JournalExcerptEntry.Erasure] {
        let select = try db.cachedStatement(
            sql: """
                SELECT e.number, e.run, e.erasedAt, e.before, e.intent, e.outcome
                FROM journalChain c JOIN journalErasure e ON e.number = c.number
                WHERE c.entry = ? AND c.kind = 'erasure' ORDER BY c.number
                """)
        return try Row.fetchAll(select, arguments: [entry]).map { row in
            JournalExcerptEntry.Erasure(
                link: Stored.integer(row[0]) ?? 0, run: Stored.text(row[1]),
                erasedAt: Stored.integer(row[2]) ?? 0,
                before: Stored.bytes(row[3]), intent: Stored.bytes(row[4]),
                outcome: Stored.bytesIfAny(row[5]))
        }
    }

    private static func readLinks(
        _ numbers: [Int64], _ last: Int64, _ db: Database,
        _ taker: inout some JournalExcerptTaker
    ) throws {
        let select = try db.cachedStatement(
            sql: "SELECT min(number) FROM journalChain WHERE entry = ?")
        var first = last + 1
        for number in numbers {
            let own = try Int64.fetchOne(select, arguments: [number])
            first = min(first, own ?? first)
        }
        let before = try Row.fetchOne(
            db, sql: "SELECT hash FROM journalChain WHERE number = ?", arguments: [first - 1])
        try taker.begin(
            at: before.map { JournalPlace(links: first - 1, hash: Stored.bytes($0[0])) }
                ?? .origin)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, kind, entry, content, hash FROM journalChain
                WHERE number >= ? ORDER BY number
                """, arguments: [first])
        while let row = try rows.next() {
            try taker.take(
                JournalExcerptLink(
                    number: Stored.integer(row[0]) ?? 0, kind: Stored.text(row[1]),
                    entry: Stored.integer(row[2]) ?? 0, content: Stored.bytes(row[3]),
                    hash: Stored.bytes(row[4])))
        }
    }
}
