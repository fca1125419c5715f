import MooringDecisions
import MooringModel
import Testing

@testable import MooringReconcile

@Suite("Prefixes that vanished")
struct VanishedPrefixTests {
    private static let model = ModelMapping(
        model: "Song", deleted: "gone", identity: "who",
        files: [FileField(field: "key", level: .named("private"))])

    /// What a search goes by, beside what it is given.
    private struct Known {
        var limit = 100
        var exempt: [String] = []
        var remembered: [String: Int] = [:]
    }

    /// Songs of owners, each with so many keys, and what the bucket holds.
    private func find(
        _ rows: [(id: String, who: String, key: String)], present: [String],
        tombstones: Set<String> = [], _ known: Known = Known()
    ) -> VanishedReferences {
        let world = World([Self.model])
        let batch = World.batch(
            "Song",
            rows.map { row in
                [
                    "id": .text(Array(row.id.utf8)), "who": .text(Array(row.who.utf8)),
                    "key": .text(Array(row.key.utf8)),
                    "gone": .integer(tombstones.contains(row.id) ? 1 : 0),
                ]
            })
        let (reconciler, _, dangling) = world.join([batch], present.map { (0, $0) })
        let search = VanishedPrefixSearch(
            levels: AccessLevel.amplify, buckets: [BucketMapping(name: "media")], limit: known.limit
        )
        var count = search.count(
            dangling, in: reconciler,
            remembered: Dictionary(
                known.remembered.map {
                    (VanishedPlace(bucket: 0, head: Array($0.key.utf8)), $0.value)
                },
                uniquingKeysWith: { first, _ in first })
        ) { _, key in
            known.exempt.contains { key.hasPrefix(Array($0.utf8)) }
        }
        _ =
            count.isOpen
            && reconciler.eachMatched(in: batch, source: "app") {
                search.add($1, bucket: $0, to: &count)
            }
        return search.collect(count)
    }

    private func rows(_ who: String, _ count: Int) -> [(id: String, who: String, key: String)] {
        (0..<count).map { ("\(who)-\($0)", who, "\($0)") }
    }

    private func keys(_ who: String, _ range: Range<Int>) -> [String] {
        range.map { "private/\(who)/\($0)" }
    }

    @Test("An engine is asked for as much as is missing, each reference counted")
    func needs() {
        let world = World([Self.model])
        // Twelve rows of one record miss an object of `a`, four records of `b`, and one of `c`.
        let rows =
            (0..<12).map { _ in ("a-1", "a", "1") } + (0..<4).map { ("b-\($0)", "b", "\($0)") }
            + [("c-1", "c", "1")]
        let batch = World.batch(
            "Song",
            rows.map { row in
                [
                    "id": .text(Array(row.0.utf8)), "who": .text(Array(row.1.utf8)),
                    "key": .text(Array(row.2.utf8)), "gone": .integer(0),
                ]
            })
        let (reconciler, _, dangling) = world.join([batch], [])
        let search = VanishedPrefixSearch(
            levels: AccessLevel.amplify, buckets: [BucketMapping(name: "media")])
        func place(_ head: String) -> VanishedPlace {
            VanishedPlace(bucket: 0, head: Array(head.utf8))
        }
        func need(_ head: String, _ enough: Int?) -> NarrowingNeed {
            NarrowingNeed(.head, 0, Array(head.utf8), enough: enough)
        }
        #expect(
            search.needs(dangling, in: reconciler, remembered: [:])
                == [need("private/", 17), need("private/a/", 12)])
        // Below one that vanished before all counts where something is missing still.
        let remembered = [place("private/c/"): 9, place("private/d/"): 9]
        #expect(
            search.needs(dangling, in: reconciler, remembered: remembered)
                == [
                    need("private/", 17), need("private/a/", 12), need("private/c/", nil),
                    need("private/d/", 1),
                ])
    }

    @Test("Five records of one identity without an object are a doubt, four are none")
    func records() {
        for count in [4, 5] {
            let found = find(
                rows("a", count) + rows("b", 20), present: keys("b", 0..<20))
            #expect(found.places.count == (count == 5 ? 5 : 0))
            #expect(found.prefixes.map(\.head) == (count == 5 ? [Array("private/a/".utf8)] : []))
            #expect(found.prefixes.map(\.dangling) == (count == 5 ? [5] : []))
        }
        // Five references of one record are one record's.
        let single = (0..<5).map { (id: "1", who: "a", key: "\($0)") }
        #expect(find(single + rows("b", 20), present: keys("b", 0..<20)).places.isEmpty)
    }

    @Test("Ten references of fewer records are a doubt as well, nine are none")
    func lists() {
        for count in [9, 10] {
            let single = (0..<count).map { (id: "1", who: "a", key: "\($0)") }
            let found = find(single + rows("b", 100), present: keys("b", 0..<100))
            #expect(found.places.count == (count == 10 ? 10 : 0))
        }
    }

    @Test("What vanished before stays so, whatever came since, until all of it is back")
    func remembered() {
        // 5 of 33 came after the loss; then what was lost came back, piece by piece.
        for (present, isGone) in [(5, true), (17, true), (32, true), (33, false)] {
            let found = find(
                rows("a", 33) + rows("b", 100),
                present: keys("a", 0..<present) + keys("b", 0..<100),
                Known(remembered: ["private/a/": 33]))
            #expect(found.prefixes.map(\.head) == (isGone ? [Array("private/a/".utf8)] : []))
            #expect(found.places.count == (isGone ? 33 - present : 0))
            #expect(found.gone.count == (isGone ? 1 : 0))
            #expect(found.ended.count == (isGone ? 0 : 1))
        }
        let back = find(
            rows("a", 3), present: keys("a", 0..<3), Known(remembered: ["private/a/": 33]))
        #expect(back.ended.count == 1 && back.places.isEmpty)
        let accepted = find(
            rows("a", 33), present: [],
            Known(exempt: ["private/a/"], remembered: ["private/a/": 33]))
        #expect(accepted.ended.count == 1 && accepted.places.isEmpty)
    }

    @Test("What no reference of this run lies below is remembered: its model may not be mapped")
    func unread() {
        for rows in [[], rows("b", 20)] {
            let found = find(
                rows, present: keys("b", 0..<20), Known(remembered: ["private/a/": 33]))
            #expect(found.ended.isEmpty && found.gone.isEmpty)
        }
    }

    @Test("Every prefix that vanished is told, those below others too")
    func allGone() {
        let found = find(rows("a", 6) + rows("b", 6) + rows("c", 2), present: [])
        #expect(
            Set(found.gone.keys.map { String(decoding: $0.head, as: UTF8.self) })
                == ["private/", "private/a/", "private/b/"])
        #expect(found.gone.values.sorted() == [6, 6, 14])
    }

    @Test("A tenth that is left is no vanished prefix")
    func tenth() {
        for left in [1, 2] {
            let found = find(
                rows("a", 20) + rows("b", 200),
                present: keys("a", 0..<left) + keys("b", 0..<200))
            #expect(found.places.count == (left == 1 ? 19 : 0))
        }
    }

    @Test("Where a whole level is gone, it stands for what lies below it")
    func widest() {
        let found = find(rows("a", 6) + rows("b", 6), present: [])
        #expect(found.prefixes.map(\.head) == [Array("private/".utf8)])
        #expect(found.places.count == 12)
    }

    @Test("Tombstones count nowhere, and what is exempt is not missing")
    func without() {
        let tombstones = Set(rows("a", 10).prefix(6).map(\.id))
        let rest = rows("b", 20)
        #expect(
            find(
                rows("a", 10) + rest, present: keys("b", 0..<20), tombstones: tombstones
            ).places.isEmpty)
        #expect(
            find(
                rows("a", 10) + rest, present: keys("b", 0..<20), Known(exempt: ["private/a/"])
            ).places.isEmpty)
    }

    @Test("Beyond the bound of the table every reference is in doubt")
    func bound() {
        let many = (0..<10).flatMap { owner in rows("o\(owner)", 1) }
        let found = find(many + rows("b", 90), present: keys("b", 0..<90), Known(limit: 4))
        #expect(found.uncounted.count == 7)
        #expect(found.places.isEmpty)
    }
}
