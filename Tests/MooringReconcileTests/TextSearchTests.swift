import Testing

@testable import MooringReconcile

@Suite("Names in texts")
struct TextSearchTests {
    private func texts(_ value: String) -> Set<String> {
        var found: Set<String> = []
        TextSearch(lengths: 1...200) { found.insert(String(decoding: $0, as: UTF8.self)) }
            .search(Array(value.utf8))
        return found
    }

    @Test(
        "a key is found as a token, in JSON and in URLs",
        arguments: [
            ("public/a.png", "public/a.png"), ("see public/a.png now", "public/a.png"),
            ("see public/a.png.", "public/a.png"), ("see the file x.", "x."),
            ("cover:public/a.png", "public/a.png"),
            (#"{"a": [{"b": "public/a b.png"}]}"#, "public/a b.png"),
            (#""public\/a.png""#, "public/a.png"), (#"{"public/a.png": 1}"#, "public/a.png"),
            (#"{"a": "{\"b\": \"k\"}"}"#, "k"), (#"{"broken": "public/a b.png""#, "public/a b.png"),
            ("https://h/public/a%20b.png", "public/a b.png"),
            ("https://h/bucket/public/a.png?X-Amz=1#top", "public/a.png"),
            ("https://h/o/public%2Fa.png?alt=media", "public/a.png"),
            ("https://h/?key=public/a.png&w=100", "public/a.png"),
            ("https://h/?w=100&key=public%2Fa.png", "public/a.png"),
            ("https://h/public/photo%20(1).png", "public/photo (1).png"),
            (#"<img src="https://h/public/photo%20(1).png">"#, "public/photo (1).png"),
            ("see photo(1).png here", "photo(1).png"), ("s3://bucket/public/a.png", "public/a.png"),
            ("/public/a b.png", "public/a b.png"), ("my+photo.png", "my photo.png"),
            ("a%2Gb%", "a%2Gb%"), ("public/a%20b.png?x=1", "public/a b.png"),
            ("x\u{0}public/a.png", "public/a.png"), ("public/a.png\n", "public/a.png"),
            (#"{"t":"\ud83d","c":"photos\/a.png"}"#, "photos/a.png"),
            ("public/my song.png    ", "public/my song.png"),
            ("['public/a.png']", "public/a.png"), ("a=1;key=public/a.png;b", "public/a.png"),
        ])
    func found(value: String, key: String) {
        #expect(texts(value).contains(key))
    }

    @Test("a part of a path that is no URL is no key")
    func notFound() {
        #expect(!texts("covers/public/a.png").contains("a.png"))
    }

    @Test("texts of other lengths are skipped")
    func lengths() {
        var found: [Int] = []
        TextSearch(lengths: 2...3) { found.append($0.count) }.search(Array("a bb ccc dddd".utf8))
        #expect(Set(found) == [2, 3])
    }

    @Test("escapes are removed from a text that is no JSON, and only escapes")
    func escapes() {
        func removed(_ text: String) -> String {
            String(decoding: JSONEscapes.removed(from: Array(text.utf8)), as: UTF8.self)
        }
        #expect(removed(#"["a\/b", "caf\u00e9\n"#) == "[\"a/b\", \"caf\u{E9}\n")
        #expect(removed(#"\ud83d\ude00\""#) == "\u{1F600}\"")
        #expect(removed(#"\x\ud83d \"#) == #"\x\ud83d \"#)
    }
}
