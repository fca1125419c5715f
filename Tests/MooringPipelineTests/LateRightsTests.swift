import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("A run that takes its leases behind its scan")
struct LateRightsTests {
    // An orphan that was seen once, long enough ago to be removed by the next run.
    private func world(_ repair: String) async throws -> World {
        let world = try World(Sample.file(rest: "repair: {\(repair)}"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        world.object("gone")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        return world
    }

    @Test("searches the records once more, since another ledger may have acted meanwhile")
    func searchesAgain() async throws {
        let world = try await world("orphan: quarantine")
        let job = try world.job()
        let audit = try await Pipeline(job: job).audit(try world.begin(job, "run"))
        try job.ledger.update(audit.summary)
        let plan = try world.plan(audit)
        #expect(plan.steps.map(\.key) == [ObjectKey("gone")])
        // As the undo of another ledger writes it back.
        world.song("late", cover: "gone", owner: "me")
        let rights = Rights(job: job, run: CurrentRun(audit.summary) { _ in })
        var promised = try await rights.takeWhereDue(accepting: Acceptance())
        #expect(promised.acting == nil)
        let acting = try await rights.fulfil(&promised)
        #expect(acting.cameLate)
        var results: [StepResult] = []
        let guarded = try GuardedPlan(checking: plan, job, except: audit.summary.id)
        try await RepairStage(acting, run: audit.summary.id).run(guarded) { results.append($0) }
        #expect(results.map(\.outcome) == [.stale])
        #expect(world.has("gone"))
    }

    @Test("ends with its report where the records cannot be searched once more")
    func endsWithItsReport() async throws {
        let world = try await world("apply: true, orphan: quarantine")
        let job = try world.job()
        let scans = world.script.borders.filter { $0.operation == .scan && $0.side == .before }
        // The scan, pass B, and pass B once more.
        world.script.fail(.before, .scan, scans.count + 3)
        let run = CurrentRun(try world.begin(job, "run")) { _ in }
        let ending = try await Pipeline(job: job).run(.nightly, as: run)
        #expect(ending.refusal?.kind == .incomplete)
        #expect(ending.refusal?.found.hasPrefix("the confirm scan could not be repeated") == true)
        #expect(ending.findings.map(\.kind) == [.orphan])
        #expect(ending.plan?.steps.map(\.key) == [ObjectKey("gone")])
        #expect(run.summary.status == .refused)
        #expect(world.has("gone"))
    }
}
