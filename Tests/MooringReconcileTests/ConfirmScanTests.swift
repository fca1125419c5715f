import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

@Suite("Pass B")
struct ConfirmScanTests {
    private static let template = KeyTemplate("{id}")

    private func song(_ file: FileField, identity: String? = "who") -> ModelMapping {
        ModelMapping(model: "Song", changed: "at", identity: identity, files: [file])
    }

    private let guest = FileField(field: "key", level: .named("guest"), template: template)
    private let secret = FileField(field: "key", level: .named("private"), template: template)

    @Test("a reference gained since pass A protects its object")
    func gained() {
        let world = World([song(guest)])
        let scan = world.confirm(
            [World.batch("Song", [["id": "s1", "key": "s1"]])], wanted: [(0, "public/s1")])
        #expect(scan.referenced == [0])
        #expect(scan.unmapped.isEmpty)
    }

    @Test("a reference whose identity is not known protects, though its value is an owner's id")
    func bareIdentifier() {
        let list = ModelMapping(
            model: "List", files: [FileField(field: "cover", level: .named("private"))])
        let world = World([song(secret), list])
        let scan = world.confirm(
            [World.batch("List", [["id": "l1", "cover": "s1"]])],
            wanted: [(0, "private/eu:1/s1")])
        #expect(scan.referenced == [0])
    }

    @Test("an owner's id is a key where it stands alone, and where no record is meant by it")
    func bareIdentifiers() {
        let play = ModelMapping(
            model: "Play", relations: [Relation(field: "song", model: "Song")])
        let wanted = [(0, "private/eu:1/s1")]
        let rows = World.batch("Play", [["id": "p1", "song": "s1"]])
        #expect(World([song(secret)]).confirm([rows], wanted: wanted).protected == [0])
        #expect(World([song(secret), play]).confirm([rows], wanted: wanted).protected == [])
        #expect(World([song(secret)]).confirm([rows], wanted: [(0, "s1")]).protected == [0])
        // A foreign key to another column than the identifier's may hold keys.
        for (target, targetColumn, isKey) in [
            ("Song", "id", false), ("Song", "key", true), ("Other", "id", true),
        ] {
            var scan = World([song(secret)]).confirm([], wanted: wanted)
            scan.rules["app"] = TextRules(foreignColumns: [
                ForeignColumn(
                    table: "Play", column: "song", target: target, targetColumn: targetColumn)
            ])
            scan.read(rows, source: "app", searchesText: true)
            #expect(scan.protected == (isKey ? [0] : []))
        }
        let own = World.batch("Song", [["id": "s1", "key": .null, "who": "eu:1"]])
        #expect(World([song(secret)]).confirm([own], wanted: wanted).protected == [])
        for (text, isKey) in [
            ("see s1 there", false), ("{\"song\":\"s1\"}", false), ("[\"s1\",\"s2\"]", true),
            ("{s1,s2}", true), ("{\"bucket\":\"media\",\"key\":\"s1\"}", true), (" s1 ", true),
        ] {
            let batch = World.batch("Play", [["id": "p1", "song": self.text(text)]])
            let scan = World([song(secret)]).confirm([batch], wanted: wanted)
            #expect(scan.protected == (isKey ? [0] : []), "\(text)")
        }
    }

    @Test("an object's full key is looked for in addresses, though an owner's id is the same")
    func fullKeys() {
        let root = FileField(field: "key", level: .root, template: Self.template)
        for text in ["https://cdn.example/s1", "see s1 there", "/files/s1?w=2", "[s1](s1)"] {
            let batch = World.batch("Play", [["id": "p1", "song": self.text(text)]])
            let scan = World([song(root)]).confirm([batch], wanted: [(0, "s1")])
            #expect(scan.protected == [0], "\(text)")
        }
        let play = ModelMapping(
            model: "Play", relations: [Relation(field: "song", model: "Song")])
        let rows = World.batch("Play", [["id": "p1", "song": "s1"]])
        #expect(World([song(root), play]).confirm([rows], wanted: [(0, "s1")]).protected == [])
    }

    @Test("what another template tells more of is a key inside texts")
    func otherTemplate() {
        let key = "album-1-0aa7d5a5-9a94-4a9c-9d0c-6a51c6b2f0aa"
        let album = ModelMapping(
            model: "Album",
            files: [
                FileField(
                    field: "cover", level: .named("private"), template: KeyTemplate("{id}-{uuid}"))
            ])
        let batch = World.batch("Note", [["id": "n1", "body": text("![](\(key))")]])
        for (models, isKey) in [([song(secret)], false), ([song(secret), album], true)] {
            let scan = World(models).confirm([batch], wanted: [(0, "private/eu:1/\(key)")])
            #expect(scan.protected == (isKey ? [0] : []))
        }
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    @Test("under a template of identifiers a relative value in a table nobody mapped protects")
    func relativeValue() {
        let rows = World.batch("Playlist", [["id": "p1", "coverKey": "playlist-0"]])
        let scan = World([song(secret)]).confirm(
            [rows], wanted: [(0, "private/eu:1/playlist-0")])
        #expect(scan.protected == [0])
    }

    @Test("a value that as a whole means a listed object protects that object only")
    func wholeValue() {
        let own = ModelMapping(model: "Own", files: [FileField(field: "key")])
        let world = World([own])
        let whole = "public/covers/photo-1.jpg"
        let rows = [
            World.batch("Own", [["id": "o1", "key": text(whole)]]),
            World.batch("Note", [["id": "n1", "body": text(whole)]]),
            World.batch("Note", [["id": "n2", "body": text("see \(whole)?")]]),
        ]
        let keys = [(0, whole), (0, "covers/photo-1.jpg")]
        let (reconciler, orphans, dangling) = world.join(rows, keys)
        #expect(orphans.count == 1 && dangling.isEmpty)
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: [WantedKey(bucket: 0, key: ObjectKey("covers/photo-1.jpg"))],
            dangling: [], known: reconciler)
        for batch in rows { scan.read(batch, source: "app", searchesText: true) }
        #expect(scan.protected == [])
        // Of orphans the longer name is meant, and the end of its path, as a copy may lie
        // there: but not another number, nor what records hold of the longer one.
        let both = world.confirm(
            [rows[2]],
            wanted: [
                (0, whole), (0, "photo-1.jpg"), (0, "covers/photo-10.jpg"), (0, "hoto-1.jpg"),
                (0, "covers/photo-1.jpg"),
            ])
        #expect(both.protected == [0, 1])
    }

    @Test("what says what was is no reference, but is remembered")
    func notReferences() {
        let world = World([song(guest)])
        let rows = World.batch("versions", [["id": "v1", "old": "public/was.png"]])
        for (pattern, isPast) in [("versions", true), ("versions.old", true), ("other", false)] {
            var scan = world.confirm([], wanted: [(0, "public/was.png")])
            scan.rules["app"] = TextRules(notReferences: [Glob(pattern)])
            scan.read(rows, source: "app", searchesText: true)
            #expect(scan.protected == (isPast ? [] : [0]) && scan.remembered == (isPast ? [0] : []))
        }
    }

    @Test("what a device is about to write is no past, whatever a pattern covers")
    func outboxIsNoPast() {
        for table in OutboxTable.tables {
            var scan = World([song(guest)]).confirm([], wanted: [(0, "public/new.png")])
            scan.rules["app"] = TextRules(notReferences: [Glob("**")])
            scan.read(
                World.batch(table, [["id": "m1", "json": #"{"key":"public/new.png"}"#]]),
                source: "app", searchesText: true)
            #expect(scan.protected == [0] && scan.remembered.isEmpty)
        }
    }

    @Test(
        "an owner that holds the name of an object in another spelling claims it",
        arguments: [
            ("arn:aws:s3:::media/COVER.jpg", true), ("files/COVER.jpg", true), ("COVER", true),
            ("0A1B2C3D0000400080000123456789AB", true), ("COV\u{200B}ER.jpg", true),
            ("cover.JPG ", true), ("COVER.png", false), ("COVER2.jpg", false),
            ("another.jpg", false),
        ])
    func ownersNames(value: String, isNamed: Bool) {
        let file = FileField(
            field: "key", level: .named("guest"), template: KeyTemplate("{id}/{*}"))
        let world = World([song(file)])
        let wanted = [
            (0, "public/s1/COVER.jpg"), (0, "public/s1/0a1b2c3d-0000-4000-8000-0123456789ab"),
        ]
        let batch = World.batch("Song", [["id": "s1", "key": text(value)]])
        let (_, orphans, dangling) = world.join([batch], wanted)
        #expect(orphans.count == 2 && dangling.count == 1)
        let scan = world.confirm([batch], wanted: wanted, dangling: dangling)
        #expect(scan.named.isEmpty != isNamed)
        #expect(!isNamed || scan.doubtful == [0])
    }

    @Test("what lies in quarantine under a missing reference's own key is no other spelling of it")
    func ownKeyInQuarantine() {
        let file = FileField(
            field: "key", level: .named("guest"), template: KeyTemplate("{id}"))
        let world = World([song(file)])
        let batch = World.batch("Song", [["id": "s1", "key": text("s1")]])
        let (_, _, dangling) = world.join([batch], [])
        #expect(dangling.count == 1)
        let own = world.confirm([batch], wanted: [(0, "public/s1")], dangling: dangling)
        #expect(own.doubtful.isEmpty)
        // It is protected all the same, and another spelling leaves its doubt.
        #expect(own.named.keys.contains(0))
        let both = World.batch("Song", [["id": "s1", "key": text("S1")]])
        let (_, _, missing) = world.join([both], [])
        let spelled = world.confirm([both], wanted: [(0, "public/s1")], dangling: missing)
        #expect(spelled.doubtful == [0])
    }

    @Test(
        "in a folder other paths to one file are twins, and nowhere else",
        arguments: [
            ("covers//x.jpg", "covers/x.jpg"), ("./covers/x.jpg", "covers/x.jpg"),
            ("zz/../covers/x.jpg", "covers/x.jpg"), ("covers/x.jpg/", "covers/x.jpg"),
            ("../../covers/x.jpg", nil), ("a/../../covers/x.jpg", nil),
        ])
    func paths(value: String, key: String?) {
        let plain = ModelMapping(model: "Own", files: [FileField(field: "key")])
        let batch = World.batch("Own", [["id": "o1", "key": text(value)]])
        for isFolder in [true, false] {
            var world = World([plain])
            world.buckets[0].isFolder = isFolder
            let wanted = [(0, key ?? "covers/x.jpg")]
            let dangling = world.join([batch], wanted).dangling
            let scan = world.confirm([batch], wanted: wanted, dangling: dangling)
            let isTwin = isFolder && key != nil
            #expect(
                scan.meant(by: 0).objects.map(\.object.difference) == (isTwin ? [.twin] : []))
            #expect((scan.claimed == [0]) == isTwin)
        }
    }

    @Test("a path that leaves its identity's folder means what lies in the other one")
    func pathAcross() {
        var world = World([song(secret)])
        world.buckets[0].isFolder = true
        let batch = World.batch("Song", [["id": "s1", "key": "../eu:2/k", "who": "eu:1"]])
        let dangling = world.join([batch], [(0, "private/eu:2/k")]).dangling
        let scan = world.confirm([batch], wanted: [(0, "private/eu:2/k")], dangling: dangling)
        #expect(scan.claimed == [0])
    }

    @Test("a key that is wanted twice is found twice: an orphan, and a copy in quarantine")
    func twice() {
        let world = World([song(guest)])
        let scan = world.confirm(
            [World.batch("Song", [["id": "s1", "key": "x"]])],
            wanted: [(0, "public/x"), (0, "public/x"), (0, "public/y")])
        #expect(scan.referenced == [0, 1])
    }

    @Test("an identity that changed leaves both ends in doubt")
    func changedIdentity() throws {
        let world = World([song(secret)])
        let batch = World.batch("Song", [["id": "s1", "key": "s1", "who": "eu:2"]])
        let (_, orphans, dangling) = world.join([batch], [(0, "private/eu:1/s1")])
        #expect(orphans.count == 1 && dangling.count == 1)
        let scan = world.confirm([batch], wanted: [(0, "private/eu:1/s1")], dangling: dangling)
        #expect(scan.standing.count == 1)
        #expect(scan.claimed == [0] && scan.unmapped.isEmpty)
        #expect(scan.meant(by: 0).objects.map(\.object.difference) == [.identity])
    }

    @Test("a reference that means another object now does not stand any more")
    func movedOn() {
        let object = FileField(field: "key", isComplex: true)
        let world = World([song(object)], buckets: ["media", "thumbs"])
        func batch(_ bucket: String) -> RecordBatch {
            World.batch(
                "Song",
                [["id": "s1", "key": .text(Array(#"{"bucket":"\#(bucket)","key":"k"}"#.utf8))]])
        }
        let dangling = world.join([batch("media")], []).dangling
        #expect(world.confirm([batch("media")], wanted: [], dangling: dangling).standing.count == 1)
        #expect(world.confirm([batch("thumbs")], wanted: [], dangling: dangling).standing.isEmpty)

        let levels = World([song(secret)])
        func owned(_ identity: FieldValue) -> RecordBatch {
            World.batch("Song", [["id": "s1", "key": "k", "who": identity]])
        }
        let missing = levels.join([owned("eu:1")], []).dangling
        #expect(levels.confirm([owned("eu:1")], wanted: [], dangling: missing).standing.count == 1)
        #expect(levels.confirm([owned("eu:2")], wanted: [], dangling: missing).standing.isEmpty)
        #expect(levels.confirm([owned(.null)], wanted: [], dangling: missing).standing.isEmpty)
    }

    @Test("a reference at rest in its own bucket says nothing of the same key in another")
    func otherBucket() {
        let world = World(
            [song(FileField(field: "key", bucket: "media"))], buckets: ["media", "thumbs"])
        let batch = World.batch("Song", [["id": "s1", "key": "k"]])
        #expect(world.confirm([batch], wanted: [(1, "k")]).protected == [])
        #expect(world.confirm([batch], wanted: [(0, "k")]).protected == [0])
    }

    @Test("where nothing lies in its own bucket, the same key in another leaves both in doubt")
    func misplacedBucket() {
        let files = [
            FileField(field: "key", bucket: "media"), FileField(field: "key", isComplex: true),
        ]
        for (file, value) in zip(files, ["k", #"{"bucket": "media", "key": "k"}"#]) {
            let world = World([song(file)], buckets: ["media", "thumbs"])
            let batch = World.batch("Song", [["id": "s1", "key": .text(Array(value.utf8))]])
            let dangling = world.join([batch], [(1, "k")]).dangling
            let scan = world.confirm([batch], wanted: [(1, "k")], dangling: dangling)
            #expect(scan.claimed == [0] && scan.unmapped.isEmpty)
            let objects = scan.meant(by: 0).objects.map(\.object)
            #expect(objects.map(\.difference) == [.bucket] && objects.map(\.bucket) == ["thumbs"])
        }
    }

    @Test("a bucket that nobody configured protects in every bucket")
    func foreignBucket() {
        let world = World([song(FileField(field: "key", isComplex: true))], buckets: ["a", "b"])
        let batch = World.batch("Song", [["id": "s1", "key": #"{"bucket": "old", "key": "k"}"#]])
        #expect(world.confirm([batch], wanted: [(0, "k"), (1, "k")]).referenced == [0, 1])
    }

    @Test("a faulty key under a level still protects what it evidently means")
    func faulty() {
        let world = World([song(secret)])
        let batch = World.batch("Song", [["id": "s1", "key": "/cover.png", "who": "eu:1"]])
        let scan = world.confirm([batch], wanted: [(0, "private/eu:1/cover.png")])
        #expect(scan.protected == [0])
    }

    @Test(
        "a value that cannot be read protects whatever stands in it",
        arguments: [
            #"["covers/caf\u00e9.png", "b"#, #"["covers\/café.png",]"#, "covers/café.png",
        ])
    func unreadable(value: String) {
        let world = World([song(FileField(field: "key", isList: true))])
        let batch = World.batch("Song", [["id": "s1", "key": .text(Array(value.utf8))]])
        let scan = world.confirm([batch], wanted: [(0, "covers/café.png"), (0, "covers/other")])
        #expect(scan.referenced == [0])
    }

    @Test("a list in a scalar field protects its keys, and the field does not dangle")
    func wrongForm() {
        let world = World([song(guest)])
        let batch = World.batch("Song", [["id": "s1", "key": #"["x.png","y.png"]"#]])
        let (reconciler, _, dangling) = world.join([batch], [(0, "public/x.png")])
        #expect(dangling.isEmpty)
        #expect(reconciler.invalid.count == 1)
        #expect(world.confirm([batch], wanted: [(0, "public/x.png")]).protected == [0])
    }

    @Test("two rows with one id are one record, which changed with the later of them")
    func twoRows() throws {
        let world = World([song(guest)])
        let batch = World.batch(
            "Song",
            [
                ["id": "s1", "key": "x", "at": .integer(2_000_000)],
                ["id": "s1", "key": "x", "at": .integer(1_000_000)],
            ])
        let dangling = world.join([batch], []).dangling
        #expect(dangling.count == 1)
        let scan = world.confirm([batch], wanted: [(0, "public/s1")], dangling: dangling)
        #expect(scan.standing[0]?.changed?.written == Instant(seconds: 2_000_000))
        let owner = try #require(scan.owner(scan.possibleOwners(of: 0)[0]))
        #expect(owner.changed?.written == Instant(seconds: 2_000_000))
        #expect(owner.keys == [2])
    }

    @Test("an owner is a tombstone only when every row of it is")
    func tombstones() throws {
        var mapping = song(guest)
        mapping.deleted = "gone"
        let world = World([mapping])
        let live: [String: FieldValue] = ["id": "s1", "key": .null, "gone": .null]
        let dead: [String: FieldValue] = ["id": "s1", "key": "x", "gone": .integer(1)]
        let both = world.confirm(
            [World.batch("Song", [dead, live])], wanted: [(0, "public/s1"), (0, "public/x")])
        #expect(try #require(both.owner(both.possibleOwners(of: 0)[0])).isTombstone == false)
        #expect(both.referenced == [1])
        let one = world.confirm([World.batch("Song", [dead])], wanted: [(0, "public/s1")])
        #expect(try #require(one.owner(one.possibleOwners(of: 0)[0])).isTombstone)
    }

    @Test("composite ids that join to one text name an owner that is in doubt")
    func composite() {
        var mapping = song(guest)
        mapping.id = ["a", "b"]
        let world = World([mapping])
        let rows: [[String: FieldValue]] = [
            ["a": "x/y", "b": "z", "key": .null], ["a": "x", "b": "y/z", "key": .null],
        ]
        let wanted = [(0, "public/x/y/z")]
        let one = world.confirm([World.batch("Song", [rows[0]])], wanted: wanted)
        #expect(!one.ownersCutOff(of: 0))
        #expect(
            one.owner(one.possibleOwners(of: 0)[0])?.id
                == RecordID(parts: [Array("x/y".utf8), Array("z".utf8)]))
        #expect(world.confirm([World.batch("Song", rows)], wanted: wanted).ownersCutOff(of: 0))
    }

    @Test("owners are looked for in every model whose template, level and bucket fit")
    func owners() {
        var other = song(FileField(field: "cover", level: .any, template: KeyTemplate("{*}{id}")))
        other.model = "Other"
        var elsewhere = song(
            FileField(
                field: "key", level: .named("guest"), bucket: "thumbs", template: Self.template))
        elsewhere.model = "Elsewhere"
        let world = World(
            [song(guest), song(secret), other, elsewhere], buckets: ["media", "thumbs"])
        let scan = world.confirm([], wanted: [(0, "public/s1"), (0, "s1")])
        let names = scan.possibleOwners(of: 0)
        #expect(names.contains { $0.model == 0 && $0.id == Array("s1".utf8) })
        #expect(names.contains { $0.model == 2 && $0.id == Array("public/s1".utf8) })
        #expect(names.contains { $0.model == 2 && $0.id == Array("1".utf8) })
        #expect(!names.contains { $0.model == 1 || $0.model == 3 })
        #expect(scan.possibleOwners(of: 1).allSatisfy { $0.model == 2 })
    }

    @Test("a key with fewer slashes than a composite id names no record of that model")
    func tooFewParts() {
        let file = FileField(field: "key", template: KeyTemplate("{id}"))
        let models = [
            SourceModel(
                source: "app",
                mapping: ModelMapping(model: "Post", id: ["pk", "sk"], files: [file]))
        ]
        func owners(_ key: String) -> [RecordIdentity] {
            KeyOwners.identities(
                of: WantedKey(bucket: 0, key: ObjectKey(key)), models: models,
                buckets: [BucketMapping(name: "media")], resolver: KeyResolver(levels: [])
            ).owners
        }
        #expect(owners("plain").isEmpty)
        #expect(owners("p/s").map(\.id.parts.count) == [2])
    }

    @Test("a key that names too many owners says so, however the search was given up")
    func cutOff() {
        let file = FileField(field: "key", template: KeyTemplate("{*}{*}{*}{id}!"))
        let world = World([song(file)])
        let key = String(repeating: "a", count: 900) + "!"
        #expect(world.confirm([], wanted: [(0, key)]).ownersCutOff(of: 0))
    }
}
