import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Objects that somebody deleted in a bucket with versions")
struct DeletionTests {
    private static let restoring = "repair: {dangling: restore}"

    /// A world whose song `r` references `k`, which was deleted some days ago.
    private func world(_ rest: String = restoring) throws -> World {
        let world = try World(Sample.file(rest: rest))
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        world.song("r", cover: "k")
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("k")
        world.bucket.remove(ObjectKey("k"))
        world.clock.advance(.days(5))
        return world
    }

    private func planned() async throws -> (World, Plan) {
        let world = try world()
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.restore])
        return (world, plan)
    }

    @Test("the cause is deleted, with the time and what can be restored")
    func finding() async throws {
        let world = try world("")
        let finding = try #require(try await world.audit().findings.about("k", .dangling))
        #expect(finding.cause == .deleted && finding.verdict == .settled)
        #expect(finding.action == .nullify)
        #expect(finding.object?.size == Int64("content of k".utf8.count))
        #expect(finding.evidence.contains { $0.contains("a delete marker hides the object since") })
    }

    @Test("what could not be seen is a doubt")
    func unknown() async throws {
        let world = try world()
        world.script.fail(.before, .deletion)
        let finding = try #require(try await world.audit().findings.about("k", .dangling))
        #expect(finding.verdict == .undecided && finding.action == .keep)
        let doubt = "whether somebody deleted the object could not be seen: "
        #expect(finding.evidence.contains { $0.hasPrefix(doubt) }, "\(finding.evidence)")
    }

    @Test("the policy's restore brings the version back, and undo hides it again")
    func restores() async throws {
        let (world, plan) = try await planned()
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.has("k"))
        #expect(try await world.audit().findings.isEmpty)
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(!world.has("k"))
    }

    @Test("nothing comes back that nobody references, or that was deleted or written anew")
    func stale() async throws {
        let acts: [@Sendable (World) -> Void] = [
            { $0.write(song: "r", ["cover": .null]) },
            {
                $0.object("k")
                $0.bucket.remove(ObjectKey("k"))
            },
            { $0.object("k") },
        ]
        for act in acts {
            let (world, plan) = try await planned()
            act(world)
            let before = world.bucket.objects
            #expect(try await world.repair(plan).map(\.outcome) == [.stale])
            #expect(world.bucket.objects == before)
        }
    }

    @Test("undo leaves what was written since")
    func undoOfAnother() async throws {
        let (world, plan) = try await planned()
        try await world.repair(plan)
        world.object("k", at: World.start + .days(6))
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.stale])
        #expect(world.has("k"))
    }

    @Test("whenever the program dies, repair and undo are found out")
    func killed() async throws {
        for border in 0..<12 {
            let (world, plan) = try await planned()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
                try await world.undo(try world.lastRun())
            }
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            let entries = try world.ledger().journal(about: "media", key: ObjectKey("k"))
                .filter { $0.outcome == .done }
            let isBack = entries.count { $0.undoes == nil } > entries.count { $0.undoes != nil }
            #expect(world.has("k") == isBack, "at \(border)")
            world.remove()
        }
    }

    @Test("a run's watch gives back only what lies in quarantine")
    func watch() async throws {
        let world = try world()
        let audit = try await world.audit()
        let watch = WatchStage(run: audit.summary.id, configuration: "c").plan(
            audit, at: World.start)
        #expect(watch.steps.isEmpty)
    }
}
