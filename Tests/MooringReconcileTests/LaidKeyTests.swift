import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// Both passes where values become keys by layouts.
@Suite("Keys that a layout makes of values")
struct LaidKeyTests {
    private static let spread = "{key:0:2}/{key:2:2}/{key}"

    private func field(
        _ layout: String = spread, _ level: LevelChoice = .named("guest"), template: String? = nil
    ) -> FileField {
        FileField(field: "key", level: level, template: template.flatMap { KeyTemplate($0) })
            .laid(layout)
    }

    private func world(_ file: FileField, isFolder: Bool = false) -> World {
        var world = World([
            ModelMapping(model: "Song", deleted: "gone", identity: "who", files: [file]),
            ModelMapping(model: "Whole", files: [FileField(field: "key")]),
        ])
        world.buckets[0].isFolder = isFolder
        return world
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func song(
        _ key: String, _ id: String = "s1", who: String? = "eu:1", gone: Int64 = 0
    ) -> RecordBatch {
        World.batch(
            "Song",
            [
                [
                    "id": text(id), "key": text(key), "who": who.map(text) ?? .null,
                    "gone": .integer(gone),
                ]
            ])
    }

    /// Both passes; the orphans are what pass B looks for.
    private func scan(
        _ world: World, _ batches: [RecordBatch], _ keys: [String]
    ) -> ConfirmScan {
        let (reconciler, orphans, dangling) = world.join(batches, keys.map { (0, $0) })
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) },
            dangling: dangling, known: reconciler)
        for batch in batches { scan.compareReferenced(batch, source: "app") }
        for batch in batches { scan.read(batch, source: "app", searchesText: true) }
        scan.closeReferenced()
        return scan
    }

    @Test("the value is told as the record holds it, and its key as the bucket has it")
    func join() {
        let (join, orphans, dangling) = world(field()).join(
            [song("abcdef.png"), song("123456.png", "s2")],
            [(0, "public/ab/cd/abcdef.png"), (0, "public/123456.png")])
        #expect(orphans.map(\.object.key.text) == ["public/123456.png"])
        #expect(dangling.map(\.value) == [Array("123456.png".utf8)])
        #expect(dangling[0].patterns == [.exact(ObjectKey("public/12/34/123456.png"))])
        #expect(join.isListed(ObjectKey("public/ab/cd/abcdef.png"), bucket: 0))
    }

    @Test("what records reference is told by its value, not by the end of its key")
    func presentReference() {
        let world = world(field("{key:2}-{key:0:2}", .named("guest")))
        var join = Reconciler(
            models: world.models, buckets: world.buckets, resolver: world.resolver)
        var forms = FieldForms(world.models)
        _ = join.read(song("abcdef"), source: "app", forms: &forms)
        join.beginListing()
        let key = ObjectKey("public/cdef-ab")
        #expect(join.match([World.object(key.text)], bucket: 0).isEmpty)
        join.keepReferences(to: key, bucket: 0)
        join.beginReplay()
        join.replay(song("abcdef"), source: "app")
        _ = join.endReplay()
        #expect(join.presentReference(to: key, bucket: 0)?.value == Array("abcdef".utf8))
    }

    @Test(
        "a value in any column of any table protects the object that it means by a layout",
        arguments: [spread, "v1/{key}", "{key}.jpg", "{key}/o", "{key:3}~{key:0:3}"])
    func unmapped(layout: String) {
        let world = world(field(layout))
        let naive = field(layout).stored.key(of: Array("abcdef-1.png".utf8))
        let key = "public/" + String(decoding: naive, as: UTF8.self)
        for table in ["Note", "Song"] {
            for body in ["abcdef-1.png", "see <abcdef-1.png>", "https://cdn/abcdef%2D1.png?x"] {
                let batch = World.batch(
                    table, [["id": "n1", "body": text(body), "gone": .integer(0)]])
                let scan = scan(world, [batch], [key])
                #expect(scan.unmapped.map(\.wanted) == [0], "\(body) in \(table)")
            }
        }
        // The key itself does too.
        let whole = World.batch("Note", [["id": "n1", "body": text("at " + key)]])
        #expect(scan(world, [whole], [key]).protected == [0])
        let other = World.batch("Note", [["id": "n1", "body": "abcdef-2.png"]])
        #expect(scan(world, [other], [key]).protected == [])
    }

    @Test("an object where the value lies unlaid, or laid by another level, is meant by it")
    func misplaced() throws {
        for (key, difference) in [
            ("public/abcdef", MeantObject.Difference.layout), ("abcdef", .level),
            ("ab/cd/abcdef", .level), ("private/eu:1/ab/cd/abcdef", .level),
        ] {
            let scan = scan(world(field()), [song("abcdef")], [key])
            #expect(scan.claimed == [0], "\(key)")
            let meant = try #require(scan.meant(by: 0).objects.first?.object, "\(key)")
            #expect(meant.difference == difference && meant.cause == .misplaced, "\(key)")
        }
        // Of a field whose values are keys, where another one has a layout.
        let whole = World.batch("Whole", [["id": "w", "key": "abcdef"]])
        #expect(scan(world(field()), [whole], ["public/ab/cd/abcdef"]).claimed == [0])
        let inside = world(field("{key}/original"))
        #expect(scan(inside, [whole], ["public/abcdef/original"]).claimed == [0])
    }

    @Test("another identity's object is meant by a value of a known one")
    func identities() throws {
        let secret = field(Self.spread, .named("private"))
        let found = scan(world(secret), [song("abcdef")], ["private/eu:2/ab/cd/abcdef"])
        #expect(found.claimed == [0])
        #expect(found.meant(by: 0).objects.first?.object.difference == .identity)
        let anyone = scan(world(secret), [song("abcdef", who: nil)], ["private/eu:2/ab/cd/abcdef"])
        #expect(anyone.wanted.isEmpty && anyone.dangling.isEmpty)
    }

    @Test(
        "a twin of the value is one whose slices are none of each other",
        arguments: [
            ("caf\u{E9}.png", "cafe\u{301}.png"), ("a b.png", "a%20b.png"), ("ABC.PNG", "abc.png"),
            ("\u{E9}.png", "e\u{301}.png"),
        ])
    func twins(held: String, listed: String) throws {
        for (one, other) in [(held, listed), (listed, held)] {
            let file = field()
            let key = Array("public/".utf8) + file.stored.key(of: Array(other.utf8))
            for isTombstone in [false, true] {
                let world = world(file)
                let batch = song(one, gone: isTombstone ? 1 : 0)
                let (join, orphans, dangling) = world.join(
                    [batch],
                    objects: [
                        (
                            0,
                            ListedObject(
                                key: ObjectKey(key), version: World.object("x").version)
                        )
                    ])
                #expect(orphans.count == 1 && dangling.count == (isTombstone ? 0 : 1))
                var scan = ConfirmScan(
                    models: world.models, buckets: world.buckets, resolver: world.resolver,
                    wanted: [WantedKey(bucket: 0, key: ObjectKey(key))], dangling: dangling,
                    known: join)
                scan.read(batch, source: "app", searchesText: true)
                #expect(scan.claimed == [0], "\(one) \(other)")
                if let meant = scan.meant(by: 0, of: dangling) {
                    #expect(meant.difference == .twin, "\(one) \(other)")
                }
            }
        }
    }

    @Test("the slices in another case leave the value a twin's")
    func slicesInOtherCase() {
        for level in [LevelChoice.named("guest"), .named("private")] {
            let head = level == .named("guest") ? "public/" : "private/eu:2/"
            let scan = scan(
                world(field(Self.spread, level)), [song("ABcdef")], [head + "ab/cd/ABcdef"])
            #expect(scan.claimed == [0], "\(level)")
        }
    }

    @Test("a value too short dangles nowhere, and protects what it may mean")
    func short() {
        let world = world(field())
        let (join, orphans, dangling) = world.join(
            [song("abc")], [(0, "public/ab/c/abc"), (0, "public/abc"), (0, "abc")])
        #expect(dangling.isEmpty && join.invalid.map(\.value) == [Array("abc".utf8)])
        #expect(orphans.map(\.object.key.text) == ["public/abc", "abc"])
        let scan = scan(world, [song("abc")], ["public/ab/c/abc", "public/abc", "abc"])
        #expect(scan.protected == [0, 1])
    }

    @Test("an owner is named by the value, and by that alone")
    func owners() {
        let world = world(field(template: "{id}.png"))
        let batch = song("other.png", "abcdef")
        let scan = scan(world, [batch], ["public/ab/cd/abcdef.png", "public/abcdef.png"])
        #expect(scan.possibleOwners(of: 0).map(\.id) == [Array("abcdef".utf8)])
        #expect(scan.possibleOwners(of: 1).isEmpty)
        #expect(scan.owner(scan.possibleOwners(of: 0)[0]) != nil)
    }

    @Test("a value that is its record's identifier is a key only where it stands alone")
    func bareIdentifiers() {
        for (level, head) in [(LevelChoice.named("guest"), "public/"), (.root, "")] {
            let world = world(field("{key:2}-{key:0:2}", level, template: "{id}"))
            for (body, isKey) in [("abcdefgh", true), ("see abcdefgh there", false)] {
                let batch = World.batch("Note", [["id": "n1", "body": text(body)]])
                let scan = scan(world, [batch], [head + "cdefgh-ab"])
                #expect(scan.protected == (isKey ? [0] : []), "\(body) at \(level)")
            }
        }
    }

    @Test("a value that spells one whose object is there is in doubt, wherever that stands in keys")
    func spelled() {
        for layout in [Self.spread, "{key}/original"] {
            let value = "pictures/abcdef.png"
            let laid = field(layout).stored.key(of: Array(value.utf8))
            let other = World.batch("Whole", [["id": "w", "key": "pictures/abcdef"]])
            let scan = scan(
                world(field(layout)), [song(value), other],
                ["public/" + String(decoding: laid, as: UTF8.self)])
            #expect(scan.dangling.count == 1 && scan.doubtful == [0], "\(layout)")
        }
    }

    @Test("a file that was moved keeps its value's name, and the end of its value's path")
    func namesOfValues() {
        let world = world(field("{key}/original"))
        let moved = scan(
            world, [song("old/holiday 1.png")], ["public/new/holiday 1.png/original"])
        #expect(moved.answer(about: 0).namedAt != nil)
        let note = World.batch("Note", [["id": "n1", "body": "see [[holiday 1.png]]"]])
        #expect(scan(world, [note], ["public/new/holiday 1.png/original"]).protected == [0])
    }

    @Test("an owner that holds another spelling of the value's name protects its object")
    func ownersNames() {
        let world = world(field("{key}/original", template: "{id}/{*}"))
        let scan = scan(
            world, [song("/elsewhere/COVER-A.jpeg", "abcdef")],
            ["public/abcdef/cover_a.jpeg/original"])
        #expect(scan.answer(about: 0).namedAt != nil)
    }

    @Test("what cannot be read protects objects by the names of their values")
    func unreadable() {
        var file = field("{key}/original")
        file.isList = true
        let batch = song("no list: xabcdefx")
        let scan = scan(world(file), [batch], ["public/abcdef/original", "public/other/original"])
        #expect(scan.protected == [0])
    }

    @Test("a value that holds that of an object which is there is in doubt")
    func enclosed() {
        for layout in [Self.spread, "{key}/original"] {
            let laid = field(layout).stored.key(of: Array("abcdefgh.png".utf8))
            let scan = scan(
                world(field(layout)), [song("abcdefgh.png"), song("x,abcdefgh.png,y", "s2")],
                ["public/" + String(decoding: laid, as: UTF8.self)])
            #expect(scan.dangling.count == 1 && scan.doubtful == [0], "\(layout)")
        }
    }

    @Test("one rewrite of values is a mapping error, whatever their slices are")
    func mappingErrors() {
        let file = field()
        let world = world(file)
        func rewrite(_ held: (Int) -> String, _ there: (Int) -> String) -> FindingCause? {
            let batches = (0..<12).map { song(held($0), "s\($0)") }
            let objects = (0..<12).map { number in
                (
                    0,
                    ListedObject(
                        key: ObjectKey(
                            Array("public/".utf8) + file.stored.key(of: Array(there(number).utf8))),
                        version: World.object("x").version)
                )
            }
            let (_, orphans, dangling) = world.join(batches, objects: objects)
            let search = MappingErrorSearch(resolver: world.resolver, models: world.models)
            guard let best = search.best(dangling, orphans), best.isMappingError else { return nil }
            return best.pairs == 12 ? best.cause : nil
        }
        #expect(rewrite({ "a b\($0).png" }, { "a%20b\($0).png" }) == .encoding)
        #expect(rewrite({ "caf\u{E9}\($0)" }, { "cafe\u{301}\($0)" }) == .unicode)
        #expect(rewrite({ "ABC\($0)x" }, { "abc\($0)x" }) == .case)
        #expect(rewrite({ "https://cdn.example/a/picture\($0)" }, { "picture\($0)" }) == .url)
    }
}

extension ConfirmScan {
    /// The first object that a missing reference may mean; nil where none is missing.
    fileprivate func meant(by number: Int, of dangling: [DanglingCandidate]) -> MeantObject? {
        dangling.indices.contains(number) ? meant(by: number).objects.first?.object : nil
    }
}
