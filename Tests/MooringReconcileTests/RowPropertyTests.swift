import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

/// Relations and copies against searches that are too slow to be wrong.
@Suite("Differences between records against naive ones")
struct RowPropertyTests {
    private struct Row: Hashable {
        let id: [UInt8]
        let parent: [UInt8]
        let isTombstone: Bool

        static func random(_ generator: inout SeededGenerator, _ ids: [[UInt8]]) -> Row {
            Row(
                id: generator.one(of: ids), parent: generator.one(of: ids + [[]]),
                isTombstone: generator.number(0...3) == 0)
        }
    }

    private struct Found: Hashable {
        let id: [UInt8]
        let value: [UInt8]
    }

    private func batch(_ table: String, _ rows: [Row]) -> RecordBatch {
        RecordBatch(
            table: table, columns: ["gone", "parent", "id"],
            rows: rows.map { row in
                [
                    .integer(row.isTombstone ? 1 : 0),
                    row.parent.isEmpty ? .null : .text(row.parent), .blob(row.id),
                ]
            })
    }

    private func live(_ rows: [Row]) -> [Row] { rows.filter { !$0.isTombstone } }

    @Test("relations in two passes")
    func relations() {
        var generator = SeededGenerator("relations against a naive search")
        let models = ["Child", "Parent"].map { name in
            SourceModel(
                source: "app",
                mapping: ModelMapping(
                    model: name, deleted: "gone",
                    relations: name == "Child" ? [Relation(field: "parent", model: "Parent")] : []))
        }
        for _ in 0..<300 {
            let ids = (0...generator.number(1...6)).map { number in
                generator.hostileBytes() + Array("\(number)".utf8)
            }
            func rows(_ most: Int) -> [Row] { generator.some(most) { .random(&$0, ids) } }
            let (children, parents) = ([rows(8), rows(8)], [rows(4), rows(4)])
            var scan = RowScan(models: models)
            scan.read(batch("Child", children[0]), source: "app")
            scan.read(batch("Parent", parents[0]), source: "app")
            scan.close()
            var confirm = scan.confirm()
            confirm.read(batch("Parent", parents[1]), source: "app")
            confirm.read(batch("Child", children[1]), source: "app")
            let there = Set(parents.flatMap(live).map(\.id))
            let named = Set(live(children[0]).map(\.parent))
            let expected = Set(
                live(children[1]).filter {
                    !$0.parent.isEmpty && named.contains($0.parent) && !there.contains($0.parent)
                }.map { Found(id: $0.id, value: $0.parent) })
            let found = confirm.dangling()
            #expect(
                Set(found.map { Found(id: $0.place.identity.id.joined, value: $0.value) })
                    == expected)
            #expect(found.count == expected.count)
            for candidate in found {
                let isTombstone = parents[1].contains { $0.id == candidate.value }
                #expect((candidate.tombstone != nil) == isTombstone)
            }
        }
    }

    @Test("copies in two passes")
    func copies() {
        var generator = SeededGenerator("copies against a naive search")
        let mapping = ModelMapping(model: "Song", version: "v", deleted: "gone")
        let models = [
            SourceModel(source: "phone", mapping: mapping, authority: "app"),
            SourceModel(source: "app", mapping: mapping),
        ]
        typealias Side = [Int: (version: Int64, isTombstone: Bool)]
        func side() -> Side {
            var side: Side = [:]
            for id in 0..<6 where generator.bool() {
                side[id] = (Int64(generator.number(1...4)), generator.number(0...4) == 0)
            }
            return side
        }
        func batch(_ side: Side) -> RecordBatch {
            RecordBatch(
                table: "Song", columns: ["id", "v", "gone"],
                rows: side.map {
                    [
                        .integer(Int64($0.key)), .integer($0.value.version),
                        .integer($0.value.isTombstone ? 1 : 0),
                    ]
                })
        }
        // Written once more, from the sentences of the page.
        func cause(_ id: Int, _ phone: Side, _ app: Side) -> FindingCause? {
            guard let copy = phone[id], !copy.isTombstone else { return nil }
            guard let own = app[id] else { return .deletedUpstream }
            if copy.version > own.version { return nil }
            if own.isTombstone { return .deletedUpstream }
            return copy.version < own.version ? .behind : nil
        }
        for _ in 0..<500 {
            let (phones, apps) = ([side(), side()], [side(), side()])
            var scan = RowScan(models: models)
            scan.read(batch(phones[0]), source: "phone")
            scan.read(batch(apps[0]), source: "app")
            scan.close()
            var confirm = scan.confirm()
            confirm.read(batch(apps[1]), source: "app")
            confirm.read(batch(phones[1]), source: "phone")
            var expected: [String: FindingCause] = [:]
            for id in 0..<6 where cause(id, phones[0], apps[0]) != nil {
                expected["\(id)"] = cause(id, phones[1], apps[1])
            }
            let found = confirm.stale().map { ($0.copy.identity.id.text, $0.cause) }
            #expect(Dictionary(found, uniquingKeysWith: { $1 }) == expected)
            #expect(found.count == expected.count)
        }
    }
}
