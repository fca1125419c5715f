import MooringLedger
import MooringModel
@testable import MooringPipeline
import Synchronization
import Testing

@Suite("Steps that are carried out at once")
struct ConcurrencyTests {
    private static let count = 60

    private func world(width: Int = 8) throws -> World {
        let world = try World()
        var traits = StoreTraits.s3(.never, deletes: .honoured)
        traits.concurrency = width
        world.bucket.become(traits)
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for number in 100..<(100 + Self.count) {
            world.song("s\(number)", cover: "keeper")
            world.object("s\(number)")
        }
        return world
    }

    @Test("orphans are moved as many at once as the store takes, and told in order")
    func busy() async throws {
        let world = try world()
        let plan = try world.plan(try await world.audit())
        let results = try await world.repair(plan)
        #expect(results.count == Self.count && results.allSatisfy { $0.outcome == .done })
        #expect(results.map(\.step.id) == plan.steps.map(\.id))
        #expect(world.bucket.mostInFlight == 8)
        let undone = try await world.undo(try world.lastRun())
        #expect(undone.allSatisfy { $0.outcome == .done } && undone.count == Self.count)
        let intents = try world.ledger().journal(plan: plan.id).map(\.step.id)
        #expect(undone.map(\.step.id) == intents.reversed())
        #expect(world.bucket.mostInFlight == 8 && world.has("s100"))
        #expect(try world.ledger().verifyJournal().isSound)
    }

    @Test("one at a time stays one at a time")
    func sequential() async throws {
        let world = try world(width: 1)
        try await world.auditAndRepair()
        #expect(world.bucket.mostInFlight == 0 && world.bucket.held.count == Self.count)
    }

    @Test("an interruption finishes what was begun, and begins nothing more")
    func interrupted() async throws {
        let world = try world()
        let plan = try world.plan(try await world.audit())
        let job = try world.job()
        let run = try world.begin(job, "repair")
        world.script.at(.after, .quarantine, 20) { job.interruption.interrupt() }
        let told = Mutex(0)
        await #expect(throws: Interrupted.self) {
            try await RepairStage(try await world.rights(job), run: run.id).run(
                try GuardedPlan(checking: plan, job, except: run.id)
            ) { _ in
                told.withLock { $0 += 1 }
            }
        }
        let done = try job.ledger.journal(run: run.id).count { $0.outcome == .done }
        #expect((20..<Self.count).contains(done))
        #expect(told.withLock { $0 } == done && world.bucket.held.count == done)
        #expect(try job.ledger.openIntents().isEmpty)
    }

    @Test("whenever the program dies between them, no object is lost or moved without an intent")
    func killed() async throws {
        for border in [40, 55, 90, 131, 170, 230] {
            let world = try world()
            let plan = try world.plan(try await world.audit())
            world.script.stopAllAtDeath()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
            }
            try await rest(world, plan)
            try await world.resume()
            let entries = try world.ledger().journal(plan: plan.id)
            #expect(entries.allSatisfy { $0.outcome != nil })
            let done = Set(entries.filter { $0.outcome == .done }.compactMap(\.step.key))
            #expect(done == Set(world.bucket.held.map(\.key)), "at \(border)")
            #expect(world.bucket.objects.count + world.bucket.held.count == Self.count + 1)
            world.remove()
        }
    }

    /// What else the dead program had under way stops at its next call: waits until nothing comes.
    private func rest(_ world: World, _ plan: Plan) async throws {
        var (seen, quiet) = ("", 0)
        while quiet < 4 {
            try await Task.sleep(for: .milliseconds(150))
            let entries = try world.ledger().journal(plan: plan.id)
            let now =
                "\(entries.count) \(entries.count { $0.outcome != nil }) "
                + "\(world.script.borders.count)"
            quiet = now == seen ? quiet + 1 : 0
            seen = now
        }
    }

    @Test("writes to records stay one after the other, between the groups of objects")
    func records() async throws {
        let world = try world()
        for number in 0..<5 { world.song("d\(number)", cover: "missing-\(number)") }
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.count { $0.strategy == .nullify } == 5)
        let results = try await world.repair(plan)
        #expect(results.allSatisfy { $0.outcome == .done })
        #expect(results.map(\.step.id) == plan.steps.map(\.id))
    }
}
