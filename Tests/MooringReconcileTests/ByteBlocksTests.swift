import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

/// What looks at many bytes at once says what a look at each byte says.
@Suite("Bytes looked at in blocks")
struct ByteBlocksTests {
    private static let symbols = Array("ab/.%+\\&\"'-_,09 ".utf8)

    // Mostly plain bytes, so that one that counts stands alone, at any place of a block.
    private static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        if generator.number(0...9) == 0 { return generator.hostileBytes() }
        var text = [UInt8](repeating: 0x61, count: generator.number(0...70))
        for _ in 0..<generator.number(0...2) where !text.isEmpty {
            let place = generator.number(0...(text.count - 1))
            text[place] =
                generator.bool()
                ? generator.one(of: symbols) : UInt8(generator.number(0...255))
        }
        return text
    }

    @Test("control characters are found wherever they stand")
    func controls() {
        var generator = SeededGenerator("controls in blocks")
        var held = 0
        for _ in 0..<20_000 {
            let text = Self.text(&generator)
            let expected = text.contains { $0 < 0x20 || $0 == 0x7F }
            if expected { held += 1 }
            #expect(text.withUnsafeBufferPointer { ByteBlocks.holdControls(in: $0) } == expected)
        }
        #expect(held > 1_000)
    }

    @Test("no text that an encoding changes is taken for a plain one")
    func escapes() {
        var generator = SeededGenerator("escapes in blocks")
        var plain = 0
        for _ in 0..<20_000 {
            let text = Self.text(&generator)
            for folds in [false, true] {
                let mayChange = text.withUnsafeBufferPointer { Coding.mayChange($0, folds) }
                if !mayChange { plain += 1 }
                let pairs = zip(text, text.dropFirst())
                let expected =
                    text.contains { "%+\\&".utf8.contains($0) }
                    || pairs.contains { $0 == $1 && "\"'".utf8.contains($0) }
                    || folds && pairs.contains { $0 == 0x2F && ($1 == 0x2F || $1 == 0x2E) }
                #expect(mayChange == expected, "\(text)")
            }
        }
        #expect(plain > 10_000)
    }

    @Test("the last byte of a kind is the last one, wherever it stands")
    func last() {
        var generator = SeededGenerator("last bytes in blocks")
        var held = 0
        for _ in 0..<20_000 {
            let text = Self.text(&generator)
            let expected = text.lastIndex(of: 0x2F)
            if expected != nil { held += 1 }
            #expect(
                text.withUnsafeBufferPointer { ByteBlocks.last(0x2F, in: $0) } == expected,
                "\(text)")
        }
        #expect(held > 1_000)
    }

    @Test("the form of a value is what its slashes and its ending say")
    func valueForms() {
        var generator = SeededGenerator("forms of values")
        for _ in 0..<10_000 {
            let parts = ["", "a", "b.c", ".hidden", "name.jpeg", "long.ending", "x.", "é.png"]
            let text = (0...generator.number(0...5)).map { _ in generator.one(of: parts) }
                .joined(separator: "/")
            let names = Array(text.utf8).split(separator: 0x2F, omittingEmptySubsequences: false)
            let pieces = (names.last ?? [])
                .split(separator: 0x2E, omittingEmptySubsequences: false)
            let hasEnding = pieces.count > 1 && (1...5).contains(pieces.last?.count ?? 0)
            let depth = min(3, text.utf8.count { $0 == 0x2F })
            let form = ValueForm(Array(text.utf8))
            #expect(form.number == depth * 2 + (hasEnding ? 1 : 0), "\(text)")
        }
    }

    @Test("the loose form of an ASCII path is that of its parts one by one")
    func loosePaths() {
        var generator = SeededGenerator("loose forms of ASCII paths")
        let parts = ["a", "B", "9", "10", "-", ".", " ", "_", "/", "//", "x1", ".jpg", "\r\n"]
        for _ in 0..<20_000 {
            let text = (0...generator.number(0...9)).map { _ in generator.one(of: parts) }.joined()
            var names = text.utf8.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
            if let last = names.popLast() { names.append(FileName.stem(of: last) ?? last) }
            let expected = names.map(FileName.squashed).joined(separator: "/")
            let found = LoosePath(Array(text.utf8))?.parts.joined(separator: "/") ?? ""
            #expect(found == expected, "\(text.debugDescription)")
        }
    }
}
