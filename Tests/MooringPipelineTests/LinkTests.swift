import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("What symbolic links lead to")
struct LinkTests {
    private static let repair = "repair: {retention: 30d}"

    /// A world whose only settled orphan is `old`, beside objects that records reference.
    private func prepared(_ rest: String = Self.repair) async throws -> World {
        let world = try World(Sample.file(rest: rest))
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        world.song("old", cover: nil)
        world.object("old")
        world.song("shown", cover: "shown")
        world.object("shown")
        // A link to nothing of this bucket makes it one of folders.
        world.bucket.link("album-0", to: LinkedPlace(bucket: "media", key: ObjectKey("none")))
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        return world
    }

    private static let old = LinkedPlace(bucket: "media", key: ObjectKey("old"))

    @Test("an object that became a link's target since its plan was made stays")
    func sincePlan() async throws {
        let world = try await prepared()
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.key) == [ObjectKey("old")])
        world.bucket.link("shown", to: Self.old)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason == "a link leads to the object now")
        #expect(world.has("old"))
    }

    @Test("a folder whose links cannot be listed again lets nothing go")
    func unlisted() async throws {
        let world = try await prepared()
        let plan = try world.plan(try await world.audit())
        world.bucket.breakListings(true)
        let refusal = await #expect(throws: Refusal.self) { try await world.repair(plan) }
        #expect(refusal?.kind == .incomplete)
        #expect(
            refusal?.found
                == "the links of bucket 'media' could not be listed again: media: the listing "
                + "broke off")
        #expect(refusal?.next == "mend it, then run the same command again")
        #expect(world.has("old"))
        world.bucket.breakListings(false)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
    }

    @Test("one in quarantine that a referenced link leads to comes back, and is never swept")
    func held() async throws {
        let world = try await prepared()
        try await world.auditAndRepair()
        #expect(!world.has("old"))
        world.bucket.link("shown", to: Self.old)
        for _ in 0..<45 {
            world.clock.advance(.days(1))
            let audit = try await world.audit()
            #expect(audit.quarantine.map(\.need?.proof) == ["no reference"])
        }
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("old", .dangling))
        #expect(finding.cause == .quarantined && finding.action == .restore)
        #expect(
            finding.evidence.first
                == "the symbolic link 'shown' leads to it and is referenced")
        #expect(try await world.repair(try world.plan(audit)).map(\.outcome) == [.done])
        #expect(world.has("old") && world.bucket.held.isEmpty)
    }

    @Test("a link that appears between the look and the sweep keeps its target")
    func beforeSweep() async throws {
        for appears in [true, false] {
            let world = try await prepared()
            try await world.auditAndRepair()
            for _ in 0..<45 {
                world.clock.advance(.days(1))
                _ = try await world.audit()
            }
            let audit = try await world.audit()
            let job = try world.job()
            let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
            let items = stage.items(audit.quarantine)
            #expect(items.count == 1)
            if appears { world.bucket.link("shown", to: Self.old) }
            try await stage.run(items, by: try await world.rights(job)) {
                #expect($0.outcome == (appears ? .stale : .done), "\($0.reason ?? "")")
            }
            #expect(world.bucket.held.count == (appears ? 1 : 0))
        }
    }

    @Test("what a link in quarantine leads to waits for the link's end")
    func heldLink() async throws {
        let world = try await prepared()
        world.bucket.link("shown", to: Self.old)
        world.write(song: "shown", ["cover": .text("album-1")])
        for _ in 0..<3 {
            try await world.auditAndRepair()
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(!world.has("shown") && world.has("old"))
        let finding = try #require(try await world.audit().findings.about("old"))
        #expect(finding.verdict == .undecided)
    }

    @Test("one that was put there before links in quarantine counted is not swept beside its link")
    func heldBesideLink() async throws {
        let world = try await prepared()
        world.write(song: "shown", ["cover": .text("album-1")])
        for _ in 0..<3 {
            try await world.auditAndRepair()
            world.clock.advance(Sample.grace + .hours(1))
        }
        #expect(!world.has("shown") && !world.has("old"))
        world.bucket.link("shown", to: Self.old)
        for _ in 0..<40 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let states = try await world.audit().quarantine
        let old = try #require(states.first { $0.object.key == ObjectKey("old") })
        #expect(old.need?.proof == "an object that no symbolic link leads to")
    }

    @Test("a link of one bucket protects what it leads to in another, whichever is listed first")
    func otherBucket() async throws {
        for (holder, target) in [("media", "other"), ("other", "media")] {
            let world = try World(
                Sample.file(
                    bucket: "  - name: other\n    directory: ./other\n    quarantine: .q/"))
            world.song("shown", cover: "shown")
            world.object("shown")
            try world.bucket(holder).put("link", at: World.longAgo)
            try world.bucket(target).put("real", at: World.longAgo)
            for _ in 0..<2 {
                _ = try await world.audit()
                world.clock.advance(Sample.grace + .hours(1))
            }
            #expect(try await world.audit().findings.about("real")?.verdict != .undecided)
            try world.bucket(holder).link(
                "link", to: LinkedPlace(bucket: target, key: ObjectKey("real")))
            let finding = try #require(try await world.audit().findings.about("real"))
            #expect(finding.verdict == .undecided)
            #expect(finding.evidence.contains { $0.contains("a symbolic link, or a mount, leads") })
        }
    }

    @Test("another bucket's marker or lease below a folder makes that bucket incomplete")
    func bucketBelow() async throws {
        for name in ["store", "lease"] {
            let world = try await prepared()
            world.object("thumbs/.mooring/\(name)")
            let audit = try await world.audit()
            #expect(audit.summary.status == .incomplete)
            #expect(audit.findings.about("thumbs/.mooring/\(name)") == nil)
            let problems = audit.summary.buckets.flatMap(\.scan.problems)
            #expect(problems.contains { $0.contains("another bucket of Mooring lies here") })
        }
        for setting in ["ignore: [\"thumbs/**\"]", "prefixes: [album, old, shown]"] {
            let world = try World(Sample.file(bucket: "    " + setting))
            world.object("album-0")
            world.bucket.link("album-0", to: LinkedPlace(bucket: "media", key: ObjectKey("none")))
            world.object("thumbs/.mooring/store")
            #expect(try await world.audit().summary.status == .complete, "\(setting)")
        }
    }
}
