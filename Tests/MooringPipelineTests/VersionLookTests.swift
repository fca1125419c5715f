import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Which version is meant where a listing tells none")
struct VersionLookTests {
    private static let key = ObjectKey("posts/x")
    private static let inParts = "0123456789abcdef-2"

    /// A world with one orphan that names no owner, so that only two runs prove it.
    private func world(_ policy: String = "quarantine", etag: String = inParts) throws -> World {
        let world = try World(
            Sample.file(cover: "level: root", rest: "repair: {orphan: \(policy)}"))
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.bucket.put(Self.key, etag: etag, at: World.longAgo)
        return world
    }

    private func orphan(_ world: World) async throws -> Finding {
        try #require(try await world.audit().findings.about("posts/x"))
    }

    /// Waits until it is old enough: what comes in parts is as old as it was seen.
    private func settle(_ world: World) async throws {
        world.clock.advance(Sample.grace + .hours(1))
        let finding = try await orphan(world)
        #expect(finding.verdict == .settled && finding.needs?.proof == "second sighting")
    }

    @Test("an object in parts is looked at for its id, and what has its stamp is another by that")
    func inParts() async throws {
        let world = try world()
        let first = try await orphan(world)
        #expect(first.object?.versionID != nil)
        try await settle(world)
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await orphan(world).needs == nil)
        // Begun in the same second, ended now.
        world.bucket.put(Self.key, etag: Self.inParts, at: World.longAgo)
        let second = try await orphan(world)
        #expect(second.object?.versionID != first.object?.versionID)
        #expect(second.verdict == .explained)
        try await settle(world)
    }

    @Test("an object in one part is looked at only before the act, and its id goes to the journal")
    func inOnePart() async throws {
        let world = try world(etag: "e")
        let first = try await orphan(world)
        #expect(first.verdict == .settled && first.object?.versionID == nil)
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.precondition.object?.versionID) == [nil])
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        let entry = try #require(
            try world.ledger().journal(about: "media", key: Self.key).last)
        #expect(entry.step.precondition.object?.versionID?.hasPrefix("v") == true)
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(world.has("posts/x"))
    }

    @Test("what a look does not tell of an object in parts leaves it undecided")
    func unknown() async throws {
        let world = try world()
        _ = try await orphan(world)
        try await settle(world)
        world.clock.advance(Sample.grace + .hours(1))
        let heads = world.script.borders.count { $0.operation == .head && $0.side == .before }
        world.script.fail(.before, .head, heads + 1)
        let finding = try await orphan(world)
        #expect(finding.verdict == .undecided && finding.action != .quarantine)
        let unseen = "its version could not be looked at: "
        #expect(finding.evidence.contains { $0.hasPrefix(unseen) }, "\(finding.evidence)")
        // Whether what is there now was there in that run, nobody knows.
        #expect(try await orphan(world).verdict == .explained)
        try await settle(world)
    }

    @Test("what goes between the listing and the look is told")
    func gone() async throws {
        let world = try world()
        _ = try await orphan(world)
        try await settle(world)
        let heads = world.script.borders.count { $0.operation == .head && $0.side == .before }
        world.script.at(.before, .head, heads + 1) { [weak world] in
            world?.bucket.remove(Self.key)
        }
        let finding = try await orphan(world)
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.contains("it was listed, and a look did not find it"))
    }

    @Test("an object from before versions were kept gets no tag that versions would take back")
    func nullVersion() async throws {
        for id in ["v1", "null"] {
            let world = try World(Sample.file(rest: "repair: {orphan: tag}"))
            world.bucket.become(.s3(.enabled, deletes: .honoured))
            world.song("k", cover: "keeper")
            world.song("other", cover: "keeper")
            world.object("keeper")
            world.bucket.place(
                ObjectKey("k"),
                ObjectVersion(size: 3, etag: "e", lastModified: World.longAgo, versionID: id))
            _ = try await CapabilityStage(job: try world.job()).tryOut()
            let plan = try world.plan(try await world.audit())
            #expect(plan.steps.map(\.strategy) == [.tag])
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [id == "null" ? .stale : .done])
            #expect((world.bucket.tagged("k") != nil) == (id != "null"))
        }
    }
}
