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
                LoosePath.withPlainName(of: path) { Array($0) }
            }
            guard let name else { continue }
            compared += 1
            let known = LoosePath(Array(text.utf8))?.plainName
            #expect(known == name, "\(text.debugDescription)")
        }
        #expect(compared > 5_000)
    }

    @Test("the ending of a name in ASCII is that of its characters")
    func endings() {
        let signs = [".", ".", "a", "Z", "0", "-", " ", "\r", "\n", "\u{1}", "jpeg"]
        var generator = SeededGenerator("endings of names")
        var without = 0
        for _ in 0..<20_000 {
            let name = (0...generator.number(0...8)).map { _ in generator.one(of: signs) }.joined()
            let expected: String? = name.lastIndex(of: ".").flatMap { dot in
                let ending = name[name.index(after: dot)...]
                let isEnding =
                    dot != name.startIndex && (1...5).contains(ending.count)
                    && ending.allSatisfy { $0.isLetter || $0.isNumber }
                return isEnding ? String(name[..<dot]) : nil
            }
            #expect(FileName.stem(of: name) == expected, "\(name.debugDescription)")
            without += expected == nil ? 1 : 0
        }
        #expect(without > 2_000 && without < 19_500)
    }

    @Test("a name that may be spelt so ends so, and hardly any other does")
    func ends() {
        var generator = SeededGenerator("ends of names")
        func text() -> [UInt8] {
            let parts = (0...generator.number(0...9)).map { _ in generator.one(of: Self.parts) }
            return Array(parts.joined().utf8)
        }
        var filter = SpellingFilter()
        let names = Set((0..<20).compactMap { _ in LoosePath(text())?.plainName })
        for name in names { filter.insert(name) }
        var (held, skipped) = (0, 0)
        for _ in 0..<20_000 {
            let key = text()
            key.withUnsafeBufferPointer { key in
                let isHeld = LoosePath(key)?.plainName.map(names.contains) == true
                let mayEnd = filter.glance(at: LastPart(of: key))
                    .isYes(where: filter.mayHold(hash:))
                #expect(mayEnd || !isHeld, "\(String(decoding: key, as: UTF8.self))")
                held += isHeld ? 1 : 0
                skipped += mayEnd ? 0 : 1
            }
        }
        #expect(held > 100 && skipped > 1_000, "\(held) held, \(skipped) skipped")
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

    @Test("capitals count as small letters, and every other byte as itself, wherever it stands")
    func lowercasing() {
        func hash(_ name: [UInt8]) -> UInt64 {
            name.withUnsafeBufferPointer(NameFilter.hash(lowercasing:))
        }
        for place in 0..<11 {
            var hashes: [UInt64: UInt8] = [:]
            for byte in UInt8.min...UInt8.max {
                var name = Array("plain/names".utf8)
                name[place] = byte
                let lower = TwinForm.lowercased(byte)
                #expect(hashes.updateValue(lower, forKey: hash(name)) ?? lower == lower)
            }
            #expect(hashes.count == 256 - 26)
        }
        #expect(hash(Array("a".utf8)) != hash(Array("aa".utf8)))
        #expect(hash([]) != hash([0]))
    }
}
