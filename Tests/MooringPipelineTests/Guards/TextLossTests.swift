import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// Objects that only texts of a source protect: their loss is measured as that of references is.
@Suite("Guards and texts")
struct TextLossTests {
    private static let name = "referenceDrop:app"

    // Twenty objects that settings alone name, and a hundred that albums reference.
    private func world(_ rest: String = "") throws -> World {
        let world = try PlaceGuardTests.world(rest, cover: "level: root")
        for number in 0..<100 {
            world.album("a\(number)", "[\"i\(number)\"]")
            world.object("i\(number)")
        }
        for number in 0..<20 {
            set(world, number)
            world.object("banners/\(number).png")
        }
        return world
    }

    private func set(_ world: World, _ number: Int) {
        world.source.insert(
            "Setting",
            ["id": .text("k\(number)"), "value": .text("see banners/\(number).png there")])
    }

    private func clear(_ world: World, _ numbers: Range<Int>) {
        for number in numbers { world.source.delete("Setting", Array("k\(number)".utf8)) }
    }

    private func accepted(_ name: String, _ run: RunID, share: Double = 1) -> Acceptance {
        Acceptance(texts: [name: "\(share)@\(run.text)"], numbers: [name: share])
    }

    @Test("texts that went refuse removals until that is accepted, once", arguments: [20, 11])
    func emptied(count: Int) async throws {
        let world = try world()
        _ = try await world.audit()
        clear(world, 0..<count)
        for _ in 0..<10 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit) == [Self.name])
            #expect(audit.findings.about("banners/0.png")?.needs?.proof == "second sighting")
            let told = try #require(PlaceGuardTests.refusal(world, audit))
            #expect(told.description.contains("no longer name the objects"), "\(told)")
        }
        let last = try await world.audit()
        let share = Double(count) / 20
        let taken = try await world.audit(
            accepting: accepted(Self.name, last.summary.id, share: share))
        #expect(PlaceGuardTests.refused(taken).isEmpty)
        world.clock.advance(.hours(1))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("no loss: a few, what a field holds by now, and objects that went with their texts")
    func noLoss() async throws {
        for course in ["few", "mapped", "deleted"] {
            let world = try world()
            _ = try await world.audit()
            for number in 0..<20 {
                switch course {
                case "mapped":
                    clear(world, number..<(number + 1))
                    world.song("s\(number)", cover: "banners/\(number).png")
                case "deleted":
                    clear(world, number..<(number + 1))
                    world.bucket.remove(ObjectKey("banners/\(number).png"))
                default:
                    if number < 9 { clear(world, number..<(number + 1)) }
                }
            }
            for _ in 0..<2 {
                world.clock.advance(Sample.grace + .hours(1))
                let refused = PlaceGuardTests.refused(try await world.audit())
                #expect(!refused.contains(Self.name), "\(course)")
            }
        }
    }

    @Test("words that say what texts are begin anew, another store does not")
    func words() async throws {
        for words in ["notReferences: [Setting]", "unread: [Setting]", ""] {
            let world = try world()
            _ = try await world.audit()
            if words.isEmpty { clear(world, 0..<20) }
            let file = Sample.file(cover: "level: root").replacing(
                "    sqlite: ./app.sqlite\n",
                with: words.isEmpty
                    ? "    sqlite: ./other.sqlite\n"
                    : "    sqlite: ./app.sqlite\n    \(words)\n")
            world.clock.advance(.hours(1))
            let audit = try await OtherAuditor(world, file).audit()
            #expect(PlaceGuardTests.refused(audit).contains(Self.name) == words.isEmpty)
        }
    }

    // A complete run of a day ago that counted this beside the bucket.
    private func counted(
        _ world: World, _ counts: [PlaceCount], daysAgo days: Int64 = 1
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
        try ledger.record([objects] + counts, of: run.id, forgetting: .distantPast)
    }

    @Test("a source of texts alone that is no longer configured refuses until it is accepted")
    func absent() async throws {
        let world = try world()
        try counted(
            world, [PlaceCount(kind: .texts, place: "cms", fingerprint: "s:w", count: 7)])
        let first = try await world.audit()
        #expect(PlaceGuardTests.refused(first) == ["referenceDrop:cms"])
        let taken = try await world.audit(
            accepting: accepted("referenceDrop:cms", first.summary.id))
        #expect(PlaceGuardTests.refused(taken).isEmpty)
        world.clock.advance(.hours(1))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("nor is one absent that only has another name")
    func renamed() async throws {
        let world = try world()
        let print = world.configuration.textsFingerprint(of: "app").text
        try counted(
            world, [PlaceCount(kind: .texts, place: "main", fingerprint: print, count: 7)])
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("a name that begins with another's and a dot is a source of its own")
    func dotted() async throws {
        let world = try world()
        try counted(
            world,
            [
                PlaceCount(kind: .texts, place: "app.archive", fingerprint: "s:w", count: 0),
                PlaceCount(
                    kind: .references, place: "app.archive.Page.hero", fingerprint: "p", count: 7),
            ])
        #expect(
            PlaceGuardTests.refused(try await world.audit()) == ["referenceDrop:app.archive"])
    }

    @Test("models of a configured source that are gone are asked for what they held, once")
    func exchanged() async throws {
        for store in ["another", ""] {
            let world = try world()
            let own = world.configuration.textsFingerprint(of: "app")
            let print = store.isEmpty ? own.text : "\(store):\(own.words)"
            try counted(
                world,
                [
                    PlaceCount(kind: .texts, place: "app", fingerprint: print, count: 0),
                    PlaceCount(
                        kind: .references, place: "app.Photo.file", fingerprint: "p", count: 12),
                ])
            world.object("photos/1")
            for _ in 0..<10 {
                world.clock.advance(Sample.grace + .hours(1))
                let audit = try await world.audit()
                #expect(PlaceGuardTests.refused(audit) == [Self.name])
                #expect(audit.findings.about("photos/1")?.needs?.proof == "second sighting")
                let told = try #require(PlaceGuardTests.refusal(world, audit))
                #expect(told.description.contains("are no longer configured"), "\(told)")
                #expect(told.description.contains("no references (12 before)"), "\(told)")
            }
            let last = try await world.audit()
            let taken = try await world.audit(accepting: accepted(Self.name, last.summary.id))
            #expect(PlaceGuardTests.refused(taken).isEmpty)
            // What was accepted is not counted again where another model goes.
            try counted(
                world,
                [PlaceCount(kind: .references, place: "app.Page.hero", fingerprint: "q", count: 3)],
                daysAgo: 0)
            world.clock.advance(.hours(1))
            let next = try await world.audit()
            let answer = next.summary.guards.filter { $0.name == "referenceDrop" && $0.refused }
            #expect(answer.map(\.value) == ["no references (3 before)"])
        }
    }

    @Test("no loss: a field that another model of its source reads, and one that held nothing")
    func readElsewhere() async throws {
        let world = try world()
        let same = world.configuration.fingerprint(
            of: .field(source: "app", model: "Album", field: "images"))
        try counted(
            world,
            [
                PlaceCount(
                    kind: .references, place: "app.Record.images", fingerprint: same, count: 12),
                PlaceCount(
                    kind: .references, place: "app.Photo.file", fingerprint: "p", count: 0),
            ])
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("a missing model may have meant any bucket, whatever those that are left mean")
    func anyBucket() async throws {
        let world = try World(
            CopyGuardTests.file.replacing("{field: cover}", with: "{field: cover, bucket: media}")
                .replacing(".q/}]", with: ".q/}, {name: masters, directory: ./masters}]"))
        try counted(
            world,
            [PlaceCount(kind: .references, place: "app.Master.file", fingerprint: "p", count: 12)])
        CopyGuardTests.add(try world.source("app"), "song", version: 3, cover: "s")
        world.object("s")
        try world.bucket("masters").put("m", at: World.longAgo)
        for _ in 0..<2 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit) == [Self.name])
            #expect(audit.findings.about("m")?.needs?.proof == "second sighting")
        }
    }
}
