import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

@Suite("What lies open to more than its record allows")
struct ExposedTests {
    private func model(
        _ visibility: Visibility?, _ level: LevelChoice = .root, name: String = "Song"
    ) -> ModelMapping {
        ModelMapping(
            model: name, deleted: "gone", identity: "who", visibility: visibility,
            files: [FileField(field: "key", level: level)])
    }

    private func row(
        _ key: String, id: String = "1", who: String = "eu:1", table: String = "Song",
        gone: Bool = false
    ) -> RecordBatch {
        World.batch(
            table,
            [
                [
                    "id": .text(Array(id.utf8)), "key": .text(Array(key.utf8)),
                    "who": .text(Array(who.utf8)), "gone": .integer(gone ? 1 : 0),
                ]
            ])
    }

    private let keys = ["public/a", "protected/eu:1/a", "private/eu:1/a", "a"]

    @Test(
        "the key's own prefix tells the level, and each level is open to so many",
        arguments: [
            (Visibility.owner, ["public/a", "protected/eu:1/a"]), (.signedIn, ["public/a"]),
            (.anyone, []), (nil, []),
        ])
    func levels(visibility: Visibility?, exposed: [String]) {
        let world = World([model(visibility)])
        let batches = keys.enumerated().map { row($1, id: "\($0)") }
        let found = world.join(batches, keys.map { (0, $0) }).reconciler.exposed()
        #expect(Set(found.map(\.object.key.text)) == Set(exposed))
        #expect(found.allSatisfy { $0.visibility == visibility })
    }

    @Test("a level of the reference is told alike, and who can read is said")
    func named() {
        let world = World([model(.owner, .named("protected"))])
        let found = world.join([row("a")], [(0, "protected/eu:1/a")]).reconciler.exposed()
        #expect(found.map(\.readers) == [.signedIn])
        #expect(found.first?.place.identity.id.text == "1")
    }

    @Test("of several records the strictest counts, tombstones do not, absent objects do not")
    func strictest() {
        let world = World([model(.anyone), model(.owner, name: "Own"), model(nil, name: "Any")])
        let open = row("public/a")
        let strict = row("public/a", id: "2", table: "Own")
        let keys = [(0, "public/a")]
        func exposed(_ batches: [RecordBatch], _ keys: [(Int, String)]) -> [ExposedObject] {
            world.join(batches, keys).reconciler.exposed()
        }
        #expect(exposed([open, row("public/a", table: "Any")], keys).isEmpty)
        for batches in [[open, strict], [strict, open]] {
            let found = exposed(batches, keys)
            #expect(found.map(\.place.identity.model) == ["Own"])
        }
        #expect(exposed([open, row("public/a", table: "Own", gone: true)], keys).isEmpty)
        #expect(exposed([strict], []).isEmpty)
        #expect(exposed([strict], [(0, "public/b")]).isEmpty)
    }

    @Test("a reference that may mean several objects that are there tells of none of them")
    func ambiguous() {
        let any = World([model(.owner, .any)])
        let one = any.join([row("a")], [(0, "public/a")]).reconciler.exposed()
        #expect(one.map(\.object.key.text) == ["public/a"])
        let two = any.join([row("a")], [(0, "public/a"), (0, "private/eu:1/a")])
        #expect(two.reconciler.exposed().isEmpty)
        let somebody = World([model(.owner, .named("protected"))])
        let keys = [(0, "protected/x/a"), (0, "protected/y/a")]
        let unknown = row("a", who: "")
        #expect(somebody.join([unknown], [keys[0]]).reconciler.exposed().count == 1)
        #expect(somebody.join([unknown], keys).reconciler.exposed().isEmpty)
    }

    @Test("a level of the app's own is judged only where it belongs to no one")
    func custom() {
        let resolver = KeyResolver(levels: [
            AccessLevel(name: "team", prefix: "team/{identity}/"),
            AccessLevel(name: "hall", prefix: "hall/"),
            AccessLevel(name: "guest", prefix: "g/{identity}/"),
            AccessLevel(name: "attic", prefix: "hall/attic/{identity}/"),
        ])
        let wanted: [(String, Visibility?)] = [
            ("team/x/a", nil), ("hall/a", .signedIn), ("g/x/a", .anyone), ("a", nil),
            ("hall/attic/x/a", nil),
        ]
        for (key, readers) in wanted {
            #expect(ExposureRule.readers(of: ObjectKey(key), resolver) == readers, "\(key)")
        }
    }

    @Test("identities are those of all records, tombstones and records without files too")
    func identities() {
        let plain = ModelMapping(model: "User", identity: "who", files: [])
        let world = World([model(nil), plain])
        let reconciler = world.join(
            [row("a", gone: true), World.batch("User", [["id": "u", "who": "eu:2"]])], []
        ).reconciler
        for (identity, known) in [("eu:1", true), ("eu:2", true), ("eu:3", false)] {
            #expect(reconciler.knows(identity: Array(identity.utf8)) == (true, known))
        }
        #expect(!world.join([row("a", who: "")], []).reconciler.knows(identity: [1]).any)
    }

    @Test("where a record reaches an object by two fields, the first of their names is told")
    func twoFields() {
        var song = ModelMapping(
            model: "Song",
            files: [
                FileField(field: "b", level: .named("protected")), FileField(field: "a"),
            ])
        song.visibility = .owner
        let world = World([song])
        let batches = (0..<40).map { number in
            World.batch(
                "Song",
                [
                    [
                        "id": .text(Array("\(number)".utf8)),
                        "a": .text(Array("protected/u\(number)/x\(number)".utf8)),
                        "b": .text(Array("x\(number)".utf8)),
                    ]
                ])
        }
        let keys = (0..<40).map { (0, "protected/u\($0)/x\($0)") }
        let found = world.join(batches, keys).reconciler.exposed()
        #expect(found.count == 40)
        #expect(found.allSatisfy { $0.place.field == "a" })
    }
}
