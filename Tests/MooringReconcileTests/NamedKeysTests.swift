import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Texts inside a value that may be keys")
struct NamedKeysTests {
    private func texts(
        _ value: String, atMost limit: Int = 1_000, besides known: [String] = []
    ) -> (texts: Set<String>, isCutOff: Bool) {
        let found = NamedKeys.texts(
            in: Array(value.utf8), atMost: limit, foldsPaths: true,
            besides: Set(known.map { Array($0.utf8) }))
        return (Set(found.texts.map { String(decoding: $0, as: UTF8.self) }), found.isCutOff)
    }

    @Test("the tail behind every slash, colon and backslash of a path that is no URL")
    func tails() {
        let found = texts("s3:media/a\\b/c.png").texts
        #expect(found.isSuperset(of: ["media/a\\b/c.png", "a\\b/c.png", "b/c.png", "c.png"]))
        #expect(found.contains("s3:media/a\\b/c.png"))
    }

    @Test(
        "in every form of the value",
        arguments: [
            "a%2Fb%20c.png", "a&#x2F;b c.png", "a\\u002Fb c.png", "x/../a//b c.png",
        ])
    func forms(value: String) {
        #expect(texts(value).texts.isSuperset(of: ["a/b c.png", "b c.png"]))
    }

    @Test("names with blanks, between brackets and before their ending")
    func blanks() {
        #expect(texts("see ![x](a/b c) now").texts.contains("a/b c"))
        #expect(texts("It is a/my own file.png, see").texts.contains("a/my own file.png"))
        #expect(texts("It is a/my own file.png.").texts.contains("a/my own file.png"))
    }

    @Test("what is known is not told, and what is cut off is")
    func limits() {
        #expect(!texts("a/b", besides: ["a/b"]).texts.contains("a/b"))
        #expect(texts("a/b", besides: ["a/b"]).texts == ["b"])
        #expect(!texts("a/b", atMost: 2).isCutOff)
        #expect(texts("a/b", atMost: 1).isCutOff)
        #expect(texts(String(repeating: "x", count: 70_000)).isCutOff)
    }

    @Test("that there are few is told without making them, and never wrongly")
    func few() {
        var generator = SeededGenerator(seed: Seed.one())
        let signs = Array("ab/.:\\ \"'[]{},;<|=?#&%+-é_".utf8)
        for _ in 0..<4_000 {
            let length = Int.random(in: 0..<24, using: &generator)
            let value = (0..<length).map { _ in
                // Most letters, so that some texts are few.
                Bool.random(using: &generator)
                    ? UInt8.random(in: 97...122, using: &generator)
                    : signs.randomElement(using: &generator) ?? 0
            }
            let limit = Int.random(in: 0..<40, using: &generator)
            let made = NamedKeys.texts(
                in: value, atMost: limit, foldsPaths: true, besides: [value])
            #expect(
                NamedKeys.areMore(than: limit, in: value) == made.isCutOff,
                "\(value), \(limit)")
        }
        #expect(NamedKeys.areMore(than: 4, in: Array(repeating: 97, count: 70_000)))
    }
}
