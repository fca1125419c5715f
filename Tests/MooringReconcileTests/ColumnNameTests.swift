import MooringModel
import Testing

@testable import MooringReconcile

/// Rows of JSON, and items, may hold keys as the names of their members.
@Suite("Keys as names of columns")
struct ColumnNameTests {
    private static let key = "photos/a1b2c3d4.png"

    private func world() -> World {
        World([ModelMapping(model: "Song", files: [FileField(field: "key", level: .root)])])
    }

    private func row(_ id: String, _ name: String) -> [String: FieldValue] {
        ["id": .text(Array(id.utf8)), name: .integer(1)]
    }

    @Test("one protects the object, wherever the table stands", arguments: ["Song", "Notes"])
    func protects(table: String) {
        let batch = World.batch(table, [row("n1", "other"), row("n2", Self.key)])
        let scan = world().confirm([batch], wanted: [(0, Self.key), (0, "photos/e5f6a7b8.png")])
        #expect(scan.protected == [0])
        let match = scan.unmapped.first
        #expect(match?.place.identity.id == RecordID(Array("n2".utf8)))
        #expect(match?.place.field == Self.key)
    }

    @Test("inside a longer name, and percent-encoded")
    func inside() {
        for name in ["seen:\(Self.key)", "photos%2Fa1b2c3d4.png"] {
            let scan = world().confirm(
                [World.batch("Notes", [row("n1", name)])], wanted: [(0, Self.key)])
            #expect(scan.protected == [0], "\(name)")
        }
    }

    @Test("a name that no row of the batch has is met with the first that has it")
    func later() {
        let columns = ["id", Self.key]
        let (one, other): ([FieldValue], [FieldValue]) = (
            [.text(Array("n1".utf8)), .absent], [.text(Array("n2".utf8)), .null]
        )
        let batches = [[one], [other]].map {
            RecordBatch(table: "Notes", columns: columns, rows: $0)
        }
        let scan = world().confirm(batches, wanted: [(0, Self.key)])
        #expect(scan.unmapped.first?.place.identity.id == RecordID(Array("n2".utf8)))
    }

    @Test("what is no more than an identifier is the name of an attribute")
    func attributes() {
        let scan = world().confirm(
            [World.batch("Notes", [row("n1", "thumbnail")])], wanted: [(0, "thumbnail")])
        #expect(scan.protected.isEmpty)
    }
}
