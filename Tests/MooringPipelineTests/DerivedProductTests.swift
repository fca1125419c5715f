import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("Objects from which others were made that a record needs")
struct DerivedProductTests {
    private func world() throws -> World {
        let world = try World(
            Sample.file(
                bucket: "    derived: [\"thumbs/{key}\"]", rest: "repair: {retention: 30d}"))
        world.song("k", cover: nil)
        for number in 0..<8 { world.song("s\(number)", cover: "keeper") }
        world.object("keeper")
        world.object("k")
        return world
    }

    /// A plan that takes the orphan `k`.
    private func planned(_ world: World) async throws -> Plan {
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.key) == [ObjectKey("k")])
        return plan
    }

    @Test("one is no orphan while a record or a text holds the key of what was made from it")
    func judging() async throws {
        for isText in [false, true] {
            let world = try world()
            world.object("thumbs/k")
            if isText {
                world.source.insert(
                    "Setting", ["id": .text("1"), "value": .text("see thumbs/k there")])
            } else {
                world.write(song: "k", ["cover": .text("thumbs/k")])
            }
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(audit.findings.about("k", .orphan) == nil, "\(isText)")
            #expect(try world.plan(audit).steps.isEmpty)
        }
    }

    @Test("what was made from it may be made again: the reference to it is in doubt")
    func missing() async throws {
        let world = try world()
        world.write(song: "k", ["cover": .text("thumbs/k")])
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("thumbs/k", .dangling))
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains { $0.contains("derived from is there") })
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("one whose product is referenced by now is not taken")
    func acting() async throws {
        let acts: [@Sendable (World) -> Void] = [
            { $0.write(song: "k", ["cover": .text("thumbs/k")]) },
            {
                $0.source.insert(
                    "Setting", ["id": .text("1"), "value": .text("see thumbs/k there")])
            },
        ]
        for (number, act) in acts.enumerated() {
            let world = try world()
            let plan = try await planned(world)
            act(world)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [.stale], "act \(number)")
            #expect(results.first?.reason?.contains("derived from it") == true, "act \(number)")
            #expect(world.has("k") && world.bucket.held.isEmpty)
        }
        let world = try world()
        #expect(try await world.repair(try await planned(world)).map(\.outcome) == [.done])
    }

    @Test("one in quarantine is not swept, and comes back where its product is there")
    func quarantined() async throws {
        let world = try world()
        try await world.repair(try await planned(world))
        #expect(!world.has("k") && world.bucket.held.count == 1)
        for _ in 0..<45 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        let item = try #require(stage.items(try await world.audit().quarantine).first)
        world.write(song: "k", ["cover": .text("thumbs/k")])
        #expect(try await stage.sweep(item, by: try await world.rights(job)).outcome == .stale)
        let audit = try await world.audit()
        #expect(stage.items(audit.quarantine).isEmpty)
        world.object("thumbs/k")
        let again = try await world.audit()
        let finding = try #require(again.findings.about("k", .dangling))
        #expect(finding.cause == .quarantined && finding.action == .restore)
        #expect(
            finding.evidence.first
                == "'thumbs/k', which is there and referenced, is derived from it")
        #expect(try await world.repair(try world.plan(again)).map(\.outcome) == [.done])
        #expect(world.has("k") && world.bucket.held.isEmpty)
    }
}
