import MooringModel
import SeededNumbers
import Testing

@Suite("How a value becomes a key")
struct StoredLayoutTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "literal text and slices, there and back",
        arguments: [
            ("{key}", "a/b.png", "a/b.png"), ("{key:0}", "a", "a"), ("v1/{key}", "a", "v1/a"),
            ("{key:0:2}/{key:2:2}/{key}", "abcdef.png", "ab/cd/abcdef.png"),
            ("{key:0:2}/{key:2}", "abcd", "ab/cd"), ("{key:2}{key:0:2}", "abcde", "cdeab"),
            ("{key}.jpg", "a", "a.jpg"), ("{key}/{key}", "ab", "ab/ab"),
            ("{key:0:1}{key:1:2}-{key:3}", "abcdef", "abc-def"),
        ])
    func examples(layout: String, value: String, key: String) throws {
        let layout = try StoredLayout(layout)
        #expect(text(layout.key(of: bytes(value))) == key)
        #expect(text(layout.value(of: bytes(key))) == value)
        #expect(layout.fault(in: bytes(value)) == nil)
    }

    @Test(
        "a key that no value has is none's",
        arguments: [
            ("{key:0:2}/{key:2:2}/{key}", "ab/cd/abXdef"), ("{key:0:2}/{key:2:2}/{key}", "abcdef"),
            ("{key:0:2}/{key:2:2}/{key}", "AB/cd/abcdef"), ("v1/{key}", "v2/a"), ("v1/{key}", "v"),
            ("{key}.jpg", "a.png"), ("{key}/{key}", "ab/ac"), ("{key}/{key}", "abab"),
        ])
    func strangers(layout: String, key: String) throws {
        #expect(try StoredLayout(layout).value(of: bytes(key)) == nil)
    }

    @Test("slices are of bytes, in the middle of a character too")
    func sliced() throws {
        let layout = try StoredLayout("{key:0:1}/{key:1}")
        let key = layout.key(of: bytes("\u{E9}"))
        #expect(key == [0xC3, 0x2F, 0xA9])
        #expect(layout.value(of: key) == bytes("\u{E9}"))
    }

    @Test("a value that is too short is at fault, and still means what its slices hold")
    func short() throws {
        let layout = try StoredLayout("{key:0:2}/{key:2:2}/{key}")
        for (value, key) in [("a", "a//a"), ("abc", "ab/c/abc")] {
            #expect(
                layout.fault(in: bytes(value)) == "shorter than the 4 bytes that its layout "
                    + "{key:0:2}/{key:2:2}/{key} takes")
            #expect(text(layout.key(of: bytes(value))) == key)
            #expect(text(layout.value(of: bytes(key))) == value)
        }
        #expect(layout.fault(in: bytes("abcd")) == nil && layout.shortest == 4)
        // What is left behind a slice is some byte at least.
        let open = try StoredLayout("{key:0:2}/{key:2}")
        #expect(open.fault(in: bytes("ab")) != nil && open.fault(in: bytes("abc")) == nil)
    }

    @Test(
        "what is no layout says why",
        arguments: [
            ("", StoredLayout.Fault.noKey), ("covers/", .noKey), ("{key", .openBrace),
            ("key}", .openBrace), ("{id}", .unknown("id")), ("{Key}", .unknown("Key")),
            ("{key:}", .unknown("key:")), ("{key:x}", .unknown("key:x")),
            ("{key:0:1:2}", .unknown("key:0:1:2")), ("{key:+1}", .unknown("key:+1")),
            ("{key:-1}", .range("key:-1")), ("{key}{key:0:0}", .range("key:0:0")),
            ("{key}{key:0:-2}", .range("key:0:-2")), ("{key}{key:1024}", .range("key:1024")),
            ("{key}{key:1:1024}", .range("key:1:1024")), ("{key:0:2}", .leavesOut),
            ("{key:1}", .leavesOut), ("{key:0:2}/{key:3}", .leavesOut),
            ("{key:0:2}{key:2:5}", .leavesOut),
        ])
    func refused(text: String, fault: StoredLayout.Fault) {
        #expect(throws: fault) { try StoredLayout(text) }
    }

    @Test("a layout is what it does, and is written as it was read")
    func identity() throws {
        #expect(try StoredLayout("{key:0}") == .plain && StoredLayout("{key}").isPlain)
        #expect(try StoredLayout("a{key:0:2}/{key:1}b").text == "a{key:0:2}/{key:1}b")
        #expect(try !StoredLayout("{key:0:1}{key}").isPlain)
        #expect(try StoredLayout("{key:0:1}{key}").endsInValue)
        #expect(try !StoredLayout("{key}.jpg").endsInValue)
    }

    private static func drawn(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<generator.number(1...5) {
            let start = generator.number(0...5)
            switch generator.number(0...3) {
            case 0: text += generator.one(of: ["/", "v1/", ".jpg", "-", "\u{E9}"])
            case 1: text += "{key:\(start)}"
            default: text += "{key:\(start):\(generator.number(1...6))}"
            }
        }
        return text
    }

    @Test("every value comes back from its key, and no other has that, whatever its bytes")
    func property() throws {
        var generator = SeededGenerator("values and keys of layouts are inverse")
        var layouts = 0
        while layouts < 400 {
            // What is drawn need not be a layout.
            guard let layout = try? StoredLayout(Self.drawn(&generator)) else { continue }
            layouts += 1
            for _ in 0..<20 {
                let value = generator.hostileBytes()
                let key = layout.key(of: value)
                #expect(layout.value(of: key) == value, "\(layout.text) \(value)")
                // A key of another one, if it is one at all.
                var other = key
                if !other.isEmpty { other[generator.number(0...(other.count - 1))] ^= 1 }
                if other != key, let found = layout.value(of: other) {
                    #expect(found != value && layout.key(of: found) == other, "\(layout.text)")
                }
            }
            #expect(try StoredLayout(layout.text) == layout)
        }
    }
}
