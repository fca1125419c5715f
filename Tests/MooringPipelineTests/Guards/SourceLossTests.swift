import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A whole source beside a bigger one that is emptied, exchanged or taken out of the configuration.
@Suite("Guards and whole sources")
struct SourceLossTests {
    private static let song = "app.Song.cover"

    // A complete run of some days ago that counted this, and the bucket beside it.
    private func counted(
        _ world: World, _ counts: [(place: String, fingerprint: String, count: Int)],
        daysAgo days: Int64 = 1
    ) throws {
        let start = World.start - .days(days)
        let ledger = try world.ledger()
        let run = RunSummary(
            id: RunID(startingAt: start), command: "audit", programVersion: "test",
            startedAt: start, configuration: world.configuration.fingerprint)
        try ledger.begin(run)
        let objects = PlaceCount(
            kind: .objects, place: "media",
            fingerprint: world.configuration.fingerprint(of: .bucket("media")), count: 1)
        try ledger.record(
            [objects]
                + counts.map {
                    PlaceCount(
                        kind: .references, place: $0.place, fingerprint: $0.fingerprint,
                        count: $0.count)
                }, of: run.id, forgetting: .distantPast)
    }

    private func world() throws -> World {
        let world = try PlaceGuardTests.world(cover: "level: root")
        for number in 0..<100 {
            world.album("a\(number)", "[\"i\(number)\"]")
            world.object("i\(number)")
        }
        return world
    }

    private func accepted(_ name: String, _ run: RunID, share: Double = 1) -> Acceptance {
        Acceptance(texts: [name: "\(share)@\(run.text)"], numbers: [name: share])
    }

    @Test("a small source beside a big one that holds nothing any more removes nothing")
    func emptied() async throws {
        let world = try World(CopyGuardTests.file.replacing(", replicaOf: app", with: Self.models))
        let (app, cms) = (try world.source("app"), try world.source("phone"))
        for number in 0..<200 {
            CopyGuardTests.add(app, "s\(number)", version: 3, cover: "s\(number)")
            world.object("s\(number)")
        }
        for number in 0..<8 {
            CopyGuardTests.add(cms, "c\(number)", version: 3, cover: "c\(number)")
            world.object("c\(number)")
        }
        _ = try await world.audit()
        for number in 0..<8 { cms.delete("Song", Array("c\(number)".utf8)) }
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit).contains("referenceDrop:phone"))
            #expect(audit.tally.steps == 0 && PlaceGuardTests.refusal(world, audit) != nil)
        }
        let last = try await world.audit()
        let accepted = accepted("referenceDrop:phone", last.summary.id)
        let taken = try await world.audit(accepting: accepted)
        #expect(!PlaceGuardTests.refused(taken).contains("referenceDrop:phone"))
        world.clock.advance(.hours(1))
        let next = PlaceGuardTests.refused(try await world.audit())
        #expect(!next.contains("referenceDrop:phone"))
    }

    private static let models = """
        , models: [{model: Song, changed: changed, version: version, files: [{field: cover}]}]
        """

    @Test("a field whose store is another now is compared with what it held, until it is accepted")
    func exchanged() async throws {
        let name = "referenceDrop:" + Self.song
        for now in [0, 20] {
            let world = try world()
            try counted(world, [(Self.song, "another store", 45)])
            for number in 0..<now {
                world.song("s\(number)", cover: "s\(number)")
                world.object("s\(number)")
            }
            for _ in 0..<9 {
                world.clock.advance(.hours(25))
                #expect(PlaceGuardTests.refused(try await world.audit()) == [name])
            }
            let run = try await world.audit().summary.id
            let audit = try await world.audit(
                accepting: accepted(name, run, share: now == 0 ? 1 : 0.5556))
            #expect(PlaceGuardTests.refused(audit).isEmpty)
            world.clock.advance(.hours(25))
            #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        }
    }

    @Test("a whole source whose store is another now counts, however little it held")
    func smallExchanged() async throws {
        let world = try World(CopyGuardTests.file.replacing(", replicaOf: app", with: Self.models))
        let app = try world.source("app")
        for number in 0..<200 {
            CopyGuardTests.add(app, "s\(number)", version: 3, cover: "s\(number)")
            world.object("s\(number)")
        }
        try counted(world, [("phone.Song.cover", "another store", 8)])
        for _ in 0..<2 {
            world.clock.advance(.hours(25))
            #expect(PlaceGuardTests.refused(try await world.audit()) == ["referenceDrop:phone"])
        }
    }

    @Test("another mapping under which as much is counted asks nothing, and is its own usual count")
    func mappedAnew() async throws {
        let world = try world()
        try counted(world, [(Self.song, "another mapping", 45)])
        for number in 0..<40 {
            world.song("s\(number)", cover: "s\(number)")
            world.object("s\(number)")
        }
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        for number in 0..<6 { world.source.delete("Song", Array("s\(number)".utf8)) }
        // 34 are a quarter less than 45, and 15 in a hundred less than 40.
        world.clock.advance(.hours(25))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("a source that is no longer configured refuses removals until that is accepted, once")
    func absent() async throws {
        let world = try world()
        world.object("hero-1")
        try counted(
            world, [("cms.Page.hero", "gone", 8), (Self.song, "gone too", 0), ("cms.X.y", "z", 0)])
        for _ in 0..<10 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit) == ["referenceDrop:cms"])
            #expect(audit.findings.about("hero-1")?.needs?.proof == "second sighting")
            let told = try #require(PlaceGuardTests.refusal(world, audit))
            #expect(told.description.contains("records 'cms' are no longer configured"), "\(told)")
            #expect(told.description.contains("referenceDrop at cms is no references (8 before)"))
        }
        let audit = try await world.audit()
        let accepted = accepted("referenceDrop:cms", audit.summary.id)
        #expect(PlaceGuardTests.refusal(world, audit, accepted) == nil)
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        }
    }

    @Test("the accepting run itself keeps the acceptance, too")
    func acceptedInRun() async throws {
        let world = try world()
        try counted(world, [("cms.Page.hero", "gone", 8)])
        let run = try await world.audit().summary.id
        let taken = try await world.audit(accepting: accepted("referenceDrop:cms", run))
        #expect(PlaceGuardTests.refused(taken).isEmpty)
        world.clock.advance(.hours(1))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("what went long ago, what another name reads, and what lay beside another bucket is none")
    func noAbsence() async throws {
        let old = try world()
        try counted(old, [("cms.Page.hero", "gone", 8)], daysAgo: 20)
        try counted(old, [(Self.song, "x", 0)], daysAgo: 2)
        #expect(PlaceGuardTests.refused(try await old.audit()).isEmpty)
        let renamed = try world()
        let same = renamed.configuration.fingerprint(
            of: .field(source: "app", model: "Album", field: "images"))
        try counted(renamed, [("main.Album.images", same, 100)])
        #expect(PlaceGuardTests.refused(try await renamed.audit()).isEmpty)
        let beside = try world()
        let ledger = try beside.ledger()
        let start = World.start - .days(1)
        let run = RunSummary(
            id: RunID(startingAt: start), command: "audit", programVersion: "test",
            startedAt: start, configuration: "another")
        try ledger.begin(run)
        try ledger.record(
            [
                PlaceCount(kind: .objects, place: "photos", fingerprint: "p", count: 8),
                PlaceCount(kind: .references, place: "cms.Page.hero", fingerprint: "q", count: 8),
            ], of: run.id, forgetting: .distantPast)
        #expect(PlaceGuardTests.refused(try await beside.audit()).isEmpty)
    }

    @Test("a runs' newest counts are asked for, however long ago that was")
    func longPause() async throws {
        let world = try world()
        try counted(world, [("cms.Page.hero", "gone", 8)], daysAgo: 40)
        #expect(PlaceGuardTests.refused(try await world.audit()) == ["referenceDrop:cms"])
    }

    @Test("a small copy is not emptied because its authority's store is another one now")
    func movedAuthority() async throws {
        for moved in [false, true] {
            let world = try World(CopyGuardTests.file)
            let (app, phone) = (try world.source("app"), try world.source("phone"))
            for number in 0..<200 {
                CopyGuardTests.add(app, "s\(number)", version: 3, cover: "s\(number)")
                world.object("s\(number)")
            }
            for number in 0..<3 {
                CopyGuardTests.add(phone, "p\(number)", version: 3, cover: "s\(number)")
            }
            if moved { try counted(world, [(Self.song, "another store", 200)]) }
            for _ in 0..<3 {
                world.clock.advance(Sample.grace + .hours(1))
                let audit = try await world.audit()
                guard audit.tally.steps > 0 else { continue }
                #expect(audit.tally.steps == 3)
                #expect(
                    PlaceGuardTests.refused(audit) == (moved ? ["recordShare:phone.Song"] : []))
                #expect((PlaceGuardTests.refusal(world, audit) != nil) == moved)
            }
        }
    }

    // Twenty songs with their covers were counted, and are gone since.
    private func songsGone() async throws -> World {
        let world = try world()
        for number in 0..<20 {
            world.song("s\(number)", cover: "s\(number)")
            world.object("s\(number)")
        }
        _ = try await world.audit()
        for number in 0..<20 { world.source.delete("Song", Array("s\(number)".utf8)) }
        return world
    }

    @Test("a reviewed run is the newest complete one or a young one, and no later accident's")
    func reviewedRun() async throws {
        let (world, name) = (try await songsGone(), "referenceDrop:" + Self.song)
        let first = try await world.audit().summary.id
        world.clock.advance(.hours(30))
        // The newest one, however old.
        #expect(
            PlaceGuardTests.refused(try await world.audit(accepting: accepted(name, first)))
                .isEmpty)
        // Not the newest any more, and older than a plan may be.
        await #expect {
            try await world.audit(accepting: accepted(name, first))
        } throws: { error in
            "\(error)".contains("is neither the newest complete run nor younger than 1d")
        }
    }

    @Test("a young run that was reviewed is accepted, though another has looked since")
    func youngReview() async throws {
        let (world, name) = (try await songsGone(), "referenceDrop:" + Self.song)
        let first = try await world.audit().summary.id
        world.clock.advance(.hours(10))
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refusal(world, audit, accepted(name, first)) == nil)
        #expect(PlaceGuardTests.refusal(world, audit, accepted(name, audit.summary.id)) == nil)
    }
}
