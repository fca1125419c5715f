import SeededNumbers
import Testing

@testable import MooringReconcile

/// A look at every eighth byte misses no needle, and passes over nearly all that holds none.
@Suite("Needles looked for in blocks")
struct BlockFilterTests {
    private static let letters = Array("abcdef0123456789-/.".utf8)

    private static func text(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in generator.one(of: letters) }
    }

    // Texts, most of which begin as others do.
    private static func needles(_ generator: inout SeededGenerator) -> [[UInt8]] {
        let heads = (0..<3).map { _ in text(generator.number(0...20), &generator) }
        return (0..<generator.number(1...60)).map { _ in
            let needle = generator.one(of: heads) + text(generator.number(1...40), &generator)
            return needle.count < 7 ? needle + Array("0123456".utf8) : needle
        }
    }

    private static func filter(_ needles: [[UInt8]]) -> BlockFilter {
        let all = needles.flatMap(\.self)
        return all.withUnsafeBytes { all in
            var start = 0
            return BlockFilter(
                needles.map { needle in
                    defer { start += needle.count }
                    return UnsafeRawBufferPointer(rebasing: all[start..<start + needle.count])
                })
        }
    }

    @Test("each needle is seen, at whatever place of a text it stands")
    func seen() {
        var generator = SeededGenerator("needles in blocks")
        for _ in 0..<300 {
            let needles = Self.needles(&generator)
            let filter = Self.filter(needles)
            for needle in needles {
                let before = generator.number(0...40)
                let text =
                    Self.text(before, &generator) + needle
                    + Self.text(generator.number(0...20), &generator)
                #expect(
                    text.withUnsafeBytes(filter.mayHold),
                    "\(String(decoding: needle, as: UTF8.self)) at \(before)")
            }
        }
    }

    @Test("hardly any text without one is taken for one that holds it")
    func unseen() {
        var generator = SeededGenerator("texts without needles")
        let needles = (0..<2_000).map { _ in
            Array("covers/2024/".utf8) + Self.text(generator.number(15...30), &generator)
        }
        let filter = Self.filter(needles)
        var taken = 0
        for _ in 0..<1_000 {
            // At another place each: of one block that all texts have at one place, chance alone
            // may have set both bits.
            let text =
                Self.text(generator.number(0...7), &generator) + Array("covers/2024/".utf8)
                + Self.text(200, &generator)
            if text.withUnsafeBytes(filter.mayHold) { taken += 1 }
        }
        #expect(taken < 500)
        #expect(![UInt8]().withUnsafeBytes(filter.mayHold))
        #expect(!Array("covers/".utf8).withUnsafeBytes(BlockFilter().mayHold))
    }
}
