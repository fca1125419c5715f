import Testing

@testable import MooringPipeline

@Suite("Sentences that findings have in common")
struct SharedTextsTests {
    @Test("a sentence is held once, also behind very many that come once")
    func once() {
        var texts = SharedTexts()
        for number in 0..<20_000 {
            var unlike = ["its record is unchanged since \(number), which nobody else says"]
            texts.share(&unlike)
            #expect(unlike == ["its record is unchanged since \(number), which nobody else says"])
        }
        var (one, other) = (Self.made(), Self.made())
        #expect(Self.address(one) != Self.address(other))
        texts.share(&one)
        texts.share(&other)
        #expect(one == Self.made() && Self.address(one) == Self.address(other))
    }

    @Test("a sentence about a key is not taken for one about its other Unicode form")
    func forms() {
        var texts = SharedTexts()
        let sentences = ["\u{C5}", "A\u{30A}"].map { "its twin '\($0)ngstrom.png' is there" }
        for sentence in sentences + sentences {
            var shared = [sentence]
            texts.share(&shared)
            #expect(shared[0].utf8.elementsEqual(sentence.utf8))
        }
    }

    // A text with a buffer of its own.
    private static func made() -> [String] {
        [(0..<8).map { "none of \($0) references means it" }.joined(separator: ", ")]
    }

    private static func address(_ texts: [String]) -> UnsafePointer<UInt8>? {
        texts[0].utf8.withContiguousStorageIfAvailable { $0.baseAddress } ?? nil
    }
}
