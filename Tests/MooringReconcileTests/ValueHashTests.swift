import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Numbers by hashes")
struct ValueHashTests {
    @Test("equal values have equal hashes, canonically equivalent texts among them")
    func equality() {
        #expect(ValueHash("Caf\u{E9}") == ValueHash("Cafe\u{301}"))
        #expect(ValueHash("cafe") != ValueHash("caf\u{E9}"))
        #expect(ValueHash([UInt8]("caf\u{E9}".utf8)) != ValueHash([UInt8]("cafe\u{301}".utf8)))
        #expect(Set((0..<10_000).map { ValueHash($0) }).count == 10_000)
    }

    @Test("numbers are found by hashes as in a dictionary")
    func numbers() {
        var random = SeededGenerator("numbers by hashes")
        for _ in 0..<200 {
            let values = (0..<random.number(0...40)).map { _ in random.number(0...12) }
            let numbers = HashedNumbers(values.enumerated().map { (ValueHash($1), $0) })
            let wanted = Dictionary(grouping: values.indices) { values[$0] }
            for value in 0...13 { #expect(Array(numbers[ValueHash(value)]) == wanted[value] ?? []) }
        }
    }

    @Test("lists one behind the other are those that were appended")
    func lists() {
        var random = SeededGenerator("lists of numbers")
        for _ in 0..<200 {
            let wanted = (0..<random.number(0...10)).map { _ in
                (0..<random.number(0...4)).map { _ in random.number(0...99) }
            }
            var lists = NumberLists()
            for list in wanted { lists.append(list) }
            #expect(wanted.indices.map { Array(lists[$0]) } == wanted)
        }
    }

    @Test("each reference that may spell a path is taken once, but for those of some forms")
    func paths() {
        var random = SeededGenerator("spelt paths")
        for round in 0..<300 {
            var left = (0..<random.number(0...30)).map { number in
                (path: random.number(0...4), form: random.number(0...3), number: number)
            }
            var paths = SpeltPaths(
                left.map {
                    SpeltPaths.Entry(
                        path: ValueHash($0.path), form: ValueHash($0.form), number: $0.number)
                })
            #expect(paths.isEmpty == left.isEmpty)
            for path in 0...5 {
                let wanted = left.filter { $0.path == path }.map(\.number)
                #expect(paths.numbers(at: ValueHash(path)).sorted() == wanted)
            }
            for _ in 0..<12 {
                let path = random.number(0...5)
                let but = (0...3).filter { _ in random.number(0...2) == 0 }
                let wanted = left.filter { $0.path == path && !but.contains($0.form) }
                let taken = paths.take(at: ValueHash(path), but: Set(but.map { ValueHash($0) }))
                #expect(taken.sorted() == wanted.map(\.number), "round \(round)")
                left.removeAll { $0.path == path && !but.contains($0.form) }
            }
        }
    }
}
