import MooringDecisions
import MooringModel
import MooringReconcile
import Testing

@Suite("What waits in outboxes")
struct OutboxScanTests {
    private func scan(_ rows: [[FieldValue]]) -> OutboxScan {
        var scan = OutboxScan(["phone": .dataStore])
        let batch = RecordBatch(
            table: "MutationEvent", columns: OutboxTable.dataStore.columns, rows: rows)
        scan.read(batch, source: "phone")
        scan.read(batch, source: "app")
        return scan
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func identity(_ source: String, _ model: String, _ parts: String...) -> RecordIdentity {
        RecordIdentity(
            source: source, model: model, id: RecordID(parts: parts.map { Array($0.utf8) }))
    }

    @Test("is found by the record, also of several parts, under the model's or the table's name")
    func records() throws {
        let scan = scan([
            [text("e1"), text("Song"), text("s1"), text("update"), text("2026-11-20T10:00:00Z")],
            [text("e2"), text("Pair"), text(##""p"#"s""##), text("create"), .null],
        ])
        let write = try #require(scan.write(of: identity("phone", "Song", "s1"), table: "Song"))
        #expect(write.act == "update" && write.madeAt == Instant(iso8601: "2026-11-20T10:00:00Z"))
        #expect(scan.write(of: identity("phone", "Track", "s1"), table: "Song") == write)
        #expect(scan.write(of: identity("phone", "Pair", "p", "s"), table: "Pair") != nil)
        #expect(scan.write(of: identity("phone", "Song", "s2"), table: "Song") == nil)
        #expect(scan.write(of: identity("app", "Song", "s1"), table: "Song") == nil)
        let place = RecordPlace(identity: identity("phone", "MutationEvent", "e1"))
        #expect(scan.write(at: place) == write)
        #expect(scan.write(at: RecordPlace(identity: identity("phone", "Song", "e1"))) == nil)
    }
}

@Suite("Identities that records know")
struct KnownIdentityTests {
    @Test("are not all told where a user's identity is in no map")
    func untold() {
        let map = IdentityMap(
            [(user: Array("u1".utf8), identity: Array("eu:1".utf8))], digest: "one")
        var mapping = ModelMapping(model: "Song", identity: "owner")
        mapping.identities = map
        for (owners, knowsAll) in [(["u1"], true), (["u1", "u2"], false)] {
            let rows = owners.map { owner in
                ["id": FieldValue.text([115]), "owner": .text(Array(owner.utf8))]
            }
            let join = World([mapping]).join([World.batch("Song", rows)], [])
            #expect(join.reconciler.knows(identity: Array("eu:2".utf8)).any == knowsAll)
        }
    }
}
