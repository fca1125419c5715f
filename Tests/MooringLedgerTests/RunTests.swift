import MooringLedger
import MooringModel
import Testing

struct RunTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    @Test("A run's summary comes back as it was written, begun and updated")
    func roundTrip() throws {
        var summary = Sample.summary(1)
        try ledger.begin(summary)
        #expect(try ledger.run(summary.id) == summary)
        var count = RunSummary.Count()
        count.settled = 3
        count.bytes = 51
        summary.status = .incomplete
        summary.finishedAt = Sample.hour(2)
        summary.reason = "a\u{0}b\n<script>"
        summary.counts = [.orphan: count]
        summary.notes = ["a guard was turned off"]
        try ledger.update(summary)
        #expect(try ledger.run(summary.id) == summary)
        #expect(try ledger.run(Sample.run(9)) == nil)
    }

    @Test("A run begins once, and only one that began is updated or gets findings")
    func conflicts() throws {
        try ledger.begin(Sample.summary(1))
        for refused in [
            { try ledger.begin(Sample.summary(1)) },
            { try ledger.update(Sample.summary(2)) },
            { try ledger.record([Sample.finding("f")], in: Sample.run(2)) },
        ] {
            let error = #expect(throws: LedgerError.self) { try refused() }
            #expect(error?.kind == .conflict)
        }
        #expect(try ledger.history(of: ["f"]).isEmpty)
    }

    @Test("Runs are listed newest first in the order in which they began, whatever the clock said")
    func order() throws {
        for hour: Int64 in [3, 1, 2] { try ledger.record(run: hour) }
        #expect(try ledger.runs().map(\.id) == [2, 1, 3].map(Sample.run))
        #expect(try ledger.runs(limit: 2).map(\.id) == [2, 1].map(Sample.run))
        #expect(try ledger.lastCompleteAudit(of: ["audit"])?.id == Sample.run(2))
        #expect(try ledger.runs(limit: 0).isEmpty)
    }

    @Test("The newest run that is taken is found, whatever stands before and behind it")
    func newestTaken() throws {
        for hour in 1...3 { try ledger.begin(Sample.summary(Int64(hour))) }
        #expect(try ledger.lastRun { _ in true }?.id == Sample.run(3))
        #expect(try ledger.lastRun { $0.id != Sample.run(3) }?.id == Sample.run(2))
        #expect(try ledger.lastRun { _ in false } == nil)
    }

    @Test("The last complete run is found by command")
    func lastRun() throws {
        try ledger.record(run: 1, command: "check")
        try ledger.record(run: 2, command: "audit")
        try ledger.record(run: 3, command: "audit", status: .incomplete)
        try ledger.record(run: 4, command: "sweep")
        #expect(try ledger.lastCompleteAudit(of: []) == nil)
        #expect(try ledger.lastCompleteAudit(of: ["audit", "check"])?.id == Sample.run(2))
        #expect(try ledger.lastCompleteAudit(of: ["check"])?.id == Sample.run(1))
    }

    @Test("The order of runs is that of their acts, whatever their ids say; a rebuilt one has none")
    func orderOfActs() throws {
        for (hour, reason) in [(9, nil), (2, nil), (1, "rebuilt")] as [(Int64, String?)] {
            let entry = try ledger.intend(
                JournalEntry(
                    run: Sample.run(hour), plan: nil, step: Sample.step("\(hour)"),
                    intendedAt: Sample.hour(hour)))
            try ledger.conclude(entry.number, outcome: .done, reason: reason, at: Sample.hour(hour))
        }
        let runs = [1, 2, 7, 9].map { Sample.run($0) }
        let order = try ledger.order(of: Set(runs), rebuilt: "rebuilt")
        #expect(Set(order.keys) == [Sample.run(2), Sample.run(9)])
        let (ahead, later) = (try #require(order[runs[3]]), try #require(order[runs[1]]))
        #expect(ahead < later)
    }

    @Test("A run that never ended is marked interrupted, once, and nothing else is")
    func crashedRuns() throws {
        try ledger.begin(Sample.summary(1))
        try ledger.record(run: 2)
        try ledger.begin(Sample.summary(3))
        let closed = try ledger.closeCrashedRuns()
        #expect(closed.map(\.id) == [1, 3].map(Sample.run))
        #expect(closed.allSatisfy { $0.status == .interrupted && $0.reason != nil })
        #expect(try ledger.run(Sample.run(1)) == closed.first)
        #expect(try ledger.run(Sample.run(2))?.status == .complete)
        #expect(try ledger.closeCrashedRuns().isEmpty)
    }

    @Test("Pruning keeps what is asked for, what still runs, and the latest complete run")
    func pruning() throws {
        for hour: Int64 in 1...4 {
            try ledger.record(run: hour, [Sample.finding("f"), Sample.finding("only-\(hour)")])
        }
        try ledger.record(run: 5, status: .incomplete)
        try ledger.begin(Sample.summary(6))
        try ledger.record(run: 7, command: "sweep")
        let removed = try ledger.removeRuns(before: Sample.hour(9), keeping: [Sample.run(2)])
        #expect(removed == [1, 3, 5].map(Sample.run))
        #expect(try ledger.runs().map(\.id) == [7, 6, 4, 2].map(Sample.run))
        #expect(try ledger.appearances(of: "f").map(\.run) == [4, 2].map(Sample.run))
        #expect(try ledger.appearances(of: "only-1").isEmpty)
        #expect(
            Set(try ledger.history(of: ["f", "only-1", "only-2", "only-3", "only-4"]).keys)
                == ["f", "only-2", "only-4"])
        #expect(try ledger.history(of: ["f"])["f"]?.firstSeen == Sample.hour(1))
        #expect(
            try ledger.findings(about: "photos", key: ObjectKey("a/b.jpg")).map(\.run)
                == [4, 4, 2, 2].map(Sample.run))
        #expect(try ledger.check().isEmpty)
    }

    @Test("Pruning removes nothing that is younger, and keeps journal, used plans, open intents")
    func pruningAndJournal() throws {
        for hour: Int64 in 1...4 { try ledger.record(run: hour) }
        try ledger.save(Sample.plan("used", run: Sample.run(1)))
        try ledger.save(Sample.plan("unused", run: Sample.run(1)))
        func entry(_ hour: Int64) -> JournalEntry {
            JournalEntry(
                run: Sample.run(hour), plan: "used", step: Sample.step("1"),
                intendedAt: Sample.hour(hour))
        }
        let ended = try ledger.intend(entry(1))
        try ledger.conclude(ended.number, outcome: .done, reason: nil, at: Sample.hour(1))
        _ = try ledger.intend(entry(2))
        #expect(try ledger.removeRuns(before: Sample.hour(3)) == [Sample.run(1)])
        #expect(try ledger.journal(run: Sample.run(1)).count == 1)
        #expect(try ledger.plan("used") != nil)
        #expect(try ledger.plan("unused") == nil)
    }
}
