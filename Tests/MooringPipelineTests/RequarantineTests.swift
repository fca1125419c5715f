import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("A key that is quarantined, comes back, and is quarantined again")
struct RequarantineTests {
    private static let month = "repair: {retention: 30d}"

    /// A world whose orphan `gone` lies in quarantine, of content "one".
    private func prepared(_ kind: BucketKind) async throws -> World {
        let world = try World(Sample.file(rest: Self.month))
        world.bucket.become(kind.traits)
        world.song("keeper", cover: "keeper", owner: "me")
        world.upload("keeper", "keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.upload("album-\(number)", "album")
        }
        world.upload("gone", "one")
        try await removed(world)
        #expect(world.runs(holding: "gone").count == 1)
        return world
    }

    /// Lets every wait of the race model pass, with two audits, and repairs.
    private func removed(_ world: World) async throws {
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let results = try await world.auditAndRepair()
        #expect(results.allSatisfy { $0.outcome == .done })
    }

    private func sweep(_ world: World, _ audit: Pipeline.Audit) async throws
        -> [StepResult]
    {
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        var results: [StepResult] = []
        try await stage.run(stage.items(audit.quarantine), by: try await world.rights(job)) {
            results.append($0)
        }
        return results
    }

    @Test(
        "each lies under the run that took it, and comes back by that run's undo",
        arguments: BucketKind.allCases, ["one", "two"])
    func twice(kind: BucketKind, content: String) async throws {
        let world = try await prepared(kind)
        let first = try #require(world.runs(holding: "gone").first)
        world.upload("gone", content)
        try await removed(world)
        let second = try world.lastRun()
        #expect(world.runs(holding: "gone") == [first, second])
        #expect(world.content("gone", heldBy: first) == "one")
        #expect(world.content("gone", heldBy: second) == content)
        #expect(!world.has("gone"))
        let entry = try #require(try world.ledger().journal(run: second).last)
        #expect(entry.step.precondition.quarantinedBy == nil)

        #expect(try await world.undo(second).map(\.outcome) == [.done])
        #expect(world.content("gone") == content)
        #expect(world.runs(holding: "gone") == [first])
        // Its key is taken; of the same content it is there already, as a copy.
        let again = try await world.undo(first)
        #expect(again.map(\.outcome) == [.stale] || content == "one" && kind == .copies)
        #expect(world.content("gone") == content)
    }

    @Test("each is swept by the age of its own run", arguments: BucketKind.allCases)
    func ages(kind: BucketKind) async throws {
        let world = try await prepared(kind)
        let first = try #require(world.runs(holding: "gone").first)
        world.clock.advance(.days(25))
        world.upload("gone", "one")
        try await removed(world)
        let second = try world.lastRun()
        for _ in 0..<13 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let audit = try await world.audit()
        let needs = Dictionary(
            audit.quarantine.filter { $0.object.key == ObjectKey("gone") }
                .map { ($0.object.run, $0.need?.proof) }, uniquingKeysWith: { one, _ in one })
        #expect(needs[first] == .some(nil))
        #expect(needs[second] == "retention")
        #expect(try await sweep(world, audit).map(\.outcome) == [.done])
        #expect(world.runs(holding: "gone") == [second])
        world.write(song: "gone", ["cover": .text("gone")])
        try await world.auditAndRepair()
        #expect(world.content("gone") == "one")
    }

    @Test(
        "the newest comes back; the older one is swept beside it where nobody can mean it",
        arguments: BucketKind.allCases)
    func newest(kind: BucketKind) async throws {
        let world = try await prepared(kind)
        let first = try #require(world.runs(holding: "gone").first)
        world.upload("gone", "two")
        try await removed(world)
        world.write(song: "gone", ["cover": .text("gone")])
        let restored = try await world.auditAndRepair()
        #expect(restored.map(\.step.strategy) == [.restore])
        #expect(world.content("gone") == "two" && world.runs(holding: "gone") == [first])

        world.clock.advance(.days(31))
        for _ in 0..<16 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let audit = try await world.audit()
        let state = try #require(audit.quarantine.first)
        if kind == .versions {
            // A record may name the version itself, which pass B does not search for.
            #expect(state.need?.proof.contains("its key is in use again") == true)
            #expect(try await sweep(world, audit).isEmpty)
            return
        }
        #expect(state.need == nil && state.livesAgain)
        #expect(try await sweep(world, audit).map(\.outcome) == [.done])
        #expect(world.bucket.held.isEmpty && world.content("gone") == "two")
    }

    @Test("an older copy beside an empty object, or one that went meanwhile, stays")
    func successorGoes() async throws {
        let world = try await prepared(.copies)
        world.write(song: "gone", ["cover": .text("gone")])
        world.upload("gone", "")
        world.clock.advance(.days(31))
        for _ in 0..<16 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let empty = try await world.audit()
        #expect(empty.quarantine.first?.need?.proof.contains("is empty") == true)
        world.upload("gone", "two")
        for _ in 0..<16 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let audit = try await world.audit()
        #expect(audit.quarantine.first?.livesAgain == true)
        world.bucket.remove(ObjectKey("gone"))
        #expect(try await sweep(world, audit).map(\.outcome) == [.stale])
        try await world.auditAndRepair()
        #expect(world.content("gone") == "one")
    }

    @Test(
        "an object whose key no record should hold comes back to one that does",
        arguments: ["new\nline-a1b2c3.png", "a\tb.png", "/lead/a1b2c3.png"])
    func invalidKey(key: String) async throws {
        let world = try World(Sample.file())
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("s", cover: key)
        world.bucket.hold(ObjectKey(key), run: RunID(startingAt: World.longAgo))
        let results = try await world.auditAndRepair()
        #expect(results.map(\.step.strategy) == [.restore])
        #expect(world.has(key) && world.bucket.held.isEmpty)
        // That it is no key stays a finding, and no other.
        let findings = try await world.audit().findings
        #expect(findings.map(\.kind) == [.invalidKey])
    }

    @Test("what is ignored since it was quarantined comes back all the same")
    func ignored() async throws {
        let world = try World(
            Sample.file(bucket: "    ignore: [\"old/**\"]\n    prefixes: [\"\"]"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("s", cover: "old/gone")
        world.song("t", cover: "old/never")
        let run = RunID(startingAt: World.longAgo)
        world.bucket.hold(ObjectKey("old/gone"), run: run)
        let audit = try await world.audit()
        #expect(
            audit.findings.filter { $0.kind == .dangling }.map(\.key) == [
                ObjectKey("old/gone")
            ])
        let results = try await world.auditAndRepair()
        #expect(results.map(\.step.strategy) == [.restore])
        #expect(world.has("old/gone") && world.bucket.held.isEmpty)
        #expect(try await !world.audit().findings.contains { $0.kind == .dangling })
    }
}
