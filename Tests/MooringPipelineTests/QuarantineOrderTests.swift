import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("Two copies of a key in quarantine, one of them made by a clock that was ahead")
struct QuarantineOrderTests {
    /// A world in whose quarantine "one" lies since a run of the future, and "two" since one that
    /// the ledger saw behind it.
    private func prepared(_ kind: BucketKind) async throws -> (World, ahead: RunID, last: RunID) {
        let world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.bucket.become(kind.traits)
        world.song("keeper", cover: "keeper", owner: "me")
        world.upload("keeper", "keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.upload("album-\(number)", "album")
        }
        world.song("gone", cover: nil)
        world.upload("gone", "one")
        world.clock.advance(.days(3_650))
        try await world.auditAndRepair()
        let ahead = try world.lastRun()
        world.clock.advance(.zero - .days(3_640))
        // One run is refused, since it cannot tell which of the two clocks was wrong.
        #expect(PlaceGuardTests.refused(try await world.audit()) == ["clockBound"])
        world.upload("gone", "two")
        for _ in 0..<2 {
            world.clock.advance(Sample.grace + .hours(1))
            try await world.auditAndRepair()
        }
        let last = try #require(world.runs(holding: "gone").first)
        #expect(world.runs(holding: "gone") == [last, ahead])
        #expect(world.content("gone", heldBy: last) == "two")
        return (world, ahead, last)
    }

    @Test("the one that the ledger saw last comes back", arguments: BucketKind.allCases)
    func restored(kind: BucketKind) async throws {
        let (world, ahead, last) = try await prepared(kind)
        world.write(song: "gone", ["cover": .text("gone")])
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("gone", .dangling))
        #expect(finding.cause == .quarantined)
        #expect(finding.evidence.contains { $0.contains(last.text) })
        #expect(audit.order[ahead].map { $0 < audit.order[last] ?? 0 } == true)
        let results = try await world.repair(try world.plan(audit))
        #expect(results.map(\.outcome) == [.done])
        #expect(results.map(\.step.precondition.quarantinedBy) == [last])
        #expect(world.content("gone") == "two" && world.runs(holding: "gone") == [ahead])
    }

    @Test("so it does where the reference may mean the key under any identity")
    func anyIdentity() async throws {
        let world = try World(
            Sample.file(cover: "level: private, template: \"{id}\"", rest: "repair: {orphan: keep}")
        )
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("private/me/keeper")
        world.song("s", cover: "gone")
        let key = ObjectKey("private/you/gone")
        let runs = [World.start + .days(3_650), World.start].map { RunID(startingAt: $0) }
        for (run, content) in zip(runs, ["one", "two"]) {
            world.bucket.hold(key, run: run, Array(content.utf8))
        }
        try remember(runs, of: key, in: world)
        let results = try await world.auditAndRepair()
        #expect(results.map(\.outcome) == [.done])
        #expect(world.content("private/you/gone") == "two")
    }

    // What the ledger saw these runs do, in this order.
    private func remember(_ runs: [RunID], of key: ObjectKey, in world: World) throws {
        let ledger = try world.ledger()
        for run in runs {
            try ledger.begin(
                RunSummary(
                    id: run, command: "repair", programVersion: "test",
                    startedAt: run.startedAt ?? World.start, configuration: ""))
            let held = world.bucket.held.first { $0.run == run }
            let entry = try ledger.intend(
                JournalEntry(
                    run: run, plan: nil,
                    step: PlanStep(
                        id: "step", hash: "", strategy: .quarantine, finding: "finding",
                        bucket: "media", key: key, record: nil,
                        precondition: Precondition(object: held?.stored.version)
                    ).sealed(), intendedAt: World.start))
            try ledger.conclude(entry.number, outcome: .done, reason: nil, at: World.start)
        }
    }

    @Test("each is taken back by its own run")
    func undone() async throws {
        let (world, ahead, last) = try await prepared(.folder)
        #expect(try await world.undo(ahead).map(\.outcome) == [.done])
        #expect(world.content("gone") == "one" && world.runs(holding: "gone") == [last])
        world.bucket.remove(ObjectKey("gone"))
        #expect(try await world.undo(last).map(\.outcome) == [.done])
        #expect(world.content("gone") == "two" && world.bucket.held.isEmpty)
    }

    @Test("one of the future is swept by no clock that is behind it")
    func swept() async throws {
        let (world, ahead, last) = try await prepared(.folder)
        for _ in 0..<45 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let needs = Dictionary(
            try await world.audit().quarantine.map { ($0.object.run, $0.need?.proof) },
            uniquingKeysWith: { one, _ in one })
        #expect(needs[last] == .some(nil))
        #expect(needs[ahead] == "retention")
    }
}

@Suite("What Mooring put into quarantine, and what is not there any more")
struct LostFromQuarantineTests {
    /// A world in whose quarantine `gone` lies.
    private func prepared() async throws -> World {
        let world = try World(Sample.file(rest: "repair: {retention: 30d, dangling: nullify}"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        world.song("gone", cover: nil)
        world.object("gone")
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        return world
    }

    private func vanish(_ world: World) throws {
        world.bucket.release()
        world.source.set("Song", Array("gone".utf8), ["cover": .text("gone")])
    }

    @Test("its reference is in doubt, names the run, and is not nulled, however long it waits")
    func doubted() async throws {
        let world = try await prepared()
        let run = try world.lastRun()
        try vanish(world)
        for _ in 0..<3 {
            let audit = try await world.audit()
            let finding = try #require(audit.findings.about("gone", .dangling))
            #expect(finding.verdict == .undecided)
            #expect(
                finding.evidence.contains {
                    $0.contains("run \(run.text) put an object of this key into quarantine")
                })
            try await world.repair(try world.plan(audit))
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(world.cover("gone") == "gone")
    }

    @Test("it is judged anew once the object is there, or lies in quarantine, again")
    func found() async throws {
        let world = try await prepared()
        let held = try #require(world.bucket.held.first)
        try vanish(world)
        _ = try await world.audit()
        world.bucket.hold(
            QuarantinedObject(key: held.key, run: held.run, version: held.stored.version))
        #expect(try await world.auditAndRepair().map(\.step.strategy) == [.restore])
        #expect(world.has("gone") && world.cover("gone") == "gone")
        // Given back, and removed by a device since: nobody's quarantine holds it.
        world.bucket.remove(ObjectKey("gone"))
        #expect(try await world.audit().findings.about("gone", .dangling)?.verdict == .settled)
        #expect(try await world.auditAndRepair().map(\.step.strategy) == [.nullify])
    }

    @Test("what was swept, or taken back by an undo, is not looked for there")
    func ended() async throws {
        let undone = try await prepared()
        #expect(try await undone.undo(undone.lastRun()).map(\.outcome) == [.done])
        undone.bucket.remove(ObjectKey("gone"))
        undone.source.set("Song", Array("gone".utf8), ["cover": .text("gone")])
        #expect(try await undone.audit().findings.about("gone", .dangling)?.verdict == .settled)

        let swept = try await prepared()
        for _ in 0..<45 {
            swept.clock.advance(.days(1))
            _ = try await swept.audit()
        }
        let audit = try await swept.audit()
        let job = try swept.job()
        let stage = SweepStage(job: job, run: audit.summary.id)
        var outcomes: [StepOutcome?] = []
        try await stage.run(stage.items(audit.quarantine), by: try await swept.rights(job)) {
            outcomes.append($0.outcome)
        }
        #expect(outcomes == [.done])
        swept.source.set("Song", Array("gone".utf8), ["cover": .text("gone")])
        #expect(try await swept.audit().findings.about("gone", .dangling)?.verdict == .settled)
    }
}
