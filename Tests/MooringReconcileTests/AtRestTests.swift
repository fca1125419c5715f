import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// Only a mapped value whose own object is known to be there says nothing of others.
@Suite("Values at rest")
struct AtRestTests {
    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func world() -> World {
        World([
            ModelMapping(
                model: "Song", deleted: "gone",
                files: [FileField(field: "key", level: .named("guest"))])
        ])
    }

    private func song(_ value: String, isDeleted: Bool = false) -> RecordBatch {
        World.batch(
            "Song",
            [["id": "s1", "key": text(value), "gone": isDeleted ? .integer(1) : .null]])
    }

    private static let key = "public/covers/a.png"
    private static let forms = [
        "media/public/covers/a.png", "s3://media/public/covers/a.png",
        "arn:aws:s3:::media/public/covers/a.png",
    ]

    @Test("a value whose own key was not listed is searched, whoever holds it", arguments: forms)
    func notListed(value: String) {
        var world = world()
        world.buckets[0].prefixes = [ObjectKey("public/covers/")]
        for isDeleted in [false, true] {
            let batch = song(value, isDeleted: isDeleted)
            let (reconciler, orphans, dangling) = world.join([batch], [(0, Self.key)])
            #expect(orphans.count == 1 && dangling.isEmpty)
            let scan = world.confirm([batch], wanted: [(0, Self.key)], known: reconciler)
            #expect(scan.protected == [0])
        }
    }

    @Test("a value that came behind pass A is searched", arguments: forms)
    func gained(value: String) {
        let (reconciler, _, _) = world().join([], [(0, Self.key)])
        let scan = world().confirm([song(value)], wanted: [(0, Self.key)], known: reconciler)
        #expect(scan.protected == [0])
        // Nor is anything known of what is listed where a repair looks again: it asks the store.
        let again = world().confirm([song(value)], wanted: [(0, Self.key)])
        let own = WantedKey(bucket: 0, key: ObjectKey("public/" + value))
        #expect(again.protected == [] && again.inside.values == [0: [[[own]]]])
    }

    @Test("a value whose object is there says nothing of what stands inside it")
    func atRest() {
        let listed = [(0, "public/old/covers/a.png"), (0, Self.key)]
        let batch = song("old/covers/a.png")
        let (reconciler, orphans, dangling) = world().join([batch], listed)
        #expect(orphans.count == 1 && dangling.isEmpty)
        let scan = world().confirm([batch], wanted: [(0, Self.key)], known: reconciler)
        #expect(scan.protected == [])
    }
}
