import Foundation
import GRDB
import MooringDecisions
import MooringModel
import Testing

@testable import MooringLedger

@Suite("The journal's hash chain")
struct ChainTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func entry(_ hour: Int64, key: [UInt8] = [1]) -> JournalEntry {
        JournalEntry(
            run: Sample.run(hour), plan: "p", step: Sample.step("\(hour)", key: key),
            intendedAt: Sample.hour(hour))
    }

    /// Writes a run with entries, of which all but the last have an outcome.
    private func fill(_ count: Int64 = 5) throws {
        for hour in 1...count {
            try ledger.record(run: hour, command: "repair")
            let number = try ledger.intend(entry(hour, key: [UInt8(hour)])).number
            guard hour < count else { break }
            try ledger.conclude(
                number, outcome: .done, reason: "r\(hour)", at: Sample.hour(hour) + .minutes(1))
            var summary = Sample.summary(hour, command: "repair")
            summary.status = .complete
            try ledger.update(summary)
        }
    }

    /// Changes the file behind the ledger's back, as somebody with a SQLite shell would.
    private func tamper(_ sql: String) throws {
        try ledger.queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let triggers = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger)") }
            try db.execute(sql: sql)
        }
    }

    private func firstBreak() throws -> JournalBreak {
        try #require(try ledger.verifyJournal().breaks.first)
    }

    @Test("An empty journal has no links, and one that was written verifies")
    func sound() throws {
        let empty = try ledger.verifyJournal()
        #expect(empty.isSound && empty.links == 0 && empty.entries == 0)
        #expect(empty.head == String(repeating: "0", count: 64))
        try fill()
        let found = try ledger.verifyJournal()
        #expect(found.isSound, "\(found.breaks)")
        #expect(found.entries == 5 && found.links == 9 && found.erased == 0)
        #expect(try ledger.journalHead().hash == found.head)
        #expect(found.head != empty.head)
        #expect(try ledger.check().isEmpty)
    }

    @Test("That an outcome was taken back later is one more link")
    func undone() throws {
        let number = try ledger.intend(entry(1)).number
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        try ledger.conclude(number, outcome: .undone, reason: "u", at: Sample.hour(3))
        let found = try ledger.verifyJournal()
        #expect(found.isSound && found.links == 3)
        try tamper("UPDATE journal SET outcome = 'done', reason = NULL")
        #expect(try firstBreak().link == 3)
    }

    static let changes: [(sql: String, entry: Int64, word: String)] = [
        (
            "UPDATE journal SET document = replace(CAST(document AS TEXT), 'a', 'b') "
                + "WHERE number = 2", 2, "its intent is not what was written"
        ),
        (
            "UPDATE journal SET document = CAST(CAST(document AS TEXT) || ' ' AS BLOB) "
                + "WHERE number = 5", 5, "intent"
        ),
        ("UPDATE journal SET run = 'x' WHERE number = 4", 4, "intent"),
        ("UPDATE journal SET plan = NULL WHERE number = 4", 4, "intent"),
        ("UPDATE journal SET intendedAt = intendedAt + 1 WHERE number = 1", 1, "intent"),
        ("UPDATE journal SET outcome = 'stale' WHERE number = 3", 3, "outcome"),
        ("UPDATE journal SET reason = x'00' WHERE number = 3", 3, "outcome"),
        ("UPDATE journal SET endedAt = endedAt + 1 WHERE number = 1", 1, "outcome"),
        (
            "UPDATE journal SET outcome = NULL WHERE number = 1", 1, "its outcome was taken away"
        ),
        ("UPDATE journal SET outcome = 'done' WHERE number = 5", 5, "outcome was inserted"),
        ("DELETE FROM journal WHERE number = 2", 2, "the entry was removed"),
        ("DELETE FROM journal WHERE number = 5", 5, "removed"),
        (
            "INSERT INTO journal SELECT 9, \(EntryRow.columns) FROM journal WHERE number = 1", 9,
            "the entry was inserted: no link tells of its intent"
        ),
        (
            "UPDATE journal SET document = (SELECT document FROM journal WHERE number = 5 - n) "
                + "FROM (SELECT 2 AS n UNION SELECT 3) WHERE number = n", 2, "intent"
        ),
        (
            "UPDATE journal SET number = -number WHERE number IN (2, 3); "
                + "UPDATE journal SET number = number + 5 WHERE number < 0", 2, "intent"
        ),
        (
            "UPDATE journalChain SET content = zeroblob(32) WHERE number = 3", 2,
            "the link does not follow from the one before it"
        ),
        ("UPDATE journalChain SET hash = zeroblob(32) WHERE number = 3", 2, "follow"),
        ("UPDATE journalChain SET kind = 'erasure' WHERE number = 3", 2, "follow"),
        (
            "UPDATE journalChain SET kind = 'other' WHERE number = 3", 2,
            "the link is of no known sort"
        ),
        ("UPDATE journalChain SET entry = 1 WHERE number = 3", 1, "follow"),
        ("DELETE FROM journalChain WHERE number = 3", 2, "missing"),
    ]

    @Test("Every change behind its back is found and named", arguments: changes)
    func tampered(change: (sql: String, entry: Int64, word: String)) throws {
        try fill()
        try tamper(change.sql)
        let found = try ledger.verifyJournal()
        let first = try #require(found.breaks.first, "\(change.sql)")
        #expect(first.entry == change.entry, "\(change.sql): \(found.breaks)")
        #expect(first.what.contains(change.word), "\(change.sql): \(first.what)")
        #expect(first.run != nil || change.word.hasSuffix("removed"), "\(first)")
        #expect(try !ledger.check().isEmpty)
    }

    @Test("A chain that was cut at its end is found, also with its head put right")
    func truncated() throws {
        try fill()
        let cut = """
            DELETE FROM journalChain WHERE number > 6;
            DELETE FROM journalSubject WHERE entry > 3; DELETE FROM journal WHERE number > 3;
            UPDATE sqlite_sequence SET seq = 3 WHERE name = 'journal';
            """
        try tamper(cut)
        #expect(try firstBreak().what.contains("ends with link 6, and its head is link 9"))
        try tamper(
            """
            UPDATE journalHead SET links = 6,
                hash = (SELECT hash FROM journalChain WHERE number = 6)
            """)
        // The run that ended after link 8 still tells.
        #expect(try firstBreak().what.contains("ended with link 8"))
        try tamper("UPDATE run SET journalLinks = NULL")
        // Somebody who rewrites everything is not seen.
        #expect(try ledger.verifyJournal().isSound)
    }

    @Test("Entries cut off with their links are found by the number given last")
    func cutNumbers() throws {
        try fill()
        try tamper(
            """
            DELETE FROM journalChain WHERE number > 6; DELETE FROM journal WHERE number > 3;
            UPDATE journalHead SET links = 6,
                hash = (SELECT hash FROM journalChain WHERE number = 6);
            UPDATE run SET journalLinks = NULL
            """)
        #expect(try firstBreak().what == "entries 4 to 5 were removed")
    }

    @Test("A head that is missing or another link than the last is found")
    func head() throws {
        try fill()
        try tamper("UPDATE journalHead SET hash = zeroblob(32)")
        #expect(
            try firstBreak().what.contains("the chain's head is another link than its last one"))
        try tamper("DELETE FROM journalHead")
        #expect(try firstBreak().what.contains("head is missing"))
        // Without a head nothing is written any more, and so nothing is done.
        let error = #expect(throws: LedgerError.self) { _ = try ledger.intend(entry(9)) }
        #expect(error?.kind == .corrupt)
        #expect(
            error?.description.contains("the head of the journal's chain is missing") == true)
    }

    @Test("A run's own copy of the head speaks against a chain that was made anew")
    func remade() throws {
        try fill()
        try tamper(
            """
            UPDATE journal SET document = x'7B7D' WHERE number = 1;
            DELETE FROM journalChain; UPDATE journalHead SET links = 0, hash = zeroblob(32)
            """)
        try ledger.queue.write { try JournalChain.linkExisting($0) }
        let found = try ledger.verifyJournal()
        #expect(found.breaks.contains { $0.what.contains("is not the one that run") })
    }

    @Test("A ledger of before the chain is linked by the migration")
    func migration() throws {
        try fill()
        let before = try ledger.verifyJournal()
        try tamper(
            """
            DROP TABLE journalErasure; DROP TABLE journalChain; DROP TABLE journalHead;
            ALTER TABLE run DROP COLUMN journalLinks; ALTER TABLE run DROP COLUMN journalHash;
            CREATE TRIGGER journalKeepsIntents BEFORE UPDATE ON journal BEGIN SELECT 1; END;
            CREATE TRIGGER journalKeepsOutcomes BEFORE UPDATE ON journal BEGIN SELECT 1; END;
            DELETE FROM grdb_migrations WHERE identifier = '007-chain'
            """)
        let again = try Ledger.open(path: folder.ledger)
        let found = try again.verifyJournal()
        #expect(found.isSound, "\(found.breaks)")
        #expect(found.links == before.links && found.entries == before.entries)
        #expect(found.head == before.head)
        #expect(throws: DatabaseError.self) {
            try again.queue.write { try $0.execute(sql: "UPDATE journal SET document = x''") }
        }
    }

    @Test("The file itself refuses to change the chain, and an erasure of any but the last link")
    func triggers() throws {
        try fill()
        try ledger.queue.write { db in
            let link = try JournalChain.append(.erasure, entry: 2, content: [1], db)
            try db.execute(
                sql: "INSERT INTO journalErasure VALUES (?, 2, 'r', 1, x'', x'', x'')",
                arguments: [link])
        }
        for sql in [
            "DELETE FROM journalChain", "UPDATE journalChain SET content = x''",
            "DELETE FROM journalErasure", "UPDATE journalErasure SET run = ''",
            "UPDATE journal SET document = x'' WHERE number = 1",
            "UPDATE journal SET reason = x'' WHERE number = 1",
            "UPDATE journal SET run = 'x' WHERE number = 2",
            "UPDATE journal SET outcome = 'stale' WHERE number = 2",
            "UPDATE journal SET endedAt = 1 WHERE number = 2",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") {
                try ledger.queue.write { try $0.execute(sql: sql) }
            }
        }
    }

    @Test("Health names open steps, runs that did not end, and what they left")
    func health() throws {
        try fill()
        try ledger.begin(Sample.summary(9))
        try ledger.sight([("f", "t")], at: Sample.hour(9), run: Sample.run(9))
        let health = try ledger.health()
        #expect(health.integrity.isEmpty && health.foreignKeys.isEmpty)
        #expect(health.schema == LedgerSchema.migrator.migrations.last)
        #expect(health.openIntents == 1)
        #expect(health.running == [Sample.run(9)])
        #expect(health.leftovers == ["1 sightings of a run that did not end"])
        #expect(health.journal.isSound)
        let lock = try LedgerLock.acquire(
            ledgerPath: folder.ledger, command: "audit", at: Sample.hour(9))
        #expect(LedgerLock.holder(ledgerPath: folder.ledger)?.contains("audit") == true)
        lock.release()
        #expect(LedgerLock.holder(ledgerPath: folder.ledger) == nil)
    }
}
