import MooringModel
import Testing

@testable import MooringReconcile

/// What an engine is asked for, each of it once.
@Suite("New needs")
struct NewNeedsTests {
    private func need(
        _ kind: NarrowingNeed.Kind, _ number: Int = 0, _ text: String, enough: Int? = nil
    ) -> NarrowingNeed {
        NarrowingNeed(kind, number, Array(text.utf8), enough: enough)
    }

    @Test("are given back as they are, by their kinds, and once")
    func once() {
        var needs = NewNeeds()
        let all = NarrowingNeed.Kind.allCases.flatMap { kind in
            ["", "a", "é", "abcdefgh", "abcdefgi"].flatMap { text in
                [0, 1, 70_000].map {
                    need(kind, kind == .ending ? 0 : $0, text, enough: kind == .head ? 3 : nil)
                }
            }
        }
        let different = Set(all)
        needs.insert(all)
        needs.insert(all.reversed())
        let first = needs.take()
        #expect(first.count == different.count)
        #expect(Set(first) == different)
        #expect(first.kinds == Set(NarrowingNeed.Kind.allCases))
        for kind in NarrowingNeed.Kind.allCases {
            #expect(Set(first[kind]) == different.filter { $0.kind == kind })
        }
        #expect(!first.isEmpty)
        needs.insert(all)
        #expect(needs.take().isEmpty)
        needs.insert(all + [need(.value, 0, "new")])
        #expect(Array(needs.take()) == [need(.value, 0, "new")])
    }

    @Test("of a head are those that want more of it than was had")
    func heads() {
        var needs = NewNeeds()
        func taken(_ enough: Int?) -> [Int?] {
            needs.insert(need(.head, 1, "covers/", enough: enough))
            return needs.take().map(\.enough)
        }
        #expect(taken(3) == [3])
        #expect(taken(2).isEmpty && taken(3).isEmpty)
        #expect(taken(4) == [4])
        #expect(taken(nil) == [nil])
        #expect(taken(nil).isEmpty && taken(5).isEmpty)
        needs.insert(need(.head, 2, "covers/"))
        #expect(needs.take().count == 1)
    }
}
