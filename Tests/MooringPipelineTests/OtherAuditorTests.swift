import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Two configurations: what the one cannot see, it neither sweeps nor forgets")
struct OtherAuditorTests {
    /// A configuration with another source, which holds nothing.
    private static func cms(_ bucket: String = "media", prefixes: String = "[\"\"]") -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: cms
            sqlite: ./cms.sqlite
            models:
              - model: Page
                changed: changed
                files: [{field: images, bucket: \(bucket), list: true}]
        buckets:
          - name: \(bucket)
            directory: ./\(bucket)
            quarantine: .q/
            prefixes: \(prefixes)
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        repair: {retention: 30d}
        """
    }

    private func filled() throws -> World {
        let world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        return world
    }

    /// A world whose orphan `gone` lies in quarantine.
    private func prepared() async throws -> World {
        let world = try filled()
        world.object("gone")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.bucket.held.count == 1)
        return world
    }

    private func nightly(_ world: World, _ audit: () async throws -> Pipeline.Audit) async throws {
        for _ in 0..<45 {
            world.clock.advance(.days(1))
            _ = try await audit()
        }
    }

    private func need(_ audit: Pipeline.Audit) throws -> String? {
        let state = try #require(audit.quarantine.first { $0.object.key == ObjectKey("gone") })
        #expect((state.need == nil) == (state.proof != nil))
        return state.need?.proof
    }

    @Test("what a run put there that this ledger does not know waits, and is known once rebuilt")
    func unknownRun() async throws {
        let world = try filled()
        world.bucket.hold(ObjectKey("gone"), run: RunID(startingAt: World.longAgo))
        try await nightly(world) { try await world.audit() }
        #expect(try need(try await world.audit()) == "a run that this ledger knows")
        let job = try world.job()
        let stage = RebuildStage(job: job)
        try stage.write(
            try stage.missing(try await RebuildStage.list(job.buckets, job.interruption)))
        // No look counted before.
        #expect(try need(try await world.audit())?.contains("(0 so far)") == true)
        try await nightly(world) { try await world.audit() }
        #expect(try need(try await world.audit()) == nil)
    }

    @Test("looks that read other sources count for nothing, and take nothing back")
    func otherSources() async throws {
        let world = try await prepared()
        let other = try OtherAuditor(world, Self.cms())
        try await nightly(world) { try await other.audit() }
        #expect(
            try need(try await other.audit())?.hasPrefix(
                "a scan of records 'app' in the store that run ") == true)
        #expect(try need(try await world.audit())?.contains("(0 so far)") == true)
        try await nightly(world) { try await world.audit() }
        #expect(try need(try await world.audit()) == nil)
        try await other.audit()
        #expect(try need(try await world.audit()) == nil)
    }

    @Test("so do those that read a source of the same name elsewhere")
    func otherStore() async throws {
        let world = try await prepared()
        let elsewhere = Sample.file(rest: "repair: {retention: 30d}")
            .replacing("./app.sqlite", with: "./elsewhere.sqlite")
        let other = try OtherAuditor(world, elsewhere)
        try await nightly(world) { try await other.audit() }
        #expect(try need(try await other.audit())?.hasPrefix("a scan of records 'app'") == true)
        #expect(try need(try await world.audit())?.contains("(0 so far)") == true)
    }

    @Test("a source that joins begins the looks anew")
    func joiningSource() async throws {
        let world = try await prepared()
        try await nightly(world) { try await world.audit() }
        #expect(try need(try await world.audit()) == nil)
        let joined = Sample.file(rest: "repair: {retention: 30d}").replacing(
            "buckets:",
            with: """
                  - name: cms
                    sqlite: ./cms.sqlite
                    models: [{model: Page, files: [{field: images, bucket: media}]}]
                buckets:
                """)
        let both = try OtherAuditor(world, joined)
        #expect(try need(try await both.audit())?.contains("(0 so far)") == true)
        try await nightly(world) { try await both.audit() }
        #expect(try need(try await both.audit()) == nil)
        // Whoever reads fewer rests on looks that read more.
        #expect(try need(try await world.audit()) == nil)
        #expect(try need(try await both.audit())?.contains("(0 so far)") == true)
    }

    @Test("a key outside the prefixes is never swept, not even behind a rebuild")
    func otherPrefix() async throws {
        let world = try filled()
        world.bucket.hold(ObjectKey("gone"), run: RunID(startingAt: World.longAgo))
        let other = try OtherAuditor(world, Self.cms(prefixes: "[\"cms/\"]"))
        let job = try other.job()
        let stage = RebuildStage(job: job)
        try stage.write(
            try stage.missing(try await RebuildStage.list(job.buckets, job.interruption)))
        try await nightly(world) { try await other.audit() }
        #expect(
            try need(try await other.audit())
                == "a configuration whose prefixes cover its key")
    }

    @Test("runs of another configuration between two of its own take no sighting and no sight")
    func inTurn() async throws {
        let world = try filled()
        world.object("pages/x")
        let other = try OtherAuditor(world, Self.cms("elsewhere"))
        other.bucket.put(ObjectKey("public/orphan"), at: World.longAgo)
        var needs: [String?] = []
        for _ in 0..<6 {
            for audit in [try await world.audit(), try await other.audit()] {
                needs.append(
                    try #require(audit.findings.first { $0.kind == .orphan }).needs?.proof)
            }
            world.clock.advance(.days(1))
        }
        #expect(needs.prefix(2).allSatisfy { $0 != nil })
        #expect(needs.suffix(2) == [nil, nil])
    }

    @Test("a finding that its own configuration saw settled no longer starts anew all the same")
    func ownForgets() async throws {
        let world = try filled()
        world.object("pages/x")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        world.source.insert("Setting", ["id": .text("1"), "value": .text("pages/x")])
        _ = try await world.audit()
        world.source.delete("Setting", Array("1".utf8))
        let audit = try await world.audit()
        #expect(audit.findings.about("pages/x")?.needs != nil)
    }

    @Test("a run outdates no plan of another configuration that shares no store with it")
    func outdating() async throws {
        let world = try filled()
        let other = try OtherAuditor(world, Self.cms("elsewhere"))
        let sharing = try OtherAuditor(world, Self.cms())
        let (audit, others) = (try await world.audit(), try await other.audit())
        _ = try world.plan(audit)
        _ = try other.plan(others)
        _ = try await sharing.audit()
        let refusal = #expect(throws: Refusal.self) { try world.plan(audit) }
        #expect(refusal?.found.contains("has looked at everything since") == true)
        #expect(refusal?.next.hasPrefix("run mooring audit") == true)
    }
}
