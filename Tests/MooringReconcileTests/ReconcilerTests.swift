import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

@Suite("The join")
struct ReconcilerTests {
    private func model(
        _ name: String = "Song", _ files: [FileField], table: String? = nil
    ) -> ModelMapping {
        ModelMapping(
            model: name, table: table, deleted: "gone", identity: "who", files: files)
    }

    @Test("an object that nobody references is an orphan, a reference without object dangles")
    func both() {
        let world = World([model("Song", [FileField(field: "key")])])
        let batch = World.batch("Song", [["id": "1", "key": "a"], ["id": "2", "key": "b"]])
        let (_, orphans, dangling) = world.join([batch], [(0, "a"), (0, "c")])
        #expect(orphans.map(\.object.key) == [ObjectKey("c")])
        #expect(dangling.map(\.value) == [Array("b".utf8)])
        #expect(dangling.first?.patterns == [.exact(ObjectKey("b"))])
    }

    @Test("an identity with a slash hides what records without one mean, however they are joined")
    func slashedIdentity() {
        let file = FileField(field: "key", level: .named("private"))
        let world = World([model("Song", [file])])
        let slashed: [String: FieldValue] = ["id": "1", "key": "a", "who": "x/y"]
        let bare: [String: FieldValue] = ["id": "2", "key": "a", "who": .null]
        let plain: [String: FieldValue] = ["id": "3", "key": "a", "who": "xy"]
        let empty: [String: FieldValue] = ["id": "4", "key": .null, "who": .null]
        for (rows, hides) in [
            ([slashed, bare], true), ([bare, slashed], true), ([slashed, plain], false),
            ([plain, bare], false), ([slashed, empty], false),
        ] {
            let batch = World.batch("Song", rows)
            #expect(world.join([batch], []).reconciler.hidesIdentities == hides)
        }
    }

    @Test("a referenced object that is listed once more is passed over")
    func repeated() {
        let files = [FileField(field: "key", level: .any)]
        let world = World([model("Song", files)])
        let rows: [[String: FieldValue]] = [
            ["id": "1", "key": "a", "who": .null], ["id": "2", "key": "a", "who": .null],
        ]
        var join = Reconciler(
            models: world.models, buckets: world.buckets, resolver: world.resolver)
        var forms = FieldForms(world.models)
        let batch = World.batch("Song", rows)
        _ = join.read(batch, source: "app", forms: &forms)
        for key in ["a", "private/x/a", "a", "b"] {
            let orphans = join.match([World.object(key)], bucket: 0)
            #expect(orphans.isEmpty == (key != "b"), "\(key)")
        }
        join.replay(batch, source: "app")
        let isSame = join.endReplay()
        #expect(isSame)
        #expect(join.repeatedObjects == [1])
        #expect(join.shared().count == 1)
    }

    @Test("NFC and NFD are two keys")
    func unicode() {
        let world = World([model("Song", [FileField(field: "key")])])
        let batch = World.batch("Song", [["id": "1", "key": "caf\u{E9}"]])
        let (_, orphans, dangling) = world.join([batch], [(0, "cafe\u{301}")])
        #expect(orphans.count == 1 && dangling.count == 1)
    }

    @Test("a tombstone protects, never dangles and is never shared")
    func tombstone() {
        let world = World([model("Song", [FileField(field: "key")])])
        let batch = World.batch(
            "Song",
            [
                ["id": "1", "key": "a", "gone": .integer(1)], ["id": "2", "key": "a"],
                ["id": "3", "key": "b", "gone": .integer(1)],
            ])
        let (reconciler, orphans, dangling) = world.join([batch], [(0, "a")])
        #expect(orphans.isEmpty && dangling.isEmpty)
        #expect(reconciler.shared().isEmpty)
        #expect(reconciler.isReferenced(ObjectKey("b"), bucket: 0))
        #expect(!reconciler.isReferenced(ObjectKey("c"), bucket: 0))
    }

    @Test("a level that is not known protects every key it may mean")
    func anyLevel() {
        let world = World([model("Song", [FileField(field: "key", level: .any)])])
        let batch = World.batch("Song", [["id": "1", "key": "a"]])
        let keys = ["a", "public/a", "protected/eu:1/a", "private/eu:2/a"].map { (0, $0) }
        #expect(world.join([batch], keys).orphans.isEmpty)
        for key in keys { #expect(world.join([batch], [key]).dangling.isEmpty) }
        let dangling = world.join([batch], [(0, "private/a"), (0, "private/x/y/a")]).dangling
        #expect(dangling.map(\.patterns.count) == [4])
    }

    @Test("a key twice in a list is one dangling reference with both indexes")
    func indexes() {
        let files = [FileField(field: "keys", isList: true, isComplex: true)]
        let world = World([model("Album", files)])
        func batch(_ list: String) -> RecordBatch {
            World.batch("Album", [["id": "1", "keys": .text(Array(list.utf8))]])
        }
        let own = world.join([batch(#"[{"key":"k"},null,{"key":"k"}]"#)], []).dangling
        #expect(own.map(\.indexes) == [[0, 2]])
        let foreign = batch(#"[{"key":"k","bucket":"old"},{"key":"k","bucket":"old"}]"#)
        let found = world.join([foreign], []).dangling
        #expect(found.map(\.indexes) == [[0, 1]])
        #expect(found.map(\.foreignBucket) == ["old"])
    }

    @Test("a key twice in a list for two buckets is two dangling references, also in pass B")
    func buckets() {
        let files = [FileField(field: "keys", isList: true, isComplex: true, bucket: "a")]
        let world = World([model("Album", files)], buckets: ["a", "b"])
        func batch(_ list: String) -> RecordBatch {
            World.batch("Album", [["id": "1", "keys": .text(Array(list.utf8))]])
        }
        let both = batch(
            #"[{"key":"k"},{"key":"k","bucket":"b"},{"key":"k","bucket":"a"},"#
                + #"{"key":"k","bucket":"old"}]"#)
        let found = world.join([both], [])
        #expect(found.dangling.map(\.bucket) == [nil, 0, 1])
        #expect(found.dangling.map(\.indexes) == [[], [0, 2], []])
        let one = world.join([both], [(0, "k")])
        #expect(one.dangling.map(\.bucket) == [nil, 1])
        let again = world.confirm([both], wanted: [], dangling: found.dangling)
        #expect(Set(again.standing.keys) == [0, 1, 2])
        // The record took two of them out meanwhile.
        let fewer = batch(#"[{"key":"k","bucket":"b"}]"#)
        let later = world.confirm([fewer], wanted: [], dangling: found.dangling)
        #expect(Set(later.standing.keys) == [2])
    }

    @Test("many records that name one missing key take no longer than others")
    func oneMissingKey() {
        let files = [FileField(field: "cover"), FileField(field: "keys", isList: true)]
        let world = World([model("Album", files)])
        let list = FieldValue.text(Array(#"["k","other","k"]"#.utf8))
        let rows = (0..<60_000).map { number in
            ["id": FieldValue.text(Array("\(number)".utf8)), "cover": "k", "keys": list]
        }
        let time = processorTime {
            let dangling = world.join([World.batch("Album", rows)], [(0, "other")]).dangling
            #expect(dangling.count == 120_000)
            #expect(Set(dangling.map(\.indexes)) == [[], [0, 2]])
        }
        #expect(time < .seconds(60))
    }

    @Test("a list that names one missing key often is read once")
    func oneMissingKeyInAList() {
        let world = World([model("Album", [FileField(field: "keys", isList: true)])])
        let list = "[" + Array(repeating: "\"k\"", count: 20_000).joined(separator: ",") + "]"
        let batch = World.batch("Album", [["id": "1", "keys": .text(Array(list.utf8))]])
        let time = processorTime {
            let dangling = world.join([batch], []).dangling
            #expect(dangling.map(\.indexes) == [Array(0..<20_000)])
        }
        #expect(time < .seconds(60))
    }

    @Test("two rows of one record are one, and two records share")
    func shared() {
        let world = World([model("Song", [FileField(field: "key")])])
        let batch = World.batch(
            "Song",
            [
                ["id": "1", "key": "a"], ["id": "1", "key": "a"], ["id": "2", "key": "b"],
                ["id": "3", "key": "b"],
            ])
        let shared = world.join([batch], [(0, "a"), (0, "b")]).reconciler.shared()
        #expect(shared.map(\.object.key) == [ObjectKey("b")])
        #expect(shared.first?.places.map(\.identity.id.text) == ["2", "3"])
    }

    @Test("an empty object is told where a record references it")
    func empty() {
        let world = World([model("Song", [FileField(field: "key")])])
        let batch = World.batch("Song", [["id": "1", "key": "a"]])
        let (reconciler, orphans, _) = world.join(
            [batch], objects: ["z", "a"].map { (0, World.object($0, size: 0)) })
        #expect(orphans.map(\.object.key) == [ObjectKey("z")])
        #expect(reconciler.empty().map(\.object.key) == [ObjectKey("a")])
    }

    @Test("what lies outside the prefixes or is ignored, and what is no key, does not dangle")
    func notJudged() {
        var world = World([model("Song", [FileField(field: "key")])])
        world.buckets[0].prefixes = [ObjectKey("mine/")]
        world.buckets[0].ignore = [Glob("mine/static/**")]
        let values = ["mine/a", "yours/a", "mine/static/a", "mine/a\n", "/mine/a", ""]
        let batch = World.batch(
            "Song",
            values.enumerated().map {
                ["id": .integer(Int64($0)), "key": .text(Array($1.utf8))]
            })
        let (reconciler, _, dangling) = world.join([batch], [])
        #expect(dangling.map(\.value) == [Array("mine/a".utf8)])
        #expect(reconciler.invalid.map(\.place.identity.id.text) == ["3", "4"])
    }

    @Test("a level's long prefix is read back whole")
    func longHead() {
        let head = String(repeating: "x", count: 300) + "/"
        var world = World([model("Song", [FileField(field: "key", level: .named("long"))])])
        world.resolver = KeyResolver(
            levels: [AccessLevel(name: "long", prefix: head + "{identity}/")])
        let batch = World.batch("Song", [["id": "1", "key": "a"]])
        #expect(
            world.join([batch], []).dangling.map(\.patterns)
                == [[.anyIdentity(head: Array(head.utf8), rest: Array("/a".utf8))]])
        #expect(world.join([batch], [(0, head + "me/a")]).dangling.isEmpty)
    }

    @Test("what is forgotten of one source leaves what others reference")
    func forgotten() {
        let song = model("Song", [FileField(field: "key")])
        let models = ["app", "copy"].map { SourceModel(source: $0, mapping: song) }
        var join = Reconciler(
            models: models, buckets: [BucketMapping(name: "media")],
            resolver: KeyResolver(levels: []))
        var forms = FieldForms(models)
        let batches = models.map { model in
            let id = FieldValue.text(Array(model.source.utf8))
            return (model.source, World.batch("Song", [["id": id, "key": "missing"]]))
        }
        for (source, batch) in batches { _ = join.read(batch, source: source, forms: &forms) }
        for (source, batch) in batches { join.replay(batch, source: source) }
        let isSame = join.endReplay()
        #expect(isSame)
        join.forgetReferences(of: "copy")
        var dangling: [String] = []
        join.dangling { dangling.append($0.place.identity.source) }
        #expect(dangling == ["app"])
    }

    @Test("a reference that was not read at first was compared with no listing, and is not missing")
    func unread() {
        let world = World([model("Song", [FileField(field: "key")])])
        var join = Reconciler(
            models: world.models, buckets: world.buckets, resolver: world.resolver)
        var forms = FieldForms(world.models)
        let first = World.batch("Song", [["id": "1", "key": "a"]])
        let second = World.batch("Song", [["id": "1", "key": "b"]])
        _ = join.read(first, source: "app", forms: &forms)
        _ = join.match(["a", "b"].map { World.object($0) }, bucket: 0)
        join.replay(second, source: "app")
        let isSame = join.endReplay()
        #expect(!isSame)
        join.dangling { Issue.record("\($0.value) is called missing") }
    }

    @Test("records that exchanged their references between the looks are not what they were")
    func exchanged() {
        let world = World([model("Song", [FileField(field: "key")])])
        func ends(with second: [String], room: JoinRoom) -> Bool {
            var join = Reconciler(
                models: world.models, buckets: world.buckets, resolver: world.resolver, room: room)
            var forms = FieldForms(world.models)
            func batch(_ keys: [String]) -> RecordBatch {
                World.batch(
                    "Song",
                    keys.enumerated().map { number, key in
                        ["id": .text(Array("\(number)".utf8)), "key": .text(Array(key.utf8))]
                    })
            }
            _ = join.read(batch(["a", "b", "c"]), source: "app", forms: &forms)
            join.beginListing()
            _ = join.match(["a", "b", "c"].map { World.object($0) }, bucket: 0)
            join.beginReplay()
            join.replay(batch(second), source: "app")
            return join.endReplay()
        }
        for room in [JoinRoom.unbounded, JoinRoom(places: 1, folder: "/tmp")] {
            #expect(ends(with: ["a", "b", "c"], room: room))
            #expect(!ends(with: ["a", "a", "c"], room: room))
            #expect(!ends(with: ["a", "b", "d"], room: room))
        }
    }
}
