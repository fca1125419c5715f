import MooringModel
import MooringPipeline
import Testing

@Suite("Removing a record that names other objects")
struct RemovalLookTests {
    private static let policy = "repair: {dangling: delete-record}"
    private static let names = "a column that is not mapped names an object that is there"

    /// How the removal of the note `r` ends, whose scan is missing, with this title.
    private func removal(
        title: String, objects: [String] = [], policy: String = policy,
        _ prepare: (World) -> Void = { _ in }
    ) async throws -> StepResult {
        let tables = Sample.tables.map { name, columns in
            (name: name, columns: name == "Note" ? columns + ["title"] : columns)
        }
        let world = try World(Sample.file(rest: policy), tables: tables)
        world.source.insert(
            "Note",
            [
                "id": .text("r"), "scan": .text("k"), "changed": .moment(World.longAgo),
                "title": .text(title),
            ])
        world.object("keeper")
        world.song("s", cover: "keeper")
        for object in objects { world.object(object) }
        prepare(world)
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.deleteRecord])
        let result = try #require(try await world.repair(plan).first)
        #expect(world.source.records("Note").isEmpty == (result.outcome == .done))
        return result
    }

    @Test(
        "a record stays whose other column names an object inside a text",
        arguments: [
            ("[\"videos/a.mp4\"]", "public/videos/a.mp4"),
            ("{\"clip\": {\"key\": \"public/a.mp4\"}}", "public/a.mp4"),
            ("see ![clip](public/a.mp4) and more", "public/a.mp4"),
            ("see ![clip](public/a b.mp4) and more", "public/a b.mp4"),
            ("The clip is public/my first clip.mp4.", "public/my first clip.mp4"),
            ("https://cdn.example/media/public/a%20b.mp4?w=1", "public/a b.mp4"),
            ("arn:aws:s3:::media/public/a.mp4", "public/a.mp4"),
            ("old/server/files/public/a.mp4", "public/a.mp4"),
            ("C:\\files\\a.mp4", "a.mp4"),
            ("public/one.mp4,public/two.mp4", "public/two.mp4"),
            ("public&#x2F;a.mp4", "public/a.mp4"),
            ("x/../public//a.mp4", "public/a.mp4"),
        ])
    func insideText(title: String, object: String) async throws {
        let result = try await removal(title: title, objects: [object])
        #expect(result.outcome == .stale && result.reason == Self.names)
    }

    @Test("under an identity that a record knows, too")
    func underIdentity() async throws {
        let result = try await removal(title: "[\"a.mp4\"]", objects: ["private/eu:1/a.mp4"]) {
            $0.song("mine", cover: "keeper", owner: "eu:1")
        }
        #expect(result.outcome == .stale && result.reason == Self.names)
    }

    @Test(
        "a record goes whose texts name no object",
        arguments: [
            "", "gone.mp4", "a sentence about keepers", "r", "[\"gone.mp4\", 7]", "a//b/../c",
        ])
    func nothingNamed(title: String) async throws {
        #expect(try await removal(title: title).outcome == .done)
    }

    @Test("a record stays that holds more texts than are looked for, and one that is in doubt")
    func cutOff() async throws {
        let words = (0..<1_100).map { "word\($0)" }.joined(separator: " ")
        let long = try await removal(title: words)
        #expect(long.outcome == .stale)
        #expect(
            long.reason == "a column that is not mapped may name an object that is there: "
                + "it holds too many texts to look for")
        let doubt = try await removal(title: "gone.mp4") { world in
            for number in 4...5 { world.script.fail(.before, .head, number) }
        }
        #expect(doubt.outcome == .stale)
        #expect(
            doubt.reason?.hasPrefix("a column that is not mapped may name an object") == true)
    }

    @Test("what another model of the same table references is looked at under its own mapping")
    func otherModel() async throws {
        for (video, outcome) in [("there.mp4", StepOutcome.stale), ("gone.mp4", .done)] {
            let world = try World(
                Self.twoModels, tables: [("Media", ["id", "photo", "video", "owner", "changed"])])
            world.source.insert(
                "Media",
                [
                    "id": .text("m"), "photo": .text("lost.jpg"), "video": .text("[\"\(video)\"]"),
                    "owner": .text("eu:9"), "changed": .moment(World.longAgo),
                ])
            world.object("private/eu:9/there.mp4")
            for number in 0..<3 {
                world.object("public/\(number).jpg")
                world.source.insert(
                    "Media",
                    [
                        "id": .text("m\(number)"), "photo": .text("\(number).jpg"),
                        "changed": .moment(World.longAgo),
                    ])
            }
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(2))
            let plan = try world.plan(try await world.audit())
            let results = try await world.repair(plan)
            #expect(results.contains { $0.outcome == outcome })
            let stays = world.source.records("Media").contains { $0["id"] == .text("m") }
            #expect(stays == (outcome == .stale))
            if outcome == .stale {
                #expect(
                    results.map(\.reason) == [
                        "the record references another object, which is there"
                    ])
            }
        }
    }

    private static let twoModels = """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Photo
                table: Media
                changed: changed
                files: [{field: photo, level: guest}]
              - model: Video
                table: Media
                changed: changed
                identity: owner
                files: [{field: video, level: private, list: true}]
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        repair: {dangling: delete-record}
        """
}
