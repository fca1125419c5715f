import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// What apps do every day: the guards stand in the way no longer than one accepted command.
@Suite("Guards and daily work")
struct DailyWorkTests {
    /// Accepts what a plan was refused for as its message says: the words behind `--accept`.
    private func accepting(_ refusal: Refusal) throws -> Acceptance {
        let words = refusal.next.split(separator: " --accept ").dropFirst()
        var (texts, numbers): ([String: String], [String: Double]) = ([:], [:])
        for word in words {
            let parts = word.split(separator: "=").map(String.init)
            try #require(parts.count == 2, "\(refusal)")
            texts[parts[0]] = parts[1]
            numbers[parts[0]] = try #require(Double(parts[1].dropLast())) / 100
        }
        try #require(!texts.isEmpty, "\(refusal)")
        return Acceptance(texts: texts, numbers: numbers)
    }

    /// One night: an audit, and the repair, accepted once where it is refused.
    private func night(
        _ world: World, accepted: inout Int, after pause: Duration = .hours(24)
    ) async throws -> Int {
        world.clock.advance(pause)
        let audit = try await world.audit()
        var acceptance = Acceptance()
        if let refusal = PlaceGuardTests.refusal(world, audit) {
            accepted += 1
            acceptance = try accepting(refusal)
        }
        let plan = try world.plan(audit, accepting: acceptance)
        return try await world.repair(plan).count { $0.outcome == .done }
    }

    @Test("an old bucket with eight orphans in a hundred is clean after one accepted command")
    func oldBucket() async throws {
        let world = try PlaceGuardTests.world()
        PlaceGuardTests.fill(world, 460)
        for number in 0..<40 {
            world.song("x\(number)", cover: nil)
            world.object("x\(number)")
        }
        var accepted = 0
        #expect(try await night(world, accepted: &accepted) == 40)
        #expect(accepted == 1)
        // What was accepted does not count in the day's share, nor in the next day's.
        for (name, pause) in [("y", Duration.hours(1)), ("z", .hours(24))] {
            for number in 0..<4 {
                world.song("\(name)\(number)", cover: nil)
                world.object("\(name)\(number)")
            }
            #expect(try await night(world, accepted: &accepted, after: pause) == 4)
            #expect(accepted == 1)
        }
    }

    @Test("an app of fifty records loses a file or three a night, and is never asked")
    func smallApp() async throws {
        let world = try PlaceGuardTests.world()
        PlaceGuardTests.fill(world, 50)
        var accepted = 0
        for number in 0..<6 {
            world.song("x\(number)", cover: nil)
            world.object("x\(number)")
            world.song("gone\(number)", cover: "gone\(number)")
            #expect(try await night(world, accepted: &accepted) == 2)
        }
        #expect(accepted == 0)
    }

    @Test("a deleted account leaves its files, and one accepted command removes them")
    func account() async throws {
        let world = try PlaceGuardTests.world()
        PlaceGuardTests.fill(world, 400)
        var (accepted, done) = (0, 0)
        _ = try await night(world, accepted: &accepted)
        for number in 0..<40 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<6 { done += try await night(world, accepted: &accepted) }
        #expect(done == 40 && accepted == 1)
    }

    @Test("a table that its app empties is accepted once, and so is each time it is told to be")
    func cleanedTable() async throws {
        let world = try PlaceGuardTests.world()
        PlaceGuardTests.fill(world, 200)
        for number in 0..<20 {
            world.source.insert(
                "Note",
                [
                    "id": .text("n\(number)"), "scan": .text("notes/n\(number)"),
                    "changed": .moment(World.longAgo),
                ])
            world.object("notes/n\(number)")
        }
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        for number in 0..<20 {
            world.source.delete("Note", Array("n\(number)".utf8))
            world.bucket.remove(ObjectKey("notes/n\(number)"))
        }
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit) == ["referenceDrop:app.Note.scan"])
        let name = "referenceDrop:app.Note.scan"
        let run = audit.summary.id.text
        for text in ["objectDrop:media", "recordShare:app.Note.scan"] {
            // The run refused neither.
            let other = Acceptance(texts: [text: "100%@\(run)"], numbers: [text: 1])
            #expect(PlaceGuardTests.refusal(world, audit, other) != nil)
        }
        let accepted = Acceptance(texts: [name: "100%@\(run)"], numbers: [name: 1])
        #expect(PlaceGuardTests.refusal(world, audit, accepted) == nil)
        for _ in 0..<3 {
            world.clock.advance(.hours(24))
            #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        }
    }

    @Test("a bucket that was emptied for good is accepted once")
    func retiredBucket() async throws {
        let world = try PlaceGuardTests.world("repair: {dangling: keep}")
        PlaceGuardTests.fill(world, 30)
        _ = try await world.audit()
        for number in 0..<30 { world.bucket.remove(ObjectKey("s\(number)")) }
        let name = "objectDrop:media"
        let run = try await world.audit().summary.id.text
        let accepted = Acceptance(texts: [name: "100%@\(run)"], numbers: [name: 1])
        let taken = try await world.audit(accepting: accepted)
        #expect(!PlaceGuardTests.refused(taken).contains(name))
        for _ in 0..<12 {
            world.clock.advance(.hours(24))
            #expect(!PlaceGuardTests.refused(try await world.audit()).contains(name))
        }
        // One that was filled again is not accepted to be empty.
        world.object("s1")
        _ = try await world.audit()
        world.bucket.remove(ObjectKey("s1"))
        #expect(PlaceGuardTests.refused(try await world.audit()).contains(name))
    }

    @Test("an hourly run that removes what an hour leaves is never asked")
    func hourly() async throws {
        let world = try PlaceGuardTests.world()
        PlaceGuardTests.fill(world, 3_000)
        for hour in 0..<26 {
            world.song("x\(hour)", cover: nil)
            world.object("x\(hour)")
            world.clock.advance(.hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refusal(world, audit) == nil, "hour \(hour)")
            #expect(try await world.repair(world.plan(audit)).map(\.outcome) == [.done])
        }
    }

    @Test("a night's acts that end late are no part of the next night's")
    func nightly() async throws {
        let world = try PlaceGuardTests.world("repair: {dangling: keep}")
        PlaceGuardTests.fill(world, 600)
        for night in 0..<3 {
            for number in 0..<5 {
                world.song("x\(night)-\(number)", cover: nil)
                world.object("x\(night)-\(number)")
            }
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refusal(world, audit) == nil, "night \(night)")
            let plan = try world.plan(audit)
            world.clock.advance(.minutes(10))
            #expect(try await world.repair(plan).count { $0.outcome == .done } == 5)
            world.clock.advance(.hours(24) - .minutes(10))
        }
    }

    @Test("a phone three days behind is refreshed in one night, and nothing of it is removed")
    func phoneBehind() async throws {
        let world = try World(CopyGuardTests.file)
        let (app, phone) = (try world.source("app"), try world.source("phone"))
        for number in 0..<200 {
            CopyGuardTests.add(app, "s\(number)", version: 5, cover: "s\(number)")
            CopyGuardTests.add(phone, "s\(number)", version: 3, cover: "s\(number)")
            world.object("s\(number)")
        }
        var accepted = 0
        #expect(try await night(world, accepted: &accepted) == 200)
        #expect(accepted == 0)
    }
}

@Suite("Guards and copies")
struct CopyGuardTests {
    static let file = """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                changed: changed
                version: version
                deleted: deleted
                files: [{field: cover}]
          - {name: phone, sqlite: ./phone.sqlite, replicaOf: app}
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        """

    static func add(
        _ source: FakeRecordSource, _ id: String, version: Int64, cover: String?
    ) {
        source.insert(
            "Song",
            [
                "id": .text(id), "version": .integer(version),
                "changed": .moment(World.longAgo), "cover": cover.map { .text($0) } ?? .null,
            ])
    }

    private func world() throws -> World {
        let world = try World(Self.file)
        for number in 0..<200 {
            for source in [try world.source("app"), try world.source("phone")] {
                Self.add(source, "s\(number)", version: 3, cover: "s\(number)")
            }
            world.object("s\(number)")
        }
        return world
    }

    @Test("a copy is not emptied with its authority: a loss refuses, whatever has its proof")
    func emptied() async throws {
        let world = try world()
        _ = try await world.audit()
        let app = try world.source("app")
        for number in 0..<100 { app.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<4 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit).contains("referenceDrop:app.Song.cover"))
            #expect(PlaceGuardTests.refusal(world, audit) != nil)
        }
        #expect(try world.source("phone").rows("Song").count == 200)
    }

    @Test("rows of a copy to be removed are a share of the model's, on a first run too")
    func share() async throws {
        let world = try world()
        let app = try world.source("app")
        for number in 0..<100 { app.delete("Song", Array("s\(number)".utf8)) }
        var titles: [String] = []
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            titles += PlaceGuardTests.refused(try await world.audit())
        }
        #expect(titles.contains("recordShare:phone.Song"))
    }
}
