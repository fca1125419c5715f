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
}
