import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// What a longer name may take from a wanted key: only what it means in the same bucket.
@Suite("Longer names")
struct LongerNameTests {
    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func own(_ bucket: String) -> ModelMapping {
        ModelMapping(model: "Own", files: [FileField(field: "key", bucket: bucket)])
    }

    private func look(
        _ world: World, referenced: String, listed: [(Int, String)], note: String
    ) -> ConfirmScan {
        let batches = [
            World.batch("Own", [["id": "o1", "key": text(referenced)]]),
            World.batch("Note", [["id": "n1", "body": text(note)]]),
        ]
        let (reconciler, orphans, dangling) = world.join(batches, listed)
        #expect(orphans.count == 1)
        return world.confirm(
            batches, wanted: orphans.map { ($0.bucket, $0.object.key.text) }, dangling: dangling,
            known: reconciler)
    }

    @Test("the same key listed in another bucket takes nothing")
    func otherBucket() {
        let world = World([own("thumbs")], buckets: ["photos", "thumbs"])
        for note in [#"{"orig":"u1/photo.jpg"}"#, "u1/photo.jpg"] {
            let scan = look(
                world, referenced: "u1/photo.jpg",
                listed: [(1, "u1/photo.jpg"), (0, "u1/photo.jpg")], note: note)
            #expect(scan.protected == [0], "\(note)")
        }
    }

    @Test("the same text as a key at the root takes nothing from the key under a level")
    func sameText() {
        let scan = look(
            World([own("media")]), referenced: "covers/a.png",
            listed: [(0, "covers/a.png"), (0, "public/covers/a.png")],
            note: "<img src=\"covers/a.png\">")
        #expect(scan.protected == [0])
    }

    @Test("a longer key that begins with a bucket's name takes nothing in that bucket")
    func bucketName() {
        let world = World([own("media")], buckets: ["avatars", "media"])
        for note in ["s3://avatars/u1/a.png", "avatars/u1/a.png", "see avatars/u1/a.png"] {
            let scan = look(
                world, referenced: "avatars/u1/a.png",
                listed: [(1, "avatars/u1/a.png"), (0, "u1/a.png")], note: note)
            #expect(scan.protected == [0], "\(note)")
        }
        let one = World([own("avatars")], buckets: ["avatars"])
        let scan = look(
            one, referenced: "avatars/u1/a.png",
            listed: [(0, "avatars/u1/a.png"), (0, "u1/a.png")], note: "avatars/u1/a.png")
        #expect(scan.protected == [0])
    }

    @Test("a copy below the name of the bucket's own folder takes nothing from the original")
    func copyBelow() {
        let world = World([own("media")])
        for note in ["![](/uploads/posts/p-1.jpg)", "https://cdn.example/uploads/posts/p-1.jpg"] {
            let scan = world.confirm(
                [World.batch("Note", [["id": "n1", "body": text(note)]])],
                wanted: [(0, "uploads/posts/p-1.jpg"), (0, "posts/p-1.jpg"), (0, "p-1.jpg")])
            #expect(scan.protected == [0, 1, 2], "\(note)")
        }
        // Under another identity the same name is another file.
        let scan = world.confirm(
            [World.batch("Note", [["id": "n1", "body": text("see protected/i/avatar.png")]])],
            wanted: [(0, "protected/i/avatar.png"), (0, "private/j/avatar.png")])
        #expect(scan.protected == [0])
    }

    @Test("a key behind a host in an address is meant, though a mirror lies under that host")
    func mirror() {
        let (world, key) = (World([own("media")]), "img/logo.png")
        for (longer, isMeant) in [
            ("example.com/" + key, true), (key + ".webp", false), ("public/" + key, false),
            ("example.com/\(key).webp", false), ("my-" + key, false),
        ] {
            let scan = look(
                world, referenced: longer, listed: [(0, longer), (0, key)],
                note: "<img src='https://\(longer)'>")
            #expect(scan.protected == (isMeant ? [0] : []), "\(longer)")
        }
    }

    @Test("a longer wanted key takes its ends only, and nothing from one in another bucket")
    func wanted() {
        let world = World([own("media")], buckets: ["avatars", "media"])
        for note in ["covers/u1/a.png", "see covers/u1/a.png"] {
            let scan = world.confirm(
                [World.batch("Note", [["id": "n1", "body": text(note)]])],
                wanted: [(1, "covers/u1/a.png"), (0, "u1/a.png"), (1, "u1/a.png")])
            #expect(scan.protected == [0, 1, 2], "\(note)")
        }
    }

    @Test("in bytes a digit behind a key may be anything, in a text it is a longer name's")
    func digits() {
        let key = "photos/2026-07-14"
        let bytes = Array("\(key)5 there".utf8)
        let cases: [(FieldValue, Bool)] = [
            (.text(bytes), false), (.blob(bytes), true), (.text([0xFF] + bytes), true),
        ]
        for (value, isFound) in cases {
            let scan = World([own("media")]).confirm(
                [World.batch("Note", [["id": "n1", "body": value]])], wanted: [(0, key)])
            #expect(scan.protected == (isFound ? [0] : []))
        }
    }

    @Test("a bare identifier inside a common text leaves the whole value to be seen")
    func commonIdentifiers() {
        let count = WantedKeys.commonLimit + 1
        let file = FileField(
            field: "key", level: .named("private"), template: KeyTemplate("{id}"))
        let world = World([ModelMapping(model: "Song", identity: "who", files: [file])])
        let batch = World.batch(
            "Note", ["see song-one there", "song-one"].map { ["id": "n1", "body": text($0)] })
        let scan = world.confirm(
            [batch], wanted: (0..<count).map { (0, "private/eu:\($0)/song-one") })
        #expect(scan.protected.count == count)
    }
}
