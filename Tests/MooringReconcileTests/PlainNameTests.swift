import SeededNumbers
import Testing

@testable import MooringReconcile

/// Names that are compared byte by byte are what their loose form says.
@Suite("Names compared byte by byte")
struct PlainNameTests {
    private static let parts = ["a", "B", "9", "10", "-", ".", " ", "_", "/", "é", "\u{600}", "x1"]

    @Test("the plain name of a path is the last part of its loose form")
    func plainName() {
        var generator = SeededGenerator("plain names of paths")
        var compared = 0
        for _ in 0..<20_000 {
            let text = (0...generator.number(0...9)).map { _ in generator.one(of: Self.parts) }
                .joined()
            let name = Array(text.utf8).withUnsafeBufferPointer { path in
                LoosePath.plainName(of: path, from: [UInt8]()) { $0.append($1) }
            }
            guard let name else { continue }
            compared += 1
            let known = LoosePath(Array(text.utf8))?.plainName
            #expect(known == name, "\(text.debugDescription)")
        }
        #expect(compared > 5_000)
    }

    @Test("a filter holds every name that was inserted, and hardly any other")
    func filter() {
        var filter = NameFilter()
        for number in 0..<5_000 { filter.insert("name-\(number)".utf8) }
        func mayHold(_ name: String) -> Bool {
            filter.mayHold(name.utf8.reduce(NameFilter.seed, NameFilter.step))
        }
        #expect((0..<5_000).allSatisfy { mayHold("name-\($0)") })
        #expect((0..<5_000).count { mayHold("other-\($0)") } < 1_000)
    }
}
