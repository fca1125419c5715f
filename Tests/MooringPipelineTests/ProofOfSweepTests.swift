import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("What a sweep rests on: every run's looks, and a pass B that is fresh")
struct ProofOfSweepTests {
    /// A world with these orphans in quarantine, past their retention.
    private func prepared(_ keys: [String] = ["gone"]) async throws -> World {
        let world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        for key in keys { world.object(key) }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.bucket.held.count == keys.count)
        for _ in 0..<45 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        return world
    }

    private func need(_ world: World) async throws -> String? {
        try #require(try await world.audit().quarantine.first).need?.proof
    }

    private func sweep(_ world: World, _ audit: Pipeline.Audit) async throws
        -> [StepResult]
    {
        let job = try world.job()
        let stage = SweepStage(job: job, run: audit.summary.id)
        var results: [StepResult] = []
        try await stage.run(stage.items(audit.quarantine), by: try await world.rights(job)) {
            results.append($0)
        }
        return results
    }

    private func mention(_ world: World, _ key: String) {
        world.source.insert("Setting", ["id": .text(key), "value": .text(key)])
    }

    @Test("what an incomplete run saw referenced takes the clean looks back")
    func incompleteRun() async throws {
        let world = try await prepared()
        #expect(try await need(world) == nil)
        world.write(song: "gone", ["cover": .text("gone")])
        world.source.breakTable("Album")
        #expect(try await world.audit().summary.status == .incomplete)
        world.source.breakTable(nil)
        world.source.set("Song", Array("gone".utf8), ["cover": .null])
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }

    @Test("so does what it saw in an attribute that nobody mapped")
    func unmappedInIncompleteRun() async throws {
        let world = try await prepared()
        mention(world, "gone")
        world.source.breakTable("Page")
        _ = try await world.audit()
        world.source.breakTable(nil)
        world.source.delete("Setting", Array("gone".utf8))
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }

    @Test("so does what it saw where the quarantine itself could not be listed")
    func brokenListing() async throws {
        let world = try await prepared()
        world.write(song: "gone", ["cover": .text("gone")])
        world.bucket.breakListings(true)
        #expect(try await world.audit().quarantine.isEmpty)
        world.bucket.breakListings(false)
        world.source.set("Song", Array("gone".utf8), ["cover": .null])
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }

    @Test("what a run judged as of another moment saw referenced counts too")
    func asOf() async throws {
        let world = try await prepared()
        mention(world, "gone")
        _ = try await world.audit(asOf: world.clock.now - .days(1))
        world.source.delete("Setting", Array("gone".utf8))
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }

    @Test("neither of the two counts as a look itself, and each leaves those that were")
    func uncounted() async throws {
        let world = try await prepared()
        let before = try world.ledger().quarantineWatch(bucket: "media").first
        #expect(before?.looks.isEmpty == false)
        world.clock.advance(.days(1))
        world.source.breakTable("Page")
        #expect(try await world.audit().summary.status == .incomplete)
        world.source.breakTable(nil)
        #expect(try world.ledger().quarantineWatch(bucket: "media").first == before)
        #expect(try await world.audit(asOf: world.clock.now - .days(1)).summary.status == .complete)
        #expect(try world.ledger().quarantineWatch(bucket: "media").first == before)
    }

    @Test("a pass B that is over an hour old is repeated, and its reference takes the looks back")
    func oldScan() async throws {
        let world = try await prepared()
        let audit = try await world.audit()
        world.clock.advance(.minutes(61))
        mention(world, "gone")
        let results = try await sweep(world, audit)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason == "a record holds the key now")
        #expect(world.bucket.held.count == 1)
        world.source.delete("Setting", Array("gone".utf8))
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }

    @Test("within the hour it is not: a scan is no more than the moment it was made in")
    func freshScan() async throws {
        let world = try await prepared()
        let audit = try await world.audit()
        let scans = world.script.borders.filter { $0.operation == .scan }.count
        world.clock.advance(.minutes(59))
        #expect(try await sweep(world, audit).map(\.outcome) == [.done])
        #expect(world.script.borders.filter { $0.operation == .scan }.count == scans)
    }

    @Test("it is repeated in the midst of a long sweep too")
    func longSweep() async throws {
        let world = try await prepared(["gone", "gone2", "gone3"])
        let audit = try await world.audit()
        world.script.at(.after, .sweep) { [weak world] in
            world?.clock.advance(.hours(2))
            world?.source.insert("Setting", ["id": .text("1"), "value": .text("gone2")])
        }
        let results = try await sweep(world, audit)
        #expect(results.map(\.outcome) == [.done, .stale, .done])
        #expect(world.bucket.held.map(\.key) == [ObjectKey("gone2")])
    }

    @Test("where it cannot be repeated, nothing more is removed")
    func unreadableScan() async throws {
        let world = try await prepared()
        let audit = try await world.audit()
        world.clock.advance(.hours(2))
        world.source.breakTable("Song")
        await #expect(throws: Refusal.self) { try await sweep(world, audit) }
        #expect(world.bucket.held.count == 1)
    }

    @Test("an owner that references the object when the sweep acts takes the looks back")
    func lateOwner() async throws {
        let world = try await prepared()
        let audit = try await world.audit()
        world.write(song: "gone", ["cover": .text("gone")])
        world.source.set("Song", Array("gone".utf8), ["changed": .moment(World.longAgo)])
        #expect(try await sweep(world, audit).map(\.outcome) == [.stale])
        world.source.set("Song", Array("gone".utf8), ["cover": .null])
        #expect(try await need(world)?.contains("(0 so far)") == true)
    }
}
