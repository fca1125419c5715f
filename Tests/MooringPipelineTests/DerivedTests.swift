import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("Objects made from others")
struct DerivedTests {
    /// A world whose only finding is the settled orphan `thumbs/k`, whose source `k` is gone.
    private func prepared() async throws -> World {
        let world = try World(
            Sample.file(
                bucket: "    derived: [\"thumbs/{key}\"]", rest: "repair: {retention: 30d}"))
        world.song("k", cover: nil)
        for number in 0..<8 { world.song("s\(number)", cover: "keeper") }
        world.object("keeper")
        world.object("thumbs/k")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        return world
    }

    private func planned(_ world: World) async throws -> Plan {
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.key) == [ObjectKey("thumbs/k")])
        return plan
    }

    @Test("one whose source came back, or is referenced by now, is not taken")
    func acting() async throws {
        let acts: [@Sendable (World) -> Void] = [
            { $0.object("k") }, { $0.write(song: "k", ["cover": .text("k")]) },
            { $0.source.insert("Setting", ["id": .text("1"), "value": .text("see k there")]) },
        ]
        for (number, act) in acts.enumerated() {
            let world = try await prepared()
            let plan = try await planned(world)
            act(world)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [.stale], "act \(number)")
            #expect(results.first?.reason?.contains("derived") == true, "act \(number)")
            #expect(world.has("thumbs/k") && world.bucket.held.isEmpty)
        }
        let world = try await prepared()
        #expect(try await world.repair(try await planned(world)).map(\.outcome) == [.done])
    }

    @Test("one whose source appears while it is moved goes back, in a run of its own plan too")
    func moving() async throws {
        for isReferenced in [false, true] {
            let world = try await prepared()
            world.script.at(.after, .quarantine) {
                if isReferenced {
                    world.write(song: "k", ["cover": .text("k")])
                } else {
                    world.object("k")
                }
            }
            let results = try await world.run(waiting: .minutes(1))
            #expect(results.map(\.outcome) == [.putBack])
            #expect(world.has("thumbs/k") && world.bucket.held.isEmpty)
        }
    }

    @Test("a look at its source that gives no answer leaves it")
    func unanswered() async throws {
        let world = try await prepared()
        let plan = try await planned(world)
        world.script.fail(.before, .head)
        #expect(try await world.repair(plan).map(\.outcome) == [.failed])
        #expect(world.has("thumbs/k"))
    }

    /// `prepared`, with `thumbs/k` in quarantine.
    private func held() async throws -> World {
        let world = try await prepared()
        try await world.repair(try await planned(world))
        #expect(!world.has("thumbs/k") && world.bucket.held.count == 1)
        return world
    }

    @Test("one whose source appears before the sweep acts stays in quarantine")
    func sweeping() async throws {
        for isReferenced in [false, true] {
            let world = try await held()
            for _ in 0..<45 {
                world.clock.advance(.days(1))
                _ = try await world.audit()
            }
            let audit = try await world.audit()
            let job = try world.job()
            let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
            let item = try #require(stage.items(audit.quarantine).first)
            if isReferenced {
                world.write(song: "k", ["cover": .text("k")])
            } else {
                world.object("k")
            }
            #expect(try await stage.sweep(item, by: try await world.rights(job)).outcome == .stale)
            #expect(world.bucket.held.count == 1)
        }
    }

    @Test("one in quarantine comes back when its source is there and referenced again")
    func comesBack() async throws {
        let world = try await held()
        world.object("k")
        #expect(try await restored(world).isEmpty)
        world.write(song: "k", ["cover": .text("k")])
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("thumbs/k", .dangling))
        #expect(finding.cause == .quarantined && finding.action == .restore)
        #expect(finding.record?.identity.id.text == "k" && finding.value == Array("k".utf8))
        #expect(finding.evidence.first == "it is derived from 'k', which is there and referenced")
        let again = try await world.audit()
        #expect(again.findings.about("thumbs/k", .dangling)?.id == finding.id)
        #expect(try await world.repair(try world.plan(again)).map(\.outcome) == [.done])
        #expect(world.has("thumbs/k") && world.bucket.held.isEmpty)
        #expect(try await world.audit().findings.map(\.kind) == [.shared])
    }

    @Test("it stays where its place is taken, its source is missing, or only a tombstone means it")
    func staysHeld() async throws {
        let taken = try await held()
        taken.object("k")
        taken.object("thumbs/k")
        taken.write(song: "k", ["cover": .text("k")])
        #expect(try await restored(taken).isEmpty)
        let missing = try await held()
        missing.write(song: "k", ["cover": .text("k")])
        #expect(try await restored(missing).isEmpty)
        let dead = try await held()
        dead.object("k")
        dead.write(song: "k", ["cover": .text("k"), "deleted": .integer(1)])
        #expect(try await restored(dead).isEmpty)
    }

    private func restored(_ world: World) async throws -> [Finding] {
        try await world.audit().findings.filter { $0.action == .restore }
    }
}
