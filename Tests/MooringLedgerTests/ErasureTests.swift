import Foundation
import GRDB
import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringLedger

@Suite("Erasing a person's objects from the ledger")
struct ErasureTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger
    private static let person = "eu-west-1:aaaa"
    private static let other = "eu-west-1:aaaabbbb"

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func scope(
        _ identity: String = person, bucket: String? = nil
    ) throws -> ErasureScope {
        try ErasureScope(
            .identity(Array(identity.utf8)), bucket: bucket, levels: AccessLevel.amplify,
            buckets: [
                BucketMapping(name: "photos", derived: ["thumbs/{key}"]), BucketMapping(name: "b"),
            ])
    }

    private func key(_ identity: String, _ rest: String) -> [UInt8] {
        Array("private/\(identity)/\(rest)".utf8)
    }

    /// Fills a ledger with the same of two people: findings, plans, journal, sights and watch.
    private func fill() throws {
        try ledger.begin(Sample.summary(1))
        for (name, identity) in [("p", Self.person), ("o", Self.other)] {
            var found = Sample.finding("f-" + name, key: key(identity, "SECRET-\(name)"))
            found.owners = [Sample.identity(Array("owner-\(name)".utf8))]
            var candidates = Sample.finding("c-" + name, .dangling, key: Array("x".utf8))
            candidates.candidates = [ObjectKey(key(identity, "CANDIDATE-\(name)"))]
            var words = Sample.finding("w-" + name, key: Array("thumbs/y".utf8))
            words.evidence = ["it is derived from 'private/\(identity)/WORDS-\(name)'"]
            let derived = Sample.finding(
                "d-" + name, key: Array("thumbs/private/\(identity)/z".utf8))
            try ledger.record([found, candidates, words, derived], in: Sample.run(1))
            try ledger.sight(
                [("f-" + name, "token")], at: Sample.hour(1), run: Sample.run(1))
            _ = try ledger.firstSights(
                of: [(bucket: "photos", key: ObjectKey(key(identity, "SIGHT")), token: "t")],
                at: Sample.hour(1), run: Sample.run(1))
            _ = try ledger.firstSights(
                of: [(identity: found.owners[0], token: "t")], at: Sample.hour(1),
                run: Sample.run(1))
            let held = QuarantinedObject(
                key: ObjectKey(key(identity, "HELD")), run: Sample.run(1), version: Sample.version)
            try ledger.watch(
                [(bucket: "photos", object: held, referenced: false)], at: Sample.hour(1),
                run: Sample.run(1))
            var plan = Sample.plan("plan-" + name, run: Sample.run(1))
            plan.steps[0] = Sample.step("1", key: key(identity, "PLANNED-\(name)"))
            try ledger.save(plan)
            let entry = JournalEntry(
                run: Sample.run(1), plan: "plan-" + name,
                step: Sample.step("s-" + name, key: key(identity, "STEP-\(name)")),
                intendedAt: Sample.hour(1))
            let number = try ledger.intend(entry).number
            try ledger.conclude(
                number, outcome: .stale, reason: "private/\(identity)/STEP: gone",
                at: Sample.hour(2))
        }
        try ledger.closeWatch(run: Sample.run(1), bucket: "photos")
        var summary = Sample.summary(1)
        summary.status = .incomplete
        summary.reason = "could not read files/private/\(Self.person)"
        try ledger.update(summary)
    }

    private func rawBytes() throws -> [UInt8] {
        try folder.names.filter { $0.hasPrefix("test.ledger") }.flatMap(folder.bytes(of:))
    }

    private func holds(_ text: String) throws -> Bool {
        Data(try rawBytes()).range(of: Data(text.utf8)) != nil
    }

    @Test("What names the person's objects goes; what names another's stays, byte for byte")
    func erases() throws {
        try fill()
        #expect(try ledger.runs(about: scope()) == [Sample.run(1)])
        let erased = try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5))
        #expect(erased.findings == 4)
        #expect(erased.entries == 1 && erased.openEntries == 0)
        #expect(erased.steps == 1)
        #expect(erased.sights == 4)
        #expect(erased.runs == [Sample.run(1)])
        #expect(
            try ledger.allFindings(in: Sample.run(1)).map(\.id).sorted() == [
                "c-o", "d-o", "f-o", "w-o",
            ])
        #expect(try ledger.history(of: ["f-p", "f-o"]).keys.sorted() == ["f-o"])
        #expect(try ledger.quarantineWatch(bucket: "photos").count == 1)
        #expect(try ledger.plan("plan-p")?.steps.count == 1)
        #expect(try ledger.plan("plan-o")?.steps.count == 2)
        let summary = try #require(try ledger.run(Sample.run(1)))
        #expect(summary.reason == "(erased)")
        #expect(summary.notes == ["what it found about some objects was erased on request"])
        let entries = try ledger.journal(run: Sample.run(1))
        #expect(entries.map(\.erasedBy) == [Sample.run(5), nil])
        #expect(entries[0].step.key?.bytes.isEmpty == true && entries[0].reason == "erased")
        #expect(entries[0].outcome == .stale && entries[0].endedAt == Sample.hour(2))
        #expect(entries[1].reason == "private/\(Self.other)/STEP: gone")
        #expect(
            try ledger.journal(about: "photos", key: ObjectKey(key(Self.person, "STEP-p")))
                .isEmpty)
        #expect(try ledger.check().isEmpty)
        let again = try ledger.erase(scope(), by: Sample.run(6), at: Sample.hour(6))
        #expect(again == ErasedEvidence())
    }

    @Test("Nothing of the person is left in the ledger's files, the -wal file included")
    func rawFiles() throws {
        try fill()
        // What was removed before any request, while SQLite left the bytes of free pages.
        try ledger.queue.inDatabase { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
        let old = (0..<200).map { Sample.finding("old\($0)", key: key(Self.person, "OLD-\($0)")) }
        try ledger.record(run: 0, old)
        try ledger.record(run: 2)
        #expect(try ledger.removeRuns(before: Sample.hour(1)) == [Sample.run(0)])
        let words = [
            "OLD-", "SECRET-p", "CANDIDATE-p", "WORDS-p", "PLANNED-p", "STEP-p", "aaaa/",
        ]
        for word in words { #expect(try holds(word), "\(word)") }
        _ = try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5))
        #expect(try ledger.clearRemoved())
        for word in words { #expect(try !holds(word), "\(word)") }
        for word in ["SECRET-o", "STEP-o"] { #expect(try holds(word), "\(word)") }
        #expect(try ledger.verifyJournal().isSound)
    }

    @Test("A reader that stays keeps old bytes, and that is said")
    func reader() throws {
        try fill()
        let reader = try DatabaseQueue(path: folder.ledger)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM journal")
            try ledger.queue.inDatabase { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
            _ = try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5))
            #expect(try !ledger.clearRemoved())
            try db.execute(sql: "COMMIT")
        }
        #expect(try ledger.clearRemoved())
        #expect(try !holds("SECRET-p"))
    }

    @Test("Erased entries verify as erased; the same change without a link does not")
    func verifies() throws {
        try fill()
        _ = try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5))
        let found = try ledger.verifyJournal()
        #expect(found.isSound, "\(found.breaks)")
        #expect(found.erased == 1 && found.entries == 2 && found.links == 5)
        for sql in [
            "UPDATE journal SET document = x'7B7D' WHERE number = 1",
            "UPDATE journal SET reason = NULL WHERE number = 1",
            "UPDATE journalErasure SET run = 'x'", "UPDATE journalErasure SET before = x''",
            "DELETE FROM journalErasure",
        ] {
            let copy = folder.path + "/copy.ledger"
            try ledger.queue.writeWithoutTransaction {
                try $0.execute(
                    sql: "VACUUM INTO ?", arguments: [copy])
            }
            do {
                let tampered = try Ledger.open(path: copy)
                try tampered.queue.write { db in
                    for name in try String.fetchAll(
                        db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
                    {
                        try db.execute(sql: "DROP TRIGGER \(name)")
                    }
                    try db.execute(sql: sql)
                }
                let first = try tampered.verifyJournal().breaks.first
                #expect(first?.entry == 1, "\(sql)")
            }
            for suffix in ["", "-wal", "-shm"] {
                _ = unlink(copy + suffix)
            }
        }
    }

    @Test("A step that is open stays as it is, and is counted")
    func openEntry() throws {
        try ledger.begin(Sample.summary(1))
        let entry = JournalEntry(
            run: Sample.run(1), plan: nil, step: Sample.step("s", key: key(Self.person, "K")),
            intendedAt: Sample.hour(1))
        let written = try ledger.intend(entry)
        let erased = try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5))
        #expect(erased.openEntries == 1 && erased.entries == 0)
        #expect(try ledger.openIntents() == [written])
    }

    @Test("A record write that holds a key of the person is taken out too")
    func recordWrite() throws {
        try ledger.begin(Sample.summary(1))
        var entry = JournalEntry(
            run: Sample.run(1), plan: nil, step: Sample.step("s", key: Array("else".utf8)),
            intendedAt: Sample.hour(1))
        entry.change = RecordChange(
            table: "t", idColumns: ["id"], id: RecordID([1]),
            expected: [ColumnValue("list", .text(Array("[\"".utf8) + key(Self.person, "K\"]")))],
            assignments: [])
        let number = try ledger.intend(entry).number
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        #expect(try ledger.erase(scope(), by: Sample.run(5), at: Sample.hour(5)).entries == 1)
        #expect(try ledger.journal(run: Sample.run(1))[0].change == nil)
    }

    @Test("Another bucket's evidence stays when one is named")
    func oneBucket() throws {
        try fill()
        let erased = try ledger.erase(
            scope(bucket: "b"), by: Sample.run(5), at: Sample.hour(5))
        #expect(erased.entries == 0 && erased.steps == 0)
        #expect(erased.findings == 0 && erased.sights == 0)
        #expect(try ledger.journal(run: Sample.run(1)).allSatisfy { $0.erasedBy == nil })
    }

    @Test("Hostile identities erase exactly their own, whatever their bytes")
    func hostile() throws {
        let seed = Seed.one()
        var random = SeededGenerator(seed: seed)
        try ledger.begin(Sample.summary(1))
        var identities = Sample.hostile.filter { !$0.isEmpty && !$0.contains(0x2F) }
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }.filter { $0 != 0x2F }
            if !bytes.isEmpty, !identities.contains(bytes) { identities.append(bytes) }
        }
        let head = Array("private/".utf8)
        for (index, identity) in identities.enumerated() {
            let key = head + identity + Array("/k".utf8)
            try ledger.record([Sample.finding("f\(index)", key: key)], in: Sample.run(1))
            let number = try ledger.intend(
                JournalEntry(
                    run: Sample.run(1), plan: nil, step: Sample.step("s\(index)", key: key),
                    intendedAt: Sample.hour(1))
            ).number
            try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        }
        for index in identities.indices {
            let request = ErasureScope.Request.identity(identities[index])
            let scope = try ErasureScope(
                request, bucket: nil, levels: AccessLevel.amplify, buckets: [])
            let erased = try ledger.erase(scope, by: Sample.run(5), at: Sample.hour(5))
            #expect(erased.findings == 1, "seed \(seed), identity \(identities[index])")
            #expect(erased.entries == 1, "seed \(seed), identity \(identities[index])")
        }
        #expect(try ledger.check().isEmpty)
    }
}
