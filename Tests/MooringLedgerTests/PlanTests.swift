import MooringLedger
import MooringModel
import Testing

struct PlanTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    @Test("A plan comes back as it was saved, hostile keys included")
    func roundTrip() throws {
        let plan = Sample.plan("p\u{0}1", run: Sample.run(1))
        try ledger.save(plan)
        #expect(try ledger.plan("p\u{0}1") == plan)
        #expect(try ledger.plan("p") == nil)
    }

    @Test("A saved plan never changes; the same plan may be saved again")
    func immutable() throws {
        var plan = Sample.plan("p", run: Sample.run(1))
        try ledger.save(plan)
        try ledger.save(plan)
        let saved = plan
        plan.steps.removeLast()
        let error = #expect(throws: LedgerError.self) { try ledger.save(plan) }
        #expect(error?.kind == .conflict)
        #expect(try ledger.plan("p") == saved)
    }

    @Test("The last plan of a run is the one made last, and no other run's")
    func lastPlan() throws {
        #expect(try ledger.lastPlan(of: Sample.run(1)) == nil)
        for (id, hour): (String, Int64) in [("a", 2), ("c", 3), ("b", 3), ("d", 1)] {
            try ledger.save(
                Sample.plan(id, run: Sample.run(1), createdAt: Sample.hour(hour)))
        }
        try ledger.save(Sample.plan("e", run: Sample.run(2), createdAt: Sample.hour(9)))
        #expect(try ledger.lastPlan(of: Sample.run(1))?.id == "b")
    }
}
