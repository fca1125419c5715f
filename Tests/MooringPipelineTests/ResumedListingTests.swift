import MooringModel
import MooringPipeline
import Testing

/// A listing that goes on with an earlier run's is as old as that one, whatever depends on it.
@Suite("A listing that two runs made")
struct ResumedListingTests {
    // One orphan that names no owner, so that only two runs prove it.
    private func prepared(orphanSince birth: Instant = World.longAgo) throws -> World {
        let world = try World(Sample.file(cover: "level: root"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.bucket.put("posts/x", at: birth)
        return world
    }

    private func orphan(_ world: World) async throws -> Finding {
        try #require(try await world.audit().findings.about("posts/x"))
    }

    @Test("what was young when the first of them began is not settled")
    func verdict() async throws {
        let begin = World.start - .minutes(50)
        let world = try prepared(orphanSince: begin - Sample.grace + .minutes(1))
        world.bucket.resumeListings(since: begin)
        let audit = try await world.audit()
        #expect(audit.findings.about("posts/x")?.verdict == .explained)
        #expect(audit.summary.buckets.first?.scan.window.from == begin)
        world.bucket.resumeListings(since: nil)
        #expect(try await orphan(world).verdict == .settled)
    }

    @Test("the grace between two runs ends where the first of them began")
    func sightings() async throws {
        let world = try prepared()
        #expect(try await orphan(world).needs?.proof == "second sighting")
        world.clock.advance(Sample.grace + .minutes(10))
        world.bucket.resumeListings(since: world.clock.now - .minutes(20))
        #expect(try await orphan(world).needs?.proof == "second sighting")
        world.bucket.resumeListings(since: nil)
        #expect(try await orphan(world).needs == nil)
    }

    @Test("a reference whose object came meanwhile is no finding")
    func objectBetween() async throws {
        let world = try prepared()
        world.song("late", cover: "late", changed: World.longAgo)
        #expect(try await world.audit().findings.about("late", .dangling)?.verdict == .settled)
        // Listed before it came, and seen by the look at what is missing.
        world.bucket.put("late")
        world.bucket.resumeListings(since: world.clock.now - .minutes(20))
        let audit = try await world.audit()
        #expect(audit.findings.about("late", .dangling) == nil)
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("a listing that began anew is judged by this run's own beginning")
    func whole() async throws {
        let world = try prepared(orphanSince: World.start - Sample.grace)
        #expect(try await orphan(world).verdict == .settled)
    }
}
