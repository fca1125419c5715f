import MooringModel
import MooringPipeline
import Testing

@Suite("What several runs prove together")
struct SightingTests {
    /// A world with one orphan that names no owner, so that only two runs prove it.
    private func prepared(etag: String? = nil) throws -> World {
        let world = try World(Sample.file(cover: "level: root"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.bucket.put("posts/x", etag: etag, at: World.longAgo)
        return world
    }

    private func orphan(_ world: World) async throws -> Finding {
        try #require(try await world.audit().findings.about("posts/x"))
    }

    @Test("a second run a grace later proves what the first one saw")
    func secondSighting() async throws {
        let world = try prepared()
        let first = try await orphan(world)
        #expect(first.verdict == .settled && first.runs == 1)
        #expect(first.needs?.proof == "second sighting")
        world.clock.advance(Sample.grace - .minutes(1))
        let early = try await orphan(world)
        #expect(early.needs != nil && early.runs == 2)
        #expect(early.firstSeen == first.firstSeen)
        world.clock.advance(.minutes(1))
        let audit = try await world.audit()
        #expect(audit.findings.about("posts/x")?.needs == nil)
        #expect(try world.plan(audit).steps.map(\.key) == [ObjectKey("posts/x")])
    }

    @Test("a run that does not see the finding starts it anew")
    func gap() async throws {
        let world = try prepared()
        _ = try await orphan(world)
        world.write(song: "keeper", ["cover": .text("posts/x")])
        #expect(try await world.audit().findings.about("posts/x") == nil)
        world.write(song: "keeper", ["cover": .text("keeper")])
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs?.proof == "second sighting")
    }

    @Test("another version of the object starts it anew")
    func otherVersion() async throws {
        let world = try prepared()
        _ = try await orphan(world)
        world.bucket.put("posts/x", at: World.longAgo)
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs?.proof == "second sighting")
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs == nil)
    }

    @Test("an incomplete run neither proves anything nor takes a proof away")
    func incompleteRunBetween() async throws {
        let world = try prepared()
        world.source.breakTable("Setting")
        #expect(try await world.audit().summary.status == .incomplete)
        world.source.breakTable(nil)
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs?.proof == "second sighting")
        world.source.breakTable("Setting")
        _ = try await world.audit()
        world.source.breakTable(nil)
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs == nil)
    }

    @Test("a run under --as-of judges by that moment and leaves no sighting")
    func asOf() async throws {
        let world = try prepared()
        let audit = try await world.audit(asOf: World.start - .days(30))
        #expect(audit.findings.about("posts/x")?.verdict == .settled)
        #expect(throws: Refusal.self) { try world.plan(audit) }
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs?.proof == "second sighting")
        let early = try await world.audit(asOf: World.longAgo + .hours(1))
        #expect(early.findings.about("posts/x")?.verdict == .explained)
    }

    @Test("a multipart object is born when it is first seen")
    func multipart() async throws {
        let world = try prepared(etag: "0123456789abcdef-3")
        let first = try await orphan(world)
        #expect(first.verdict == .explained)
        world.clock.advance(Sample.grace - .hours(1))
        #expect(try await orphan(world).verdict == .explained)
        world.clock.advance(.hours(1))
        #expect(try await orphan(world).verdict == .settled)
        world.bucket.put("posts/x", etag: "fedcba9876543210-3", at: World.longAgo)
        #expect(try await orphan(world).verdict == .explained)
    }

    @Test("where devices set the change time, a row version changed when it was first seen")
    func changedByDevice() async throws {
        let world = try World(Sample.file(changedBy: "device"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("r", cover: "gone")
        world.song("k", cover: "keeper")
        world.object("k")
        let first = try await world.audit().findings
        #expect(first.about("gone", .dangling)?.verdict == .explained)
        #expect(first.about("k")?.needs?.after.map { $0 > World.start + .days(3) } == true)
        world.clock.advance(Sample.grace + .hours(1))
        let second = try await world.audit().findings
        #expect(second.about("gone", .dangling)?.verdict == .settled)
        #expect(second.about("gone", .dangling)?.needs == nil)
        #expect(second.about("k")?.needs == nil)
        world.source.set("Song", Array("r".utf8), ["version": .integer(2)])
        #expect(try await world.audit().findings.about("gone", .dangling)?.verdict == .explained)
    }

    @Test("a tombstone whose time a device set is as old as our first sight of it")
    func tombstoneByDevice() async throws {
        for (clock, proof) in [("server", nil), ("device", "settled owner")] {
            let world = try World(
                Sample.file(
                    changedBy: clock, race: ", relink: never", rest: "repair: {orphan: delete}"))
            world.song("keeper", cover: "keeper")
            world.object("keeper")
            world.song("k", cover: "keeper")
            world.object("k")
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            #expect(try await world.audit().findings.about("k")?.needs == nil)
            world.source.set(
                "Song", Array("k".utf8), ["deleted": .integer(1), "version": .integer(2)])
            #expect(try await world.audit().findings.about("k")?.needs?.proof == proof)
            world.clock.advance(Sample.grace + .hours(1))
            #expect(try await world.audit().findings.about("k")?.needs == nil)
        }
    }

    @Test("under optimistic conflicts a dangling reference needs a second sighting")
    func optimistic() async throws {
        let world = try World(Sample.file(race: ", conflicts: optimistic"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("r", cover: "gone")
        let first = try #require(try await world.audit().findings.about("gone", .dangling))
        #expect(first.verdict == .settled && first.needs?.proof == "second sighting")
        world.clock.advance(.hours(2))
        #expect(try await world.audit().findings.about("gone", .dangling)?.needs == nil)
    }

    @Test("a clock difference that was measured lengthens the grace")
    func clockDifference() async throws {
        let world = try prepared()
        world.object("young", at: World.start)
        world.clock.advance(Sample.grace + .minutes(1))
        let audit = try await world.audit(clock: .minutes(2))
        #expect(audit.findings.about("young")?.verdict == .explained)
        #expect(try await world.audit(clock: .zero).findings.about("young")?.verdict == .settled)
    }
}
