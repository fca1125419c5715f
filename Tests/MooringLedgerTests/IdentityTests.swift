import GRDB
import MooringModel
import Testing

@testable import MooringLedger

@Suite("The id of a ledger, and what is read back into it")
struct IdentityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("It is a UUID of its own, stays, and cannot be changed")
    func identity() throws {
        var ids: Set<String> = []
        for number in 0..<20 {
            ids.insert(try Ledger.open(path: folder.path + "/\(number).ledger").identity())
        }
        #expect(ids.count == 20)
        for id in ids {
            let parts = id.split(separator: "-")
            #expect(parts.map(\.utf8.count) == [8, 4, 4, 4, 12], "\(id)")
            #expect(parts[2].first == "4" && "89ab".contains(parts[3].first ?? "x"), "\(id)")
        }
        let ledger = try Ledger.open(path: folder.path + "/0.ledger")
        let id = try ledger.identity()
        #expect(try Ledger.openExisting(path: folder.path + "/0.ledger").identity() == id)
        for sql in ["UPDATE identity SET id = 'x'", "DELETE FROM identity"] {
            #expect(throws: DatabaseError.self) {
                try ledger.queue.write { try $0.execute(sql: sql) }
            }
        }
        #expect(try ledger.identity() == id)
        #expect(ledger.resolvedPath.hasSuffix("/0.ledger"))
    }

    @Test("What is read back is written whole or not at all, and a known run stays as it is")
    func rebuild() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try ledger.begin(Sample.summary(1))
        let known = try #require(try ledger.run(Sample.run(1)))
        var summary = Sample.summary(1)
        summary.notes = ["rebuilt"]
        let entries = [Int64(1), 2].map {
            JournalEntry(
                run: Sample.run($0), plan: nil, step: Sample.step("\($0)", key: [UInt8($0)]),
                intendedAt: Sample.hour(1))
        }
        try ledger.rebuild(
            [
                RebuiltRun(summary: summary, entries: [entries[0]]),
                RebuiltRun(summary: Sample.summary(2), entries: [entries[1]]),
            ], reason: "read back", at: Sample.hour(9))
        #expect(try ledger.run(Sample.run(1)) == known)
        #expect(try ledger.run(Sample.run(2)) != nil)
        for run in [1, 2] {
            let written = try #require(try ledger.journal(run: Sample.run(Int64(run))).first)
            #expect(written.outcome == .done && written.reason == "read back")
            #expect(written.endedAt == Sample.hour(9))
            #expect(
                try ledger.journal(about: written.step)
                    .contains { $0.number == written.number })
        }
        #expect(try ledger.openIntents().isEmpty)
        #expect(try ledger.check().isEmpty)
    }
}
