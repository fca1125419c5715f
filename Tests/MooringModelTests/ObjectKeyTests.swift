import MooringModel
import SeededNumbers
import Testing

@Suite struct ObjectKeyTests {
    @Test("The NFC and NFD spellings of one text are two keys")
    func normalForms() {
        let composed = ObjectKey("Caf\u{E9}")
        let decomposed = ObjectKey("Cafe\u{301}")
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test("Keys sort as bytes, not as Swift's String sorts")
    func order() {
        let sorted = ["A", "Z", "a", "\u{E9}", "\u{FFFD}", "\u{1F3B5}"].map { ObjectKey($0) }
        #expect(sorted.reversed().sorted() == sorted)
        #expect(ObjectKey("a") < ObjectKey("a/"))
        #expect(ObjectKey([0x7F]) < ObjectKey([0x80]))
    }

    @Test("Invalid UTF-8 stays a key of its own, although two may show as one text")
    func invalidBytes() {
        let left = ObjectKey([0x61, 0xFF])
        let right = ObjectKey([0x61, 0xFE])
        #expect(left.text == right.text)
        #expect(left != right)
        #expect(!left.isValidUTF8)
        #expect(ObjectKey("a\u{FFFD}").isValidUTF8)
        #expect(ObjectKey([0xED, 0xA0, 0x80]).isValidUTF8 == false)
    }

    @Test("A prefix is one of bytes, so half a scalar is a prefix too")
    func prefix() {
        #expect(ObjectKey("\u{E9}").hasPrefix([0xC3]))
        #expect(!ObjectKey("Caf\u{E9}").hasPrefix(Array("Cafe".utf8)))
        #expect(ObjectKey("a").hasPrefix([]))
    }

    @Test("A bucket covers its prefixes and never its quarantine")
    func covers() {
        let bucket = BucketMapping(
            name: "media", prefixes: [ObjectKey("public/"), ObjectKey(".mooring/")])
        #expect(bucket.covers(ObjectKey("public/a")))
        #expect(!bucket.covers(ObjectKey("private/a")))
        #expect(bucket.covers(ObjectKey(".mooring/other")))
        #expect(!bucket.covers(ObjectKey(".mooring/quarantine/run/public/a")))
        #expect(!bucket.covers(ObjectKey(".mooring/lease")))
        #expect(!bucket.covers(ObjectKey(".mooring/store")))
        #expect(bucket.covers(ObjectKey(".mooring/lease2")))
        #expect(bucket.covers(ObjectKey(".mooring/lease/a")))
    }

    @Test(
        "An ETag counts parts only after a dash with digits",
        arguments: [
            ("9e107d9d-12", true), ("9e107d9d", false), ("9e107d9d-", false), ("9e1-7d9d", false),
            ("a-1-b", false), ("", false),
        ])
    func multipart(etag: String, expected: Bool) {
        let version = ObjectVersion(size: 1, etag: etag, lastModified: Instant(seconds: 0))
        #expect(version.isMultipart == expected)
    }

    @Test("Base64 gives the bytes back, for every length and byte")
    func base64Property() {
        var generator = SeededGenerator("base64Property")
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8(generator.number(0...255)) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "Base64 of RFC 4648's own examples",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64Examples(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(
        "What is not padded base64 is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Z===", "====", "Zm=v", "Zg==Zg==", "Zm9\n", "Zm9_", "\u{FF3A}g==",
        ])
    func base64Malformed(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(
        "A glob's stars end at a slash, unless there are two",
        arguments: [
            ("", "", true), ("", "a", false), ("a*", "a", true), ("a*", "abc", true),
            ("a*", "a/b", false), ("a**", "a/b/c", true), ("**/b", "a/x/b", true),
            ("**/b", "b", false), ("a?c", "abc", true), ("a?c", "a/c", false), ("a?c", "ac", false),
            ("*.jpg", "x.jpeg", false), ("public/static/**", "public/static/", true),
            ("public/static/**", "public/static", false), ("[a]", "[a]", true), ("A", "a", false),
            ("a*b*c", "aXbYbZc", true), ("***", "a/b", true), ("\u{E9}", "e\u{301}", false),
        ])
    func glob(pattern: String, key: String, expected: Bool) {
        #expect(Glob(pattern).matches(ObjectKey(key)) == expected)
    }

    @Test("A glob matches bytes that are not UTF-8, and many stars take no time")
    func globBytes() {
        #expect(Glob("a?b").matches(ObjectKey([0x61, 0xFF, 0x62])))
        #expect(Glob("a**b").matches(ObjectKey([0x61, 0x0A, 0x2F, 0xFF, 0x62])))
        let stars = Glob(String(repeating: "a*", count: 60) + "b")
        #expect(!stars.matches(ObjectKey([UInt8](repeating: 0x61, count: 1_024))))
    }
}
