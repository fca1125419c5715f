import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

@Suite("Contents of one key of which nobody knows which is newer, and copies on another disk")
struct OlderContentTests {
    private func prepared(
        _ kind: BucketKind = .folder, etag: String? = nil, at moment: Instant? = nil
    ) async throws -> World {
        let world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.bucket.become(kind.traits)
        world.song("keeper", cover: "keeper", owner: "me")
        world.object("keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.object("album-\(number)")
        }
        world.bucket.put(
            ObjectKey("gone"), Array("one".utf8), etag: etag, at: moment ?? World.longAgo)
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.runs(holding: "gone").count == 1)
        return world
    }

    @Test(
        "behind a ledger from a backup neither of two is given back, and both runs are named",
        arguments: BucketKind.allCases)
    func unknownOrder(kind: BucketKind) async throws {
        let world = try await prepared(kind)
        let known = try #require(world.runs(holding: "gone").first)
        world.clock.advance(.days(1))
        let unknown = RunID(startingAt: world.clock.now)
        world.bucket.hold(ObjectKey("gone"), run: unknown, Array("two".utf8), etag: "of two")
        world.write(song: "gone", ["cover": .text("gone")])
        for isRebuilt in [false, true] {
            if isRebuilt {
                let job = try world.job()
                let stage = RebuildStage(job: job)
                try stage.write(
                    try stage.missing(
                        try await RebuildStage.list(job.buckets, job.interruption)))
            }
            let audit = try await world.audit()
            let finding = try #require(audit.findings.about("gone", .dangling))
            #expect(finding.verdict == .undecided)
            let told = finding.evidence.joined()
            #expect(told.contains(known.text) && told.contains(unknown.text))
            #expect(
                finding.evidence.last?.hasSuffix(
                    " both hold an object of its key; the newer is unknown: mooring ledger "
                        + "rebuild, undo RUN") == true)
            try await world.repair(try world.plan(audit))
            #expect(!world.has("gone") && world.cover("gone") == "gone")
        }
        _ = try await world.undo(unknown)
        #expect(world.content("gone") == "two")
    }

    @Test("of an attribute that nobody mapped the same holds")
    func unmapped() async throws {
        let world = try await prepared()
        world.clock.advance(.days(1))
        let unknown = RunID(startingAt: world.clock.now)
        world.bucket.hold(ObjectKey("gone"), run: unknown, Array("two".utf8), etag: "of two")
        world.source.insert("Setting", ["id": .text("1"), "value": .text("gone")])
        let audit = try await world.audit()
        let finding = try #require(audit.findings.about("gone", .unmappedReference))
        #expect(finding.verdict == .undecided && finding.action == .keep)
        #expect(finding.evidence.joined().contains(unknown.text))
        try await world.repair(try world.plan(audit))
        #expect(!world.has("gone"))
    }

    @Test("where both are the same, or no run is known, there is no doubt")
    func noDoubt() async throws {
        let world = try await prepared(etag: "of one")
        world.bucket.hold(
            ObjectKey("gone"), run: RunID(startingAt: world.clock.now), Array("one".utf8),
            etag: "of one")
        for (hour, content) in [(1, "old"), (2, "new")] as [(Int64, String)] {
            world.bucket.hold(
                ObjectKey("song"), run: RunID(startingAt: World.longAgo + .hours(hour)),
                Array(content.utf8))
        }
        world.write(song: "gone", ["cover": .text("gone")])
        world.write(song: "song", ["cover": .text("song")])
        try await world.auditAndRepair()
        #expect(world.content("gone") == "one" && world.content("song") == "new")
    }

    @Test("an older file that a person put at the key stands in no newer one's place")
    func olderFile() async throws {
        let world = try await prepared(at: World.start - .days(5))
        world.bucket.put(
            ObjectKey("gone"), Array("backup".utf8), at: World.start - .days(40))
        world.write(song: "gone", ["cover": .text("gone")])
        world.clock.advance(.days(31))
        for _ in 0..<16 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let state = try #require(try await world.audit().quarantine.first)
        let newer = "proof that what lies at its key is newer: "
        #expect(
            state.need?.proof == newer + "the object there now was written before it")
        #expect(!state.livesAgain && state.proof == nil)
        // One that was written later does.
        world.bucket.put(ObjectKey("gone"), Array("again".utf8))
        for _ in 0..<16 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let later = try #require(try await world.audit().quarantine.first)
        #expect(later.livesAgain && later.need == nil)
        // An object that goes before the sweep leaves the one in quarantine to its references.
        let audit = try await world.audit()
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        let items = stage.items(audit.quarantine)
        #expect(items.count == 1)
        world.bucket.remove(ObjectKey("gone"))
        var reasons: [String?] = []
        try await stage.run(items, by: try await world.rights(job)) { reasons.append($0.reason) }
        #expect(
            reasons == [
                "no object is at its key any more that stands in its place, and records reference "
                    + "it"
            ])
        #expect(world.bucket.held.count == 1)
    }

    @Test("an empty file at the key stands in nobody's place")
    func emptyFile() async throws {
        let world = try await prepared(at: World.start - .days(5))
        world.bucket.put(ObjectKey("gone"), [], at: World.start - .days(1))
        world.write(song: "gone", ["cover": .text("gone")])
        for _ in 0..<47 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let state = try #require(try await world.audit().quarantine.first)
        #expect(
            state.need?.proof == "an object with content at its key: the one there now is empty")
        #expect(state.proof == nil)
    }

    @Test("a folder that was copied to another disk is given back and swept: inodes prove nothing")
    func otherDisk() async throws {
        let world = try await prepared(etag: "s3.m1.i7")
        let run = try #require(world.runs(holding: "gone").first)
        let found = world.bucket.held.first?.stored.version.lastModified
        world.bucket.hold(
            ObjectKey("gone"), run: run, Array("one".utf8), etag: "s3.m1.i8", at: found)
        for _ in 0..<46 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let state = try #require(try await world.audit().quarantine.first)
        #expect(state.need == nil)
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(world.content("gone") == "one")
    }

    @Test("but what was written to since is neither")
    func writtenSince() async throws {
        let world = try await prepared(etag: "s3.m1.i7")
        let run = try #require(world.runs(holding: "gone").first)
        world.bucket.hold(ObjectKey("gone"), run: run, Array("two".utf8), etag: "s3.m2.i7")
        let state = try #require(try await world.audit().quarantine.first)
        #expect(state.need?.proof.contains("as it was when it was judged") == true)
        #expect(try await world.undo(run).map(\.outcome) == [.stale])
        #expect(!world.has("gone"))
    }
}
