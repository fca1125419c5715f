import Foundation
import GRDB
import MooringModel
import Testing

@testable import MooringLedger

struct JournalTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func entry(
        _ id: String = "1", plan: String? = "p", key: [UInt8] = [1],
        owners: [RecordIdentity] = []
    ) -> JournalEntry {
        JournalEntry(
            run: Sample.run(1), plan: plan, step: Sample.step(id, key: key, owners: owners),
            intendedAt: Sample.hour(1))
    }

    @Test("Intent and outcome come back as they were written, each value with its class")
    func roundTrip() throws {
        var intent = entry()
        intent.undoes = 41
        intent.change = RecordChange(
            table: "post", idColumns: ["id", "part"], id: RecordID(parts: [[0xFF], []]),
            expected: [
                ColumnValue("a", .text([0x61, 0, 0xFF])), ColumnValue("b", .blob([])),
                ColumnValue("c", .real(0.1)), ColumnValue("d", .absent),
            ],
            assignments: [ColumnValue("a", .null), ColumnValue("e", .integer(.min))])
        var written = try ledger.intend(intent)
        #expect(written.number > 0)
        intent.number = written.number
        #expect(written == intent)
        #expect(try ledger.journal(run: Sample.run(1)) == [intent])
        try ledger.conclude(
            written.number, outcome: .putBack, reason: "a\u{0}\nb", at: Sample.hour(2))
        written.outcome = .putBack
        written.reason = "a\u{0}\nb"
        written.endedAt = Sample.hour(2)
        #expect(try ledger.journal(plan: "p") == [written])
    }

    @Test("Whether an entry about a step's object is open, for many steps at once")
    func openAbout() async throws {
        let steps = (1...3).map { Sample.step("\($0)", key: [UInt8($0)]) }
        let first = try ledger.intend(entry("1", key: [1]))
        let second = try await ledger.writeBeside([.intent(entry("2", key: [2]))])
        #expect(try await ledger.hasOpenIntents(about: steps) == [true, true, false])
        try ledger.conclude(first.number, outcome: .done, reason: nil, at: Sample.hour(2))
        #expect(try await ledger.hasOpenIntents(about: steps) == [false, true, false])
        _ = try ledger.intend(entry("4", key: [1]))
        _ = try await ledger.writeBeside(
            [.outcome(second[0], .stale, reason: "late", at: Sample.hour(2))])
        #expect(try await ledger.hasOpenIntents(about: steps) == [true, false, false])
        // All lines or none.
        await #expect(throws: LedgerError.self) {
            try await ledger.writeBeside([
                .intent(entry("5", key: [3])),
                .outcome(first.number, .failed, reason: nil, at: Sample.hour(3)),
            ])
        }
        #expect(try await ledger.hasOpenIntents(about: steps) == [true, false, false])
    }

    @Test("Entries are found by run, plan, key and record, in the order written")
    func lookUps() throws {
        let owner = Sample.identity(Array("owner".utf8))
        let first = try ledger.intend(entry("1", key: [0xFF], owners: [owner]))
        let second = try ledger.intend(entry("2", plan: nil, key: [0xFF]))
        let third = try ledger.intend(entry("3", plan: "q", key: [0]))
        #expect(first.number < second.number && second.number < third.number)
        #expect(try ledger.journal(run: Sample.run(1)) == [first, second, third])
        #expect(try ledger.journal(run: Sample.run(2)).isEmpty)
        #expect(try ledger.journal(plan: "q") == [third])
        #expect(try ledger.journal(about: "photos", key: ObjectKey([0xFF])) == [first, second])
        #expect(try ledger.journal(about: "other", key: ObjectKey([0xFF])).isEmpty)
        #expect(try ledger.journal(about: owner) == [first])
        #expect(try ledger.journal(about: Sample.identity([0x31])) == [first, second, third])
    }

    @Test("Only entries without an outcome are open")
    func openIntents() throws {
        let numbers = try (1...3).map { try ledger.intend(entry("\($0)")).number }
        try ledger.conclude(numbers[1], outcome: .failed, reason: "x", at: Sample.hour(2))
        #expect(try ledger.openIntents().map(\.number) == [numbers[0], numbers[2]])
    }

    @Test("An outcome is written once; only done may become undone")
    func outcomes() throws {
        let number = try ledger.intend(entry()).number
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        try ledger.conclude(number, outcome: .done, reason: "again", at: Sample.hour(9))
        #expect(try ledger.journal(plan: "p").first?.endedAt == Sample.hour(2))
        for (number, outcome): (Int64, StepOutcome) in [
            (number, .stale), (number, .failed), (number + 1, .done),
        ] {
            let error = #expect(throws: LedgerError.self) {
                try ledger.conclude(number, outcome: outcome, reason: nil, at: Sample.hour(3))
            }
            #expect(error?.kind == .conflict)
        }
        try ledger.conclude(number, outcome: .undone, reason: "undo", at: Sample.hour(4))
        #expect(try ledger.journal(plan: "p").first?.outcome == .undone)
        #expect(throws: LedgerError.self) {
            try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(5))
        }
    }

    @Test("An entry that was written before is not written again")
    func writtenTwice() throws {
        let written = try ledger.intend(entry())
        let error = #expect(throws: LedgerError.self) { _ = try ledger.intend(written) }
        #expect(error?.kind == .conflict)
        #expect(try ledger.journal(plan: "p").count == 1)
    }

    @Test("The file itself refuses to change or remove what the journal holds")
    func appendOnly() throws {
        let number = try ledger.intend(entry()).number
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        for sql in [
            "DELETE FROM journal", "UPDATE journal SET document = x''",
            "UPDATE journal SET outcome = 'stale'", "UPDATE journal SET outcome = NULL",
            "UPDATE journal SET endedAt = 1",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") {
                try ledger.queue.write { try $0.execute(sql: sql) }
            }
        }
        #expect(try ledger.journal(plan: "p").first?.outcome == .done)
    }

    // The files as they are while the ledger is open are what a crash leaves.
    @Test("An intent is there after a crash right behind it, and so is an outcome")
    func crash() throws {
        let number = try ledger.intend(entry()).number
        func crashed(_ name: String) throws -> Ledger {
            let copy = folder.path + "/" + name
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder.ledger + suffix, toPath: copy + suffix)
            }
            return try Ledger.open(path: copy)
        }
        #expect(try crashed("one").openIntents().map(\.number) == [number])
        try ledger.conclude(number, outcome: .done, reason: nil, at: Sample.hour(2))
        let later = try crashed("two")
        #expect(try later.openIntents().isEmpty)
        #expect(try later.journal(plan: "p").first?.outcome == .done)
        #expect(try later.check().isEmpty)
    }
}
