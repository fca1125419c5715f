import MooringDecisions
import MooringLedger
import MooringModel
import Testing

@testable import MooringPipeline

@Suite("Records of which one reference is missing and another in doubt")
struct RecordDoubtTests {
    private static let need = ProofNeed(
        proof: "no other reference of its record in doubt", after: nil)

    // Two runs have seen it by then, so that nothing but the doubt is in the way.
    private func world(_ images: String) async throws -> World {
        let world = try World(Sample.file(rest: "repair: {dangling: delete-record}"))
        world.song("keeper", cover: "one")
        world.object("one")
        world.object("kept")
        world.source.insert(
            "Page",
            [
                "id": .text("p"), "images": .text(images), "changed": .moment(World.longAgo),
            ])
        for _ in 0..<2 {
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
        }
        return world
    }

    private func removed(_ images: String) async throws -> Bool {
        let world = try await world(images)
        try await world.repair(try world.plan(try await world.audit()))
        return world.source.records("Page").isEmpty
    }

    @Test("what waits for a doubt about its record is counted so, and not as ready")
    func counted() async throws {
        let world = try await world("[\"gone\", \"KEPT\"]")
        let audit = try await world.audit()
        let gone = try #require(audit.findings.about("gone", .dangling))
        #expect(gone.verdict == .settled && gone.action == .deleteRecord)
        #expect(gone.needs == Self.need)
        #expect(audit.tally.steps == 0 && audit.summary.repairs.planned == 0)
        #expect(!audit.summary.waiting.contains { $0.reason == .ready })
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("a run that an earlier version judged without the doubt removes no such record either")
    func earlierRun() async throws {
        let world = try await world("[\"gone\", \"KEPT\"]")
        var audit = try await world.audit()
        for place in audit.findings.indices where audit.findings[place].needs == Self.need {
            audit.findings[place].needs = nil
        }
        let job = try world.job()
        let run = try world.begin(job, "audit")
        audit.summary.id = run.id
        try job.ledger.record(
            audit.findings, of: run.id, in: job.series(of: audit.summary), words: RunWords())
        try job.ledger.update(audit.summary)
        let gone = try #require(audit.findings.about("gone", .dangling))
        let saved = try #require(try job.ledger.finding(gone.id, in: run.id))
        #expect(Planner.acts(on: saved))
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("an object whose owner's own reference is in doubt says so")
    func ownerInDoubt() async throws {
        let world = try World()
        world.song("k", cover: "https://cdn.example/elsewhere.png")
        world.object("k")
        let finding = try #require(try await world.audit().findings.about("k"))
        #expect(
            finding.evidence.contains("what its owner references is in doubt: Song/k cover"),
            "\(finding.evidence)")
    }

    @Test("a record is not removed while a reference of it may mean an object that is there")
    func twin() async throws {
        #expect(try await !removed("[\"gone\", \"KEPT\"]"))
        #expect(try await removed("[\"gone\", \"lost\"]"))
    }
}
