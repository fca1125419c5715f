import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("What lies in quarantine")
struct QuarantineTests {
    private static let month = "repair: {retention: 30d}"

    /// A world whose orphan `key` was quarantined at once.
    private func prepared(
        _ text: String = Sample.file(rest: month), key: String = "gone"
    ) async throws -> World {
        let world = try World(text)
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        world.object("public/keeper")
        world.object("private/me/keeper")
        // So many references that one more or less is no loss to any guard.
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        world.object(key)
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.bucket.held.contains { $0.key == ObjectKey(key) })
        return world
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

    /// Looks every night, long enough for a sweep of what no owner tells of.
    private func watchNightly(_ world: World) async throws {
        world.clock.advance(.days(20))
        for _ in 0..<14 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
    }

    private func need(_ world: World, _ key: String = "gone") async throws -> String? {
        let audit = try await world.audit()
        let state = try #require(audit.quarantine.first { $0.object.key == ObjectKey(key) })
        #expect((state.need == nil) == (state.proof != nil))
        return state.need?.proof
    }

    @Test("a sweep needs retention, clean runs a grace apart, and settled owners")
    func proofs() async throws {
        let world = try await prepared()
        #expect(try await need(world) == "retention")
        world.clock.advance(.days(31))
        // The run above was clean; this one is not counted before it has ended.
        #expect(try await need(world)?.contains("2 complete runs") == true)
        #expect(try await need(world)?.contains("no chain of 3 old copies") == true)
        try await watchNightly(world)
        #expect(try await need(world) == nil)
        let audit = try await world.audit()
        #expect(try await sweep(world, audit).contains { $0.step.key == ObjectKey("gone") })
        #expect(!world.bucket.held.contains { $0.key == ObjectKey("gone") })
    }

    @Test("a run that goes on with an earlier listing sweeps nothing and counts as no clean one")
    func resumedListing() async throws {
        let world = try await prepared()
        #expect(try await need(world) == "retention")
        world.clock.advance(.days(31))
        world.bucket.resumeListings(since: world.clock.now - .minutes(20))
        #expect(try await need(world) == "a listing of one run alone")
        world.bucket.resumeListings(since: nil)
        // It took nothing back either: the run before it counts.
        #expect(try await need(world)?.contains("2 complete runs") == true)
        #expect(try await need(world)?.contains("no chain") == true)
    }

    @Test("what lies in quarantine stays while a reference means its folder")
    func folder() async throws {
        let world = try await prepared(
            Sample.file(cover: "level: root", rest: Self.month), key: "clip/part")
        world.song("folder", cover: "clip")
        world.clock.advance(.days(31))
        try await watchNightly(world)
        #expect(try await need(world, "clip/part") == "no reference that means its folder")
    }

    @Test("clean runs that are not a grace apart do not do")
    func graceBetweenRuns() async throws {
        let world = try await prepared()
        world.clock.advance(.days(31))
        for _ in 0..<2 { _ = try await need(world) }
        #expect(try await need(world) == "grace since the first such run")
        world.clock.advance(Sample.grace)
        #expect(try await need(world)?.contains("no chain") == true)
        try await watchNightly(world)
        #expect(try await need(world) == nil)
    }

    @Test("what a long scan takes counts neither for the grace nor for an owner's settling")
    func slowScan() async throws {
        let world = try await prepared()
        /// An audit whose scan of the records goes on for four hours.
        func slowNeed() async throws -> String? {
            world.script.at(border: world.script.borders.count + 1) { [weak world] in
                world?.clock.advance(.hours(4))
            }
            return try await need(world)
        }
        world.clock.advance(.days(31))
        for _ in 0..<2 { _ = try await need(world) }
        // The scan begins two hours too early and ends two hours behind the grace.
        world.clock.advance(Sample.grace - .hours(2))
        #expect(try await slowNeed() == "grace since the first such run")
        #expect(try await need(world)?.contains("no chain") == true)
        world.write(song: "gone", ["cover": .text("keeper")])
        world.clock.advance(Sample.grace - .hours(2))
        #expect(try await slowNeed() == "settled owner")
        #expect(try await need(world) == nil)
    }

    @Test("where no owner is named, looks that lie close together stand in for it")
    func unattributed() async throws {
        let world = try await prepared(
            Sample.file(cover: "level: root", rest: Self.month), key: "posts/x")
        _ = try await world.audit()
        world.clock.advance(.days(31))
        #expect(try await need(world, "posts/x")?.contains("2 complete runs") == true)
        #expect(try await need(world, "posts/x")?.contains("no chain") == true)
        try await watchNightly(world)
        #expect(try await need(world, "posts/x") == nil)
    }

    @Test("an owner that came or changed lately holds the sweep back")
    func lateOwner() async throws {
        let world = try await prepared()
        try await watchNightly(world)
        #expect(try await need(world) == nil)
        world.write(song: "gone", ["cover": .text("keeper")])
        #expect(try await need(world) == "settled owner")
        world.source.delete("Song", Array("gone".utf8))
        #expect(try await need(world) == "settled owner")
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await need(world) == nil)
    }

    @Test("an absence that an incomplete run saw dates from the first complete one")
    func absenceInIncompleteRun() async throws {
        let world = try await prepared()
        world.write(song: "gone", ["cover": .text("keeper")])
        try await watchNightly(world)
        world.source.breakTable("Song")
        _ = try await world.audit()
        world.source.breakTable(nil)
        world.clock.advance(Sample.grace + .hours(1))
        world.source.delete("Song", Array("gone".utf8))
        #expect(try await need(world) == "settled owner")
    }

    @Test("a reference in an attribute that nobody mapped blocks the sweep and its count")
    func unmapped() async throws {
        let world = try await prepared()
        try await watchNightly(world)
        world.source.insert("Setting", ["id": .text("1"), "value": .text("gone")])
        #expect(try await need(world) == "no reference")
        world.source.delete("Setting", Array("1".utf8))
        #expect(try await need(world)?.contains("2 complete runs") == true)
    }

    @Test("an object comes back to an attribute that nobody mapped, and never over another one")
    func unmappedComesBack() async throws {
        let world = try await prepared()
        world.source.insert("Setting", ["id": .text("1"), "value": .text("see gone there")])
        world.source.insert("Setting", ["id": .text("2"), "value": .text("gone")])
        let audit = try await world.audit()
        let findings = audit.findings.filter { $0.action == .restore }
        #expect(findings.map(\.kind) == [.unmappedReference])
        #expect(findings.map(\.key) == [ObjectKey("gone")])
        let results = try await world.repair(try world.plan(audit))
        #expect(results.map(\.outcome) == [.done])
        #expect(world.has("gone"))
        let again = try await world.audit()
        #expect(!again.findings.contains { $0.action == .restore })
        #expect(again.findings.contains { $0.kind == .unmappedReference && $0.action == .keep })
    }

    @Test("an object stays in quarantine when another lies at the key that nobody mapped")
    func unmappedTaken() async throws {
        let world = try await prepared()
        world.object("gone")
        world.source.insert("Setting", ["id": .text("1"), "value": .text("gone")])
        #expect(try await !world.audit().findings.contains { $0.action == .restore })
    }

    @Test("an owner that references the object when the sweep acts keeps it")
    func lateReference() async throws {
        let world = try await prepared()
        try await watchNightly(world)
        let audit = try await world.audit()
        world.write(song: "gone", ["cover": .text("gone")])
        let results = try await sweep(world, audit).filter { $0.step.key == ObjectKey("gone") }
        #expect(results.map(\.outcome) == [.stale])
        try await world.auditAndRepair()
        #expect(world.has("gone"))
    }

    @Test("a sweep that dies is told apart by looking")
    func dyingSweep() async throws {
        for border in 0..<4 {
            let world = try await prepared()
            try await watchNightly(world)
            let audit = try await world.audit()
            let job = try world.job()
            let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
            let item = try #require(
                stage.items(audit.quarantine).first { $0.step.key == ObjectKey("gone") })
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await stage.sweep(item, by: try await world.rights(job))
            }
            _ = try await world.resume()
            let isGone = !world.bucket.held.contains { $0.key == ObjectKey("gone") }
            let entry = try world.ledger().journal(about: "media", key: ObjectKey("gone")).last
            #expect((entry?.step.strategy == .delete && entry?.outcome == .done) == isGone)
            #expect(try world.ledger().openIntents().isEmpty)
            world.remove()
        }
    }

    @Test(
        "an object that a record references comes back, wherever it may lie",
        arguments: [
            ("template: \"{id}\"", "gone"), ("level: any, template: \"{id}\"", "public/gone"),
            ("level: private, template: \"{id}\"", "private/them/gone"),
        ])
    func watch(level: String, key: String) async throws {
        let world = try await prepared(Sample.file(cover: level), key: key)
        world.write(song: "gone", ["cover": .text("gone")])
        world.source.set("Song", Array("gone".utf8), ["changed": .moment(World.longAgo)])
        let audit = try await world.audit()
        let state = try #require(audit.quarantine.first { $0.object.key == ObjectKey(key) })
        #expect(state.isReferenced)
        #expect(audit.findings.contains { $0.cause == .quarantined && $0.action == .restore })
        let results = try await world.repair(try world.plan(audit))
        #expect(results.first?.step.strategy == .restore && results.first?.outcome == .done)
        #expect(world.has(key))
    }

    @Test("a restore never replaces what lies at the key")
    func restoreRace() async throws {
        let world = try await prepared()
        world.write(song: "gone", ["cover": .text("gone")])
        let plan = try world.plan(try await world.audit())
        world.bucket.put(ObjectKey("gone"), [9])
        #expect(try await world.repair(plan).first?.outcome == .stale)
        #expect(world.bucket.objects[ObjectKey("gone")]?.content == [9])
    }

    @Test("undo gives an object back to its key")
    func undo() async throws {
        let world = try await prepared()
        let results = try await world.undo(try world.lastRun())
        #expect(results.contains { $0.step.key == ObjectKey("gone") && $0.outcome == .done })
        #expect(world.has("gone") && world.bucket.held.isEmpty)
        #expect(try await world.undo(try world.lastRun()).allSatisfy { $0.outcome == .stale })
    }
}
