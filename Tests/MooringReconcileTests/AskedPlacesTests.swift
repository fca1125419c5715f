import MooringDecisions
import MooringModel
import MooringText
import Testing

@testable import MooringReconcile

/// What a join asks about that somebody else left a part of both sides out of.
@Suite("Places that a join asks about")
struct AskedPlacesTests {
    // What a trial run of one record asks for whose key may lie under any level, where these
    // objects are listed.
    private func asked(
        _ level: LevelChoice, _ keys: [String], inSlabs: Bool
    ) -> Set<NarrowingNeed> {
        let world = World([
            ModelMapping(
                model: "Song", identity: "owner", files: [FileField(field: "key", level: level)])
        ])
        let asked = AskedPlaces()
        var join = Reconciler(
            models: world.models, buckets: world.buckets, resolver: world.resolver)
        join.watch(asked)
        var batch = World.batch(
            "Song", [["id": text("1"), "owner": text("eu:1"), "key": text("a.jpg")]])
        if inSlabs {
            batch = RecordBatch(table: "Song", columns: batch.columns, slab: batch.packed)
        }
        var forms = FieldForms(world.models)
        _ = join.read(batch, source: "app", forms: &forms)
        join.beginListing()
        for key in keys { _ = join.match([World.object(key)], bucket: 0) }
        join.beginReplay()
        join.replay(batch, source: "app")
        let isSame = join.endReplay()
        #expect(isSame)
        return asked.needs
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func key(_ key: String) -> NarrowingNeed {
        NarrowingNeed(.key, 0, Array(key.utf8))
    }

    @Test("are those of a matched reference where nothing was listed", arguments: [false, true])
    func matched(inSlabs: Bool) {
        #expect(
            asked(.any, ["public/a.jpg"], inSlabs: inSlabs) == [
                key("a.jpg"), key("protected/eu:1/a.jpg"), key("private/eu:1/a.jpg"),
            ])
        #expect(
            asked(.any, ["a.jpg", "private/eu:1/a.jpg"], inSlabs: inSlabs)
                == [key("public/a.jpg"), key("protected/eu:1/a.jpg")])
    }

    @Test("are none of a reference to one key that was listed", arguments: [false, true])
    func one(inSlabs: Bool) {
        #expect(asked(.named("guest"), ["public/a.jpg"], inSlabs: inSlabs).isEmpty)
    }

    @Test("become the whole bucket where they are many")
    func bounded() {
        let asked = AskedPlaces(atMost: 3)
        for (number, bucket) in [(1, 0), (2, 0), (2, 0), (3, 0), (1, 1)] {
            asked.note(.exact(ObjectKey("\(number)")), bucket: bucket)
        }
        let other = NarrowingNeed(.key, 1, Array("1".utf8))
        #expect(asked.needs == [key("1"), key("2"), key("3"), other])
        for number in 4...9 { asked.note(.exact(ObjectKey("\(number)")), bucket: 0) }
        #expect(asked.needs == [NarrowingNeed(.head, 0, []), other])
    }
}
