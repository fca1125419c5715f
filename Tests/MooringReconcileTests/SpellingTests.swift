import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// What a missing reference may spell in another way, in fields whose keys name no owner.
@Suite("Spellings of missing references")
struct SpellingTests {
    private static let cover = FileField(field: "cover", level: .named("guest"))
    private let world = World([ModelMapping(model: "Song", files: [cover])])

    private func song(_ cover: String) -> RecordBatch {
        World.batch("Song", [["id": "s1", "cover": .text(Array(cover.utf8))]])
    }

    /// The scan of one song beside one object that nobody else references.
    private func scan(_ value: String, _ key: String) -> ConfirmScan {
        let batches = [song(value)]
        let (reconciler, orphans, dangling) = world.join(batches, [(0, key)])
        return world.confirm(
            batches, wanted: orphans.map { ($0.bucket, $0.object.key.text) }, dangling: dangling,
            known: reconciler)
    }

    private static let spelt = [
        ("covers/pic-0001", "public/covers/pic-0001.jpg"),
        ("covers/pic-0001.jpg", "public/covers/pic-0001"),
        ("covers/pic-0001.webp", "public/covers/pic-0001.jpg"),
        ("covers/pic-2?v=2", "public/covers/pic-2.jpg"),
        ("covers\\pic-3.jpg", "public/covers/pic-3.jpg"),
        ("C:\\app\\files\\covers\\pic-4.jpg", "public/covers/pic-4.jpg"),
        ("docs/Gr\u{F6}\u{DF}e.pdf?v=1", "public/docs/Gro\u{308}\u{DF}e.pdf"),
        ("Docs/Report-03.PDF?v=1", "public/docs/report-03.pdf"),
        ("files/covers/0af3-11.png#x", "public/covers/0af311.png"),
        ("covers/a blank (2).jpg", "public/covers/a_blank-2.jpg"),
        ("covers/it's\u{A0}me \u{2013} 1.jpg", "public/covers/it\u{2019}s me - 1.jpg"),
        ("covers/Zo\u{C3}\u{AB}.jpg", "public/covers/Zo\u{EB}.jpg"),
        ("covers/\u{FF76}\u{FF9E}-\u{FF11}\u{FF12}.jpg", "public/covers/\u{30AC}-12.jpg"),
        ("covers/\u{661}\u{662}\u{2122}\u{FB01}.jpg", "public/covers/12TMfi.jpg"),
    ]

    /// A file keeps its name where it is moved.
    private static let moved = [
        ("legacy-1.jpg", "public/covers/legacy-1.jpg"),
        ("covers/pic-0001.jpg", "public/2023/covers/old/pic-0001.jpg"),
        ("s1-pic7.png", "public/song/cover/s1/s1-pic7.png"),
        ("exports/report.csv", "public/archive/report.csv.gz"),
        ("old\\Report_7.pdf", "public/new/report 7.pdf"),
    ]

    @Test(
        "a missing file and an orphan of its name are in doubt, wherever they lie", arguments: moved
    )
    func elsewhere(value: String, key: String) {
        let scan = scan(value, key)
        #expect(scan.named.keys.contains(0) && scan.doubtful == [0])
    }

    @Test("but not where the name is a common one, or each names a record of its own")
    func commonNames() {
        for count in [8, 9] {
            let batches = [song("covers/original.jpg")]
            let (reconciler, orphans, dangling) = world.join(
                batches, (0..<count).map { (0, "public/other/\($0)/original.jpg") })
            let scan = world.confirm(
                batches, wanted: orphans.map { ($0.bucket, $0.object.key.text) },
                dangling: dangling, known: reconciler)
            #expect(scan.named.count == (count == 8 ? 8 : 0))
            #expect(scan.doubtful.isEmpty == (count == 9))
        }
        let file = FileField(
            field: "cover", level: .named("guest"), template: KeyTemplate("{id}/{*}"))
        let named = World([ModelMapping(model: "Song", files: [file])])
        let batches = [song("s1/original.jpg")]
        for (owner, isDoubtful) in [("s2", false), ("s1/old", true)] {
            let (reconciler, orphans, dangling) = named.join(
                batches, [(0, "public/\(owner)/original.jpg")])
            let scan = named.confirm(
                batches, wanted: orphans.map { ($0.bucket, $0.object.key.text) },
                dangling: dangling, known: reconciler)
            #expect(scan.doubtful.isEmpty != isDoubtful, "\(owner)")
        }
    }

    @Test("a name that is no UTF-8 is read as the system that wrote it meant it")
    func latin() {
        let value = "covers/Zo\u{EB}-1.jpg"
        let batches = [song(value)]
        let key = ObjectKey(Array("public/covers/Zo".utf8) + [0xEB] + Array("-1.jpg".utf8))
        let (_, _, dangling) = world.join(batches, [])
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: [WantedKey(bucket: 0, key: key)], dangling: dangling)
        for batch in batches { scan.read(batch, source: "app", searchesText: true) }
        #expect(scan.doubtful == [0] && scan.named.keys.contains(0))
    }

    @Test("both ends are in doubt", arguments: spelt)
    func inDoubt(value: String, key: String) {
        let scan = scan(value, key)
        #expect(scan.named.keys.contains(0) || scan.protected == [0])
        #expect(scan.doubtful == [0])
    }

    @Test("so is a reference whose object others hold by its own key", arguments: spelt)
    func othersHold(value: String, key: String) {
        let other = World.batch(
            "Song", [["id": "s2", "cover": .text(Array(key.dropFirst("public/".count).utf8))]])
        let batches = [song(value), other]
        let (reconciler, orphans, dangling) = world.join(batches, [(0, key)])
        #expect(orphans.isEmpty && dangling.count == 1)
        var scan = world.confirm([], wanted: [], dangling: dangling, known: reconciler)
        for batch in batches { scan.compareReferenced(batch, source: "app") }
        scan.closeReferenced()
        #expect(scan.doubtful == [0])
    }

    @Test(
        "another name, folder or identity is another file",
        arguments: [
            ("covers/pic-1.jpg", "public/covers/pic-2.jpg"),
            ("covers/pic.jpg", "public/thumbs/pic.jpg"),
            ("covers/pic-1.jpg", "private/i/covers/pic-1.jpg"),
            ("covers/pic 1 2.jpg", "public/covers/pic12.jpg"),
            ("pic-1.jpg", "public/covers/pic-1.png"), ("a/b.tar.gz", "public/a/b.zip"),
        ])
    func another(value: String, key: String) {
        let scan = scan(value, key)
        #expect(scan.named.isEmpty && scan.doubtful.isEmpty)
    }

    @Test("what two models read in one column is missing only where it is under both")
    func twoModels() {
        let full = FileField(field: "avatar", level: .named("guest"))
        let thumb = FileField(field: "avatar", level: .root)
        let two = World([
            ModelMapping(model: "Profile", files: [full]),
            ModelMapping(model: "Thumb", table: "Profile", files: [thumb]),
        ])
        let batch = World.batch("Profile", [["id": "p1", "avatar": "me.png"]])
        for (key, isDoubtful) in [("public/me.png", true), ("public/other.png", false)] {
            let (reconciler, _, dangling) = two.join([batch], [(0, key)])
            let scan = two.confirm([batch], wanted: [], dangling: dangling, known: reconciler)
            #expect(scan.doubtful.isEmpty == !isDoubtful)
        }
    }

    @Test("a second key beside a missing one holds the reference")
    func secondKey() {
        let file = FileField(field: "file", isComplex: true)
        let post = World([ModelMapping(model: "Post", files: [file])])
        let text = #"{"bucket":"media","key":"v/7.mp4","poster":"posters/poster-7.jpg"}"#
        let batch = World.batch("Post", [["id": "p1", "file": .text(Array(text.utf8))]])
        let (reconciler, orphans, dangling) = post.join([batch], [(0, "posters/poster-7.jpg")])
        let scan = post.confirm(
            [batch], wanted: orphans.map { ($0.bucket, $0.object.key.text) }, dangling: dangling,
            known: reconciler)
        #expect(scan.protected == [0] && scan.doubtful == [0])
    }

    @Test("a value that is no key keeps the object that it spells")
    func unusable() {
        for value in ["/covers/pic-0001", "https://cdn.example/covers/PIC-0001.jpg"] {
            let scan = scan(value, "public/covers/pic-0001.jpg")
            #expect(scan.named.keys.contains(0) || scan.protected == [0], "\(value)")
        }
    }

    @Test(
        "a value that a key ends in, which records reference, is in doubt",
        arguments: [
            ("blue-shirt.jpg", "products/blue-shirt.jpg", true),
            ("uploads/2019/x.jpg", "archive/uploads/2019/x.jpg", true),
            ("shirt.jpg", "products/blue-shirt.jpg", false),
            ("x.jpg", "products/x.jpg", false),
            ("blue-shirt.jpg", "protected/eu:them/blue-shirt.jpg", false),
        ])
    func tails(value: String, key: String, isDoubtful: Bool) {
        var scan = scan(value, "zzz")
        scan.add(referenced: ObjectKey(key), bucket: 0)
        #expect(scan.doubtful.isEmpty != isDoubtful)
    }
}
