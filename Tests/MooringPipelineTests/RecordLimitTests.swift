import MooringModel
import MooringPipeline
import Testing

@Suite("What keeps a live source from serving repairs")
struct RecordLimitTests {
    private func world() throws -> World {
        let world = try World(
            Sample.file(rest: "repair: {orphan: quarantine, dangling: nullify}"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("dangling", cover: "dangling")
        world.song("orphan", cover: nil)
        world.object("orphan")
        return world
    }

    @Test("one that proves nothing leaves everything as it is, and a plan made before is refused")
    func proofs() async throws {
        let world = try world()
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.count == 2)
        world.source.limit(.success(RecordLimits(proofs: "it lags behind")))
        await #expect {
            try await world.repair(plan)
        } throws: { error in
            "\(error)".contains("it lags behind")
        }
        #expect(world.has("orphan") && world.cover("dangling") == "dangling")
        let audit = try await world.audit()
        #expect(audit.findings.count == 2)
        #expect(audit.findings.allSatisfy { $0.needs?.proof == "live stores" })
        #expect(
            audit.summary.notes.contains("records 'app': nothing is repaired: it lags behind"))
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("one that takes no writes keeps its records, and its orphans go all the same")
    func writes() async throws {
        let world = try world()
        world.source.limit(.success(RecordLimits(writes: "its service merges lists")))
        let audit = try await world.audit()
        #expect(audit.findings.about("orphan")?.needs == nil)
        let dangling = audit.findings.about("dangling", .dangling)
        #expect(dangling?.needs?.proof == "records that can be written")
        #expect(
            audit.summary.notes.contains(
                "records 'app' are not written: its service merges lists"))
        let results = try await world.repair(try world.plan(audit))
        #expect(results.map(\.outcome) == [.done])
        #expect(!world.has("orphan") && world.cover("dangling") == "dangling")
    }

    @Test("one that cannot tell proves nothing")
    func unknown() async throws {
        let world = try world()
        world.source.limit(.failure(StoreError(place: "app", reason: "no answer")))
        let audit = try await world.audit()
        #expect(audit.findings.allSatisfy { $0.needs?.proof == "live stores" })
        #expect(
            audit.summary.notes.contains(
                "records 'app': nothing is repaired: whether it serves repairs could not be found "
                    + "out: app: no answer"))
    }

    @Test("what is in quarantine and referenced comes back all the same, but nothing is swept")
    func watch() async throws {
        let world = try world()
        try await world.auditAndRepair()
        world.source.limit(.success(RecordLimits(proofs: "it lags behind")))
        world.clock.advance(.days(90))
        for _ in 0..<3 {
            world.clock.advance(Sample.grace)
            let audit = try await world.audit()
            #expect(audit.quarantine.map { $0.need?.proof } == ["live stores"])
            #expect(audit.quarantine.allSatisfy { $0.proof == nil })
        }
    }
}
