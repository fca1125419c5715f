import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// Keys below identities that values may spell in another way.
@Suite("Other spellings below identities")
struct SpelledBelowIdentityTests {
    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    // The orphans among the keys that a record with this value protects by another spelling.
    private func spelt(_ value: String, who: String?, _ keys: [String]) -> [String] {
        let world = World([
            ModelMapping(
                model: "Song", identity: "who",
                files: [FileField(field: "key", level: .named("private"))])
        ])
        let row = ["id": text("s1"), "key": text(value), "who": who.map(text) ?? .null]
        let batch = World.batch("Song", [row])
        let (reconciler, orphans, dangling) = world.join([batch], keys.map { (0, $0) })
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) },
            dangling: dangling, known: reconciler)
        scan.read(batch, source: "app", searchesText: true)
        scan.closeReferenced()
        return scan.named.keys.sorted().map { orphans[$0].object.key.text }
    }

    @Test(
        "of an identity that is not known, any that few have of the name is meant",
        arguments: ["holiday-1201.webp", "holiday_1201.png"])
    func unknown(name: String) {
        let key = "private/eu-1:ab/\(name)"
        #expect(spelt("holiday-1201.png", who: nil, [key, "private/eu-1:ab/x.png"]) == [key])
        let many = (0..<9).map { "private/eu-1:\($0)/\(name)" }
        #expect(spelt("holiday-1201.png", who: nil, Array(many.prefix(8))).count == 8)
        #expect(spelt("holiday-1201.png", who: nil, many).isEmpty)
        #expect(spelt("holiday-1201.png", who: "eu-1:cd", [key]).isEmpty)
    }

    @Test("a value that is no key protects what it may spell below its record's identity")
    func invalid() {
        let names = ["holiday-1201.webp", "HOLIDAY-1201.PNG"].map { "private/eu-1:ab/" + $0 }
        let others = names + ["private/eu-1:cd/holiday-1201.webp"]
        #expect(spelt("holiday-1201.png\n", who: "eu-1:ab", others) == names)
        #expect(spelt("holiday-1201.png\n", who: nil, others) == others)
    }
}
