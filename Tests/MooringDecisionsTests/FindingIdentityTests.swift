import MooringDecisions
import MooringModel
import Testing

@Suite("Ids of findings")
struct FindingIdentityTests {
    private func reference(
        source: String = "app", model: String = "Song", id: RecordID = RecordID("s1"),
        field: String = "cover", value: String = "k"
    ) -> String {
        FindingIdentity.reference(
            .dangling, record: RecordIdentity(source: source, model: model, id: id), field: field,
            value: [UInt8](value))
    }

    private func other(bucket: String) -> String {
        FindingIdentity.reference(
            .dangling, record: RecordIdentity(source: "app", model: "Song", id: RecordID("s1")),
            field: "cover", value: [UInt8]("k"), otherBucket: bucket)
    }

    @Test("they are the same in every run and every version of the program")
    func known() {
        #expect(
            FindingIdentity.object(.orphan, bucket: "media", key: ObjectKey("a"))
                == "1c41241c3fe984d657839c46462e564c")
        #expect(reference() == "dec19e7ff364723a928289cd227bc3b1")
        #expect(
            FindingIdentity.sha256([UInt8]("abc"))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("every part makes another id")
    func parts() {
        var ids = [
            reference(), reference(source: "b"), reference(model: "B"),
            reference(id: RecordID("2")),
            reference(id: RecordID(parts: [[UInt8]("s"), [UInt8]("1")])), reference(field: "b"),
            reference(value: "b"), other(bucket: "b"), other(bucket: ""),
            reference(field: "coverb"),
        ]
        for (kind, bucket, key) in [
            (FindingKind.orphan, "media", "a"), (.shared, "media", "a"), (.orphan, "b", "a"),
            (.orphan, "media", "b"), (.orphan, "medi", "aa"),
        ] {
            ids.append(FindingIdentity.object(kind, bucket: bucket, key: ObjectKey(key)))
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 })
    }

    @Test("bytes cannot move from one part to the next")
    func borders() {
        #expect(reference(field: "ab", value: "c") != reference(field: "a", value: "bc"))
        #expect(
            reference(id: RecordID(parts: [[1, 2], [3]]))
                != reference(id: RecordID(parts: [[1], [2, 3]])))
        let composed = FindingIdentity.object(.orphan, bucket: "m", key: ObjectKey("\u{E9}"))
        let decomposed = FindingIdentity.object(.orphan, bucket: "m", key: ObjectKey("e\u{301}"))
        #expect(composed != decomposed)
    }
}
