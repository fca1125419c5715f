import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

/// What many records and objects share is gone through once. Every size here is such that work
/// with the product of both sides would not end within the limit.
@Suite("Common names", .timeLimit(.minutes(15)))
struct CommonNameTests {
    private static let count = 20_000

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    private func world(
        identity: String? = "who", isList: Bool = false, template: String? = "{id}"
    ) -> World {
        World([
            ModelMapping(
                model: "Song", identity: identity,
                files: [
                    FileField(
                        field: "key", isList: isList, level: .named("private"),
                        template: template.flatMap { KeyTemplate($0) })
                ])
        ])
    }

    private func orphans(_ name: String) -> [(Int, String)] {
        (0..<Self.count).map { (0, "private/gone-\($0)/\(name)") }
    }

    private func batch(
        _ table: String, _ row: (Int) -> [String: FieldValue]
    ) -> RecordBatch {
        World.batch(
            table,
            (0..<Self.count).map { number in
                ["id": text("s\(number)")].merging(row(number)) { first, _ in first }
            })
    }

    @Test("a value whose own object is there says nothing about others of its name")
    func present() {
        let rows = batch("Song") { ["key": "avatar.png", "who": text("eu-\($0)")] }
        let scan = world().confirm([rows], wanted: orphans("avatar.png"))
        #expect(scan.protected.isEmpty)
    }

    @Test("a missing reference claims every object of its name, and doubts none")
    func missing() {
        let rows = batch("Song") { ["key": "avatar.png", "who": text("eu-\($0)")] }
        let joined = world().join([rows], [])
        let scan = world().confirm(
            [rows], wanted: orphans("avatar.png"), dangling: joined.dangling)
        #expect(scan.standing.count == Self.count)
        #expect(scan.claimed.count == Self.count)
        #expect(scan.unmapped.isEmpty && scan.doubtful.isEmpty)
    }

    @Test("a reference without an identity protects every object of its name")
    func unknownIdentity() {
        let rows = batch("Song") { _ in ["key": "avatar.png"] }
        let scan = world(identity: nil).confirm([rows], wanted: orphans("avatar.png"))
        #expect(scan.referenced.count == Self.count)
    }

    @Test("a common name in an attribute that nobody mapped protects all, and is told once")
    func unmapped() {
        let rows = batch("Play") { _ in ["song": "avatar.png"] }
        let scan = world(template: nil).confirm([rows], wanted: orphans("avatar.png"))
        #expect(Set(scan.unmapped.map(\.wanted)).count == Self.count)
        #expect(Set(scan.unmapped.map(\.place)).count == 1)
    }

    @Test("of several records that hold a key one is told, whichever is read first")
    func order() {
        let rows = ["1", "2", "3"].map { id -> [String: FieldValue] in
            ["id": text(id), "song": "avatar.png"]
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let scan = world(template: nil).confirm(
                order.map { World.batch("Play", [rows[$0]]) },
                wanted: Array(orphans("avatar.png").prefix(1)))
            #expect(scan.unmapped.map(\.place.identity.id.joined) == [Array("1".utf8)])
        }
    }

    @Test("each key is told once of an attribute, and of every attribute that holds it")
    func attributes() {
        let limit = WantedKeys.commonLimit
        let rows = World.batch(
            "Play", ["1", "2"].map { ["id": $0, "song": "avatar.png", "other": "avatar.png"] })
        for count in [limit, limit + 1] {
            let scan = world(template: nil)
                .confirm([rows], wanted: Array(orphans("avatar.png").prefix(count)))
            #expect(scan.unmapped.count == 2 * count)
        }
    }

    @Test("a common name inside the text of a missing reference leaves each of them in doubt")
    func inside() {
        let rows = batch("Song") { ["key": "see avatar.png", "who": text("eu-\($0)")] }
        let joined = world().join([rows], [])
        let scan = world().confirm(
            [rows], wanted: orphans("avatar.png"), dangling: joined.dangling)
        #expect(scan.doubtful.count == Self.count)
        #expect(Set(scan.unmapped.map(\.wanted)).count == Self.count)
    }

    @Test("a list that cannot be read protects what stands in it, however long both sides are")
    func unreadable() {
        let rows = batch("Song") { ["key": text("[\"x\($0)!"), "who": "eu"] }
        let wanted = (0..<Self.count).map { (0, "private/eu/x\($0)!") }
        let others = (0..<Self.count).map { (0, "private/eu/another-\($0)") }
        let scan = world(isList: true).confirm([rows], wanted: wanted + others)
        #expect(scan.referenced == Set(0..<Self.count))
    }

    @Test("one list may miss as many objects as there are others")
    func list() {
        let values = (0..<Self.count).map { "\"k\($0)\"" }.joined(separator: ",")
        let rows = World.batch("Song", [["id": "s", "key": text("[\(values)]"), "who": "eu"]])
        let joined = world(isList: true).join([rows], [])
        let wanted = (0..<Self.count).map { (0, "private/other/k\($0)") }
        let scan = world(isList: true).confirm([rows], wanted: wanted, dangling: joined.dangling)
        #expect(scan.claimed.count == Self.count)
        #expect(scan.unmapped.isEmpty && scan.doubtful.isEmpty)
    }
}
