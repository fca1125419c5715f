import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// Relations and copies in both passes, without a pipeline.
@Suite("Differences between records")
struct RowScanTests {
    private let post = ModelMapping(
        model: "Post", version: "v", changed: "at", deleted: "gone",
        files: [FileField(field: "file")])
    private let comment = ModelMapping(
        model: "Comment", changed: "at", deleted: "gone",
        relations: [Relation(field: "postID", model: "Post", cascade: true)])

    private func app(_ models: ModelMapping...) -> [SourceModel] {
        models.map { SourceModel(source: "app", mapping: $0) }
    }

    private func confirm(
        _ models: [SourceModel], _ first: [(String, RecordBatch)],
        _ second: [(String, RecordBatch)]? = nil
    ) -> RowConfirm {
        var scan = RowScan(models: models)
        for (source, batch) in first { scan.read(batch, source: source) }
        scan.close()
        var confirm = scan.confirm()
        for (source, batch) in second ?? first { confirm.read(batch, source: source) }
        return confirm
    }

    private func comments(_ rows: [(String, FieldValue)]) -> (String, RecordBatch) {
        (
            "app",
            World.batch("Comment", rows.map { ["id": .text(Array($0.0.utf8)), "postID": $0.1] })
        )
    }

    private func posts(_ ids: String..., gone: Bool = false) -> (String, RecordBatch) {
        let mark = FieldValue.integer(gone ? 1 : 0)
        return (
            "app",
            World.batch("Post", ids.map { ["id": .text(Array($0.utf8)), "gone": mark] })
        )
    }

    // MARK: Relations

    @Test("a child is found whichever side is read first, and a parent once seen is no loss")
    func order() {
        let children = comments([("c1", "p1"), ("c2", "p2"), ("c3", .null), ("c4", "")])
        for batches in [[children, posts("p1")], [posts("p1"), children]] {
            let found = confirm(app(post, comment), batches).dangling()
            #expect(found.map(\.place.identity.id.text) == ["c2"])
            #expect(found.map(\.value) == [Array("p2".utf8)])
            #expect(found.first?.tombstone == nil)
            #expect(found.first?.place.field == "postID")
        }
    }

    @Test("pass B drops a child that let go, a parent that came, and finds a tombstone")
    func confirmed() {
        let models = app(post, comment)
        let first = [comments([("c1", "p1")])]
        #expect(confirm(models, first).dangling().count == 1)
        #expect(confirm(models, first, [comments([("c1", .null)])]).dangling().isEmpty)
        #expect(confirm(models, first, [comments([("c1", "p2")])]).dangling().isEmpty)
        #expect(confirm(models, first, first + [posts("p1")]).dangling().isEmpty)
        let gone = confirm(models, first, first + [posts("p1", gone: true)]).dangling()
        #expect(gone.first?.tombstone?.id.text == "p1")
        let back = [posts("p1", gone: true), posts("p1")]
        #expect(confirm(models, first, first + back).dangling().isEmpty)
        #expect(confirm(models, first + back).dangling().isEmpty)
    }

    @Test("a child that is a tombstone misses nothing")
    func deadChild() {
        let batch = World.batch("Comment", [["id": "c1", "postID": "p1", "gone": .integer(1)]])
        #expect(confirm(app(post, comment), [("app", batch)]).dangling().isEmpty)
    }

    @Test("two rows of one child are one finding, as late as the later of them")
    func twoRows() throws {
        let batch = World.batch(
            "Comment",
            [
                ["id": "c1", "postID": "p1", "at": .integer(10)],
                ["id": "c1", "postID": "p1", "at": .integer(20)],
            ])
        let found = confirm(app(post, comment), [("app", batch)]).dangling()
        #expect(found.count == 1)
        #expect(found.first?.changed?.written == Instant(seconds: 20))
    }

    @Test("identifiers are bytes: slashes, NUL, bytes that are no text, two spellings of a letter")
    func hostile() {
        let ids: [[UInt8]] = [
            Array("a/b".utf8), [0], [0xFF, 0xFE], Array("\u{E9}".utf8), Array("../..".utf8),
            Array("line\nbreak".utf8), Array(repeating: 0x61, count: 5_000),
        ]
        let children = World.batch(
            "Comment", ids.map { ["id": .text($0), "postID": .text($0)] })
        let parents = World.batch("Post", ids.map { ["id": .blob($0)] })
        let models = app(post, comment)
        #expect(confirm(models, [("app", children), ("app", parents)]).dangling().isEmpty)
        #expect(confirm(models, [("app", children)]).dangling().map(\.value) == ids)
        let other = World.batch("Post", [["id": .text(Array("e\u{301}".utf8))]])
        let one = World.batch("Comment", [["id": "c", "postID": .text(Array("\u{E9}".utf8))]])
        #expect(confirm(models, [("app", one), ("app", other)]).dangling().count == 1)
    }

    @Test("a composite parent is named by its parts with slashes between them")
    func composite() {
        var track = post
        track.id = ["pk", "sk"]
        let parents = World.batch("Post", [["pk": "a/b", "sk": "c"]])
        let children = comments([("c1", "a/b/c"), ("c2", "a/b"), ("c3", .integer(7))])
        let found = confirm(app(track, comment), [("app", parents), children]).dangling()
        #expect(found.map(\.value) == [Array("a/b".utf8), Array("7".utf8)])
    }

    @Test("the parent lies in the child's source, else in any other, else nobody judges")
    func sources() {
        let other = SourceModel(source: "other", mapping: post)
        let child = SourceModel(source: "app", mapping: comment)
        let elsewhere = ("other", World.batch("Post", [["id": "p1"]]))
        let children = comments([("c1", "p1"), ("c2", "p2")])
        let two = confirm([child, other], [children, elsewhere]).dangling()
        #expect(two.map(\.place.identity.id.text) == ["c2"])
        let own = [child, other, SourceModel(source: "app", mapping: post)]
        #expect(confirm(own, [children, elsewhere]).dangling().count == 2)
        #expect(confirm([child], [children]).dangling().isEmpty)
        let third = SourceModel(source: "third", mapping: post)
        let there = ("third", World.batch("Post", [["id": "p2"]]))
        #expect(confirm([child, other, third], [children, elsewhere, there]).dangling().isEmpty)
    }

    @Test("copies are neither children nor parents")
    func copiesApart() {
        let copies = [
            SourceModel(source: "app", mapping: comment),
            SourceModel(source: "phone", mapping: comment, authority: "app"),
            SourceModel(source: "phone", mapping: post, authority: "app"),
        ]
        let children = comments([("c1", "p1")])
        #expect(confirm(copies, [children, ("phone", children.1)]).dangling().isEmpty)
        let all = copies + [SourceModel(source: "app", mapping: post)]
        let phone = ("phone", World.batch("Post", [["id": "p1"]]))
        let found = confirm(all, [children, ("phone", children.1), phone]).dangling()
        #expect(found.map(\.place.identity.source) == ["app"])
    }

    @Test("a hundred thousand children of one missing parent are looked up once each")
    func many() {
        let rows = (0..<100_000).map { ("c\($0)", FieldValue.text(Array("p".utf8))) }
        let found = confirm(app(post, comment), [comments(rows)]).dangling()
        #expect(found.count == 100_000)
    }

    // MARK: Copies

    private func pair(_ mapping: ModelMapping, _ copy: ModelMapping? = nil) -> [SourceModel] {
        [
            SourceModel(source: "phone", mapping: copy ?? mapping, authority: "app"),
            SourceModel(source: "app", mapping: mapping),
        ]
    }

    private func post(_ id: FieldValue, _ version: Int64?, _ more: [String: FieldValue] = [:])
        -> RecordBatch
    {
        var row = more
        row["id"] = id
        if let version { row["v"] = .integer(version) }
        return World.batch("Post", [row])
    }

    @Test("a copy is compared with its authority's record, whichever is read first")
    func copies() {
        let models = pair(post)
        for (copy, cause) in [(3, .behind), (5, nil), (6, nil)] as [(Int64, FindingCause?)] {
            let sides = [("phone", post("p", copy)), ("app", post("p", 5))]
            for batches in [sides, sides.reversed()] {
                let stale = confirm(models, batches).stale()
                #expect(stale.map(\.cause) == (cause.map { [$0] } ?? []))
                if let first = stale.first {
                    #expect(first.copy.identity.source == "phone")
                    #expect(first.original?.state.version == 5)
                }
            }
        }
        let gone = confirm(models, [("phone", post("p", 3))]).stale()
        #expect(gone.map(\.cause) == [.deletedUpstream])
        #expect(gone.first?.original == nil)
        #expect(gone.first?.authority.identity.source == "app")
        #expect(confirm(models, [("app", post("p", 3))]).stale().isEmpty)
    }

    @Test("pass B sees a copy that caught up, and a record that came back")
    func caughtUp() {
        let models = pair(post)
        let first = [("phone", post("p", 3)), ("app", post("p", 5))]
        #expect(
            confirm(models, first, [("phone", post("p", 5)), ("app", post("p", 5))])
                .stale().isEmpty)
        #expect(confirm(models, first, [("app", post("p", 5))]).stale().isEmpty)
        let alone = [("phone", post("p", 3))]
        #expect(confirm(models, alone, alone + [("app", post("p", 3))]).stale().isEmpty)
    }

    @Test("without version and time, what the columns mean decides, not how they are written")
    func content() {
        let plain = ModelMapping(
            model: "Post", files: [FileField(field: "file", isList: true)],
            relations: [Relation(field: "owner", model: "User")])
        func batch(_ file: FieldValue, _ owner: FieldValue, _ title: String) -> RecordBatch {
            World.batch(
                "Post",
                [["id": "p", "file": file, "owner": owner, "title": .text(Array(title.utf8))]])
        }
        let models = pair(plain)
        let own = ("app", batch("[\"a\", \"b\"]", "u", "one"))
        let same = batch(.json(Array("[\"a\",\"b\"]".utf8)), .blob(Array("u".utf8)), "two")
        #expect(confirm(models, [own, ("phone", same)]).stale().isEmpty)
        for other in [batch("[\"b\", \"a\"]", "u", "one"), batch("[\"a\", \"b\"]", "w", "one")] {
            #expect(confirm(models, [own, ("phone", other)]).stale().map(\.cause) == [.behind])
        }
        var narrow = plain
        narrow.relations = []
        let other = ("phone", batch("[\"a\", \"b\"]", "w", "one"))
        #expect(confirm(pair(plain, narrow), [own, other]).stale().isEmpty)
    }

    @Test("two copies of one record are two findings")
    func twoCopies() {
        let models =
            pair(post) + [SourceModel(source: "tablet", mapping: post, authority: "app")]
        let batches = [
            ("phone", post("p", 3)), ("tablet", post("p", 4)), ("app", post("p", 5)),
        ]
        let stale = confirm(models, batches).stale()
        #expect(Set(stale.map(\.copy.identity.source)) == ["phone", "tablet"])
    }

    // MARK: Copies and objects

    @Test("a record and its copies share nothing, and the record is the one that is named")
    func shared() {
        func reconcile(_ rows: [(Int, String)]) -> Reconciler {
            let models = pair(post)
            var reconciler = Reconciler(
                models: models, buckets: [BucketMapping(name: "media")],
                resolver: KeyResolver(levels: []))
            let batches = rows.map { model, id in
                RecordBatch(
                    table: models[model].mapping.table, columns: ["id", "file"],
                    rows: [[.text(Array(id.utf8)), "k"]])
            }
            var forms = FieldForms(models)
            for ((model, _), batch) in zip(rows, batches) {
                _ = reconciler.read(batch, source: models[model].source, forms: &forms)
            }
            _ = reconciler.match([World.object("k", size: 0)], bucket: 0)
            for ((model, _), batch) in zip(rows, batches) {
                reconciler.replay(batch, source: models[model].source)
            }
            _ = reconciler.endReplay()
            return reconciler
        }
        for rows in [[(0, "p"), (1, "p")], [(1, "p"), (0, "p")]] {
            let reconciler = reconcile(rows)
            #expect(reconciler.shared().isEmpty)
            #expect(reconciler.empty().first?.places.map(\.identity.source) == ["app"])
        }
        let places = reconcile([(0, "p"), (1, "p"), (1, "q")]).shared().first?.places
        #expect(Set(places?.map(\.identity.id.text) ?? []) == ["p", "q"])
        #expect(Set(places?.map(\.identity.source) ?? []) == ["app"])
        #expect(reconcile([(0, "p"), (0, "q")]).shared().first?.places.count == 2)
    }
}
