import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What a device may do to the song `s` and its orphan `s` while it is linked.
enum LinkingAct: String, CaseIterable, Sendable {
    case remove, upload, associateOther, deleteRecord, writeElsewhere, associate

    func run(_ world: World) {
        switch self {
        case .remove: world.bucket.remove(ObjectKey("s"))
        case .upload: world.object("s", at: world.clock.now)
        case .associateOther:
            world.object("l", at: world.clock.now)
            world.write(song: "s", ["cover": .text("l")])
        case .deleteRecord: world.source.delete("Song", Array("s".utf8))
        case .writeElsewhere: world.write(song: "s", ["owner": .text("me")])
        case .associate: world.write(song: "s", ["cover": .text("s")])
        }
    }
}

@Suite("Linking an orphan to its owner while devices act")
struct LinkingRaceTests {
    private static let policy = "repair: {orphan: relink}"

    private func prepared() async throws -> (world: World, plan: Plan) {
        let world = try World(Sample.file(rest: Self.policy))
        world.song("other", cover: "keeper")
        world.object("keeper")
        world.song("s", cover: nil)
        world.object("s")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.relink])
        return (world, plan)
    }

    @Test("the owner holds its key again, undo takes that back, and a second audit rests")
    func done() async throws {
        let (world, plan) = try await prepared()
        let before = world.source.records("Song")
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.cover("s") == "s")
        let run = try world.lastRun()
        #expect(try world.plan(try await world.audit()).steps.isEmpty)
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(world.source.records("Song").map { $0["cover"] } == before.map { $0["cover"] })
        #expect(world.has("s"))
    }

    @Test("a list gets its key behind the others; undo gives it back byte for byte")
    func list() async throws {
        let world = try World(Sample.file(rest: Self.policy))
        let key = "a-11111111-2222-3333-4444-555555555555"
        world.object("keeper")
        world.album("a", "[ \"keeper\" ]")
        world.object(key)
        #expect(try await world.auditAndRepair().map(\.outcome) == [.done])
        func images() -> FieldValue? { world.source.records("Album").first?["images"] }
        #expect(images() == .text("[ \"keeper\",\"\(key)\" ]"))
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.done])
        #expect(images() == .text("[ \"keeper\" ]"))
    }

    @Test("at every border, each act of a device: no link stays to an object that is gone")
    func injected() async throws {
        for act in LinkingAct.allCases {
            for border in 0..<10 {
                let (world, plan) = try await prepared()
                world.script.at(border: world.script.borders.count + border) { [weak world] in
                    world.map(act.run)
                }
                let outcome = try await world.repair(plan).first?.outcome
                let why = Comment(rawValue: "\(act) at \(border): \(String(describing: outcome))")
                // Border 8 stands before the last look at the object.
                if act == .remove, border <= 8 { #expect(world.cover("s") == nil, why) }
                if act == .associateOther { #expect(world.cover("s") == "l", why) }
                if act == .deleteRecord { #expect(world.cover("s") == nil, why) }
                if outcome == .done {
                    #expect(act == .deleteRecord || world.cover("s") != nil, why)
                }
                if outcome == .putBack { #expect([.remove, .upload].contains(act), why) }
                if act != .remove { #expect(world.has("s"), why) }
            }
        }
    }

    @Test("dead at any border, the next run ends it, and nothing half done is left")
    func crashes() async throws {
        for border in 0..<10 {
            let (world, plan) = try await prepared()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await world.repair(plan)
            }
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty, "border \(border)")
            #expect(world.has("s"), "border \(border)")
            #expect([nil, "s"].contains(world.cover("s")), "border \(border)")
            world.remove()
        }
    }

    @Test("an owner that is not the only one, or holds another key, gets nothing")
    func refused() async throws {
        let world = try World(Sample.file(cover: "template: \"{id}{*}\"", rest: Self.policy))
        world.song("s", cover: nil)
        world.song("so", cover: nil)
        world.object("song")
        let finding = try #require(try await world.audit().findings.about("song"))
        #expect(finding.action == .relink)
        #expect(finding.needs?.proof == "one owner that is there")
        world.object("keeper")
        world.song("x", cover: "keeper")
        world.object("x")
        #expect(try await world.audit().findings.about("x")?.action == .keep)
    }
}

@Suite("Removing a record whose object is missing")
struct RecordRemovalTests {
    private static let policy = "repair: {dangling: delete-record}"

    /// A world in which two runs G apart saw the reference of `r` to the missing `k`.
    private func prepared(_ model: String = "Post") async throws -> (world: World, plan: Plan) {
        let world = try World(Sample.file(rest: Self.policy))
        world.song("other", cover: "keeper")
        world.object("keeper")
        if model == "Song" {
            world.song("r", cover: "k")
        } else {
            world.source.insert(
                "Note",
                ["id": .text("r"), "scan": .text("k"), "changed": .moment(World.longAgo)])
        }
        let first = try await world.audit()
        #expect(first.findings.about("k", .dangling)?.needs?.proof == "second sighting")
        #expect(try world.plan(first).steps.isEmpty)
        world.clock.advance(Sample.grace + .hours(2))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.deleteRecord])
        return (world, plan)
    }

    @Test("the row goes, and undo says that it cannot be brought back")
    func row() async throws {
        let (world, plan) = try await prepared()
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.source.records("Note").isEmpty)
        let undone = try await world.undo(try world.lastRun())
        #expect(undone.map(\.outcome) == [.stale])
        #expect(undone.first?.reason == "a deleted record cannot be brought back")
    }

    @Test("where records are marked as deleted the row stays as a tombstone")
    func tombstone() async throws {
        let (world, plan) = try await prepared("Song")
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        let row = try #require(world.source.records("Song").first { $0["id"] == .text("r") })
        #expect(row["deleted"] == .integer(1) && row["version"] == .integer(2))
        #expect(row["cover"] == .text("k"))
    }

    @Test("a record that references another object which is there stays")
    func other() async throws {
        let world = try World(Sample.file(rest: Self.policy))
        world.object("keeper")
        world.album("a", "[\"keeper\",\"k\"]")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        let results = try await world.auditAndRepair()
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason == "the record references another object, which is there")
        #expect(world.source.records("Album").count == 1)
    }

    @Test("a record that names an object in a column that nobody mapped stays")
    func unmapped() async throws {
        let tables = Sample.tables.map { name, columns in
            (name: name, columns: name == "Note" ? columns + ["title"] : columns)
        }
        for title in ["keeper", "https://cdn.example/media/keeper?size=1"] {
            let world = try World(Sample.file(rest: Self.policy), tables: tables)
            world.source.insert(
                "Note",
                [
                    "id": .text("r"), "scan": .text("k"), "changed": .moment(World.longAgo),
                    "title": .text(title),
                ])
            world.object("keeper")
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(2))
            let results = try await world.auditAndRepair()
            #expect(results.map(\.outcome) == [.stale])
            #expect(
                results.first?.reason == "a column that is not mapped names an object that is there"
            )
            #expect(world.source.records("Note").count == 1)
        }
    }

    @Test("an object that appears before the removal keeps its record, at every border")
    func appears() async throws {
        for border in 0..<6 {
            let (world, plan) = try await prepared()
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world?.object("k", at: world?.clock.now ?? World.start)
            }
            let outcome = try await world.repair(plan).first?.outcome
            // Border 3 stands behind the look at the object: it appeared after that instant.
            #expect(world.source.records("Note").isEmpty == (outcome == .done), "\(border)")
            if border <= 2 { #expect(outcome == .stale, "\(border)") }
        }
    }

    @Test("dead at any border, the next run ends it")
    func crashes() async throws {
        for border in 0..<8 {
            let (world, plan) = try await prepared()
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                _ = try await world.repair(plan)
            }
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty, "border \(border)")
            world.remove()
        }
    }
}
