import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// Apps hold files by the ends of their paths, where they know the folder.
@Suite("Ends of paths in texts")
struct PathEndTests {
    private let world = World([
        ModelMapping(
            model: "Song",
            files: [FileField(field: "cover", level: .root, template: KeyTemplate("covers/{id}"))])
    ])

    private func scan(_ text: String, _ keys: [String], referenced: [String] = []) -> ConfirmScan {
        let songs = World.batch(
            "Song",
            referenced.enumerated().map { place, key in
                ["id": .text(Array("s\(place)".utf8)), "cover": .text(Array(key.utf8))]
            })
        let batches = [
            songs, World.batch("Page", [["id": "p1", "body": .text(Array(text.utf8))]]),
        ]
        let (reconciler, orphans, dangling) = world.join(
            batches, (keys + referenced).map { (0, $0) })
        return world.confirm(
            batches, wanted: orphans.map { ($0.bucket, $0.object.key.text) }, dangling: dangling,
            known: reconciler)
    }

    @Test(
        "a name that stands by itself protects the file that ends in it",
        arguments: [
            ("portrait-3x7.png", "uploads/user/avatar/3/portrait-3x7.png"),
            ("see ![[sketch of plan.png]]", "vault/attachments/sketch of plan.png"),
            ("![](img/step-one.png)", "docs/guide/img/step-one.png"),
            ("![](../../img/step-one.png)", "docs/guide/img/step-one.png"),
            ("<img src='/img/step-one.png'>", "site/img/step-one.png"),
            ("C:\\docs; .\\step-one.png", "docs/step-one.png"),
            (#"a:1:{s:4:"file";s:17:"photo-150x150.jpg";}"#, "wp/2024/11/photo-150x150.jpg"),
            ("xtapjjcjiudrlk3tmwyjgpuobabd", "storage/xt/ap/xtapjjcjiudrlk3tmwyjgpuobabd"),
            (#"{"dir":"gal/7","files":["alpha-one.jpg"]}"#, "gal/7/alpha-one.jpg"),
            ("Look at Castle_of_Foo.jpg.", "images/a/ab/Castle_of_Foo.jpg"),
            ("https://cdn.example/2024/05/holiday.jpg", "uploads/2024/05/holiday.jpg"),
            ("attachments/2024/05/plan.pdf", "uploads/attachments/2024/05/plan.pdf"),
            ("{{media}}/2024/05/holiday.jpg", "uploads/2024/05/holiday.jpg"),
            ("/uploads/holiday.jpg", "media/holiday.jpg"),
        ])
    func protects(text: String, key: String) throws {
        let scan = scan(text, [key])
        let match = try #require(scan.unmapped.first, "\(text)")
        #expect(scan.protected == [0] && match.isEnd)
    }

    @Test("a value that holds a key and the end of it is told of the key, in every run")
    func keyBeforeEnd() throws {
        // Sets of this kind have another order in nearly each run.
        for number in 0..<12 {
            let key = "protected/bob/a/b/c/000\(number)0015.mp4"
            let scan = scan(#"["\#(key)","x"]"#, ["public/" + key])
            #expect(try #require(scan.unmapped.first).isEnd == false, "\(key)")
            #expect(scan.unmapped.count == 1)
        }
    }

    @Test(
        "a longer name, a folder of that name, a short name and an identifier protect nothing",
        arguments: [
            ("my-portrait-3.png", "uploads/portrait-3.png"),
            ("portrait-3.png2", "u/portrait-3.png"),
            ("see //portrait-3.png/x", "uploads/portrait-3.png"), ("pic.png", "uploads/pic.png"),
            ("identifier-1", "covers/identifier-1"), ("identifier-1", "posts/identifier-1"),
        ])
    func another(text: String, key: String) {
        #expect(scan(text, [key]).protected.isEmpty)
    }

    @Test("a name of more than eight files tells of none")
    func common() {
        for count in [8, 9] {
            let scan = scan("original.jpg", (0..<count).map { "u/\($0)/original.jpg" })
            #expect(scan.protected.count == (count == 8 ? 8 : 0))
        }
    }

    @Test("what is the key of an object that records reference means that one")
    func listed() {
        for text in ["original.jpg", "see original.jpg, there", "see u/original.jpg"] {
            let own = text.contains("u/") ? "u/original.jpg" : "original.jpg"
            let scan = scan(text, ["old/original.jpg"], referenced: [own])
            #expect(scan.protected.isEmpty, "\(text)")
        }
    }

    @Test("a whole key tells more than its end")
    func whole() throws {
        let scan = scan(
            "uploads/user/portrait-3.png", ["uploads/user/portrait-3.png", "o/portrait-3.png"])
        #expect(scan.protected == [0])
        #expect(try #require(scan.unmapped.first).isEnd == false)
    }
}
