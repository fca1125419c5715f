import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Forms of keys")
struct KeyFormTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Slashes, case and percent-encoding have one form each, of any bytes")
    func forms() {
        for (key, form) in [
            ("//a\\b///c//", "a/b/c"), ("a/b", "a/b"), ("/", ""), ("", ""), ("\\", ""),
        ] {
            #expect(KeyForms.slashed(bytes(key)) == bytes(form))
            #expect(KeyForms.hasOddSlash(bytes(key)) == (key != form))
        }
        #expect(KeyForms.lowercased(bytes("ÄB/\u{0}C")) == bytes("äb/\u{0}c"))
        #expect(KeyForms.lowercased([0xFF, 0x41, 0x5A, 0x5B]) == [0xFF, 0x61, 0x7A, 0x5B])
        #expect(KeyForms.decoded(bytes("a%2525%20+%zz%")) == bytes("a%  %zz%"))
        var random = SeededGenerator("KeyFormTests.forms")
        for _ in 0..<500 {
            let key = random.hostileBytes()
            #expect(KeyForms.slashed(KeyForms.slashed(key)) == KeyForms.slashed(key))
            #expect(!KeyForms.hasOddSlash(KeyForms.slashed(key)) || KeyForms.slashed(key).isEmpty)
            #expect(KeyForms.lowercased(KeyForms.lowercased(key)) == KeyForms.lowercased(key))
        }
    }

    @Test("A URL gives its path in every form, and what hides behind its first folders")
    func urls() {
        let url = StoredURL(bytes("https://h:1/b/my%20a+b.png?x=/y#z"))
        #expect(url?.host == bytes("h:1"))
        #expect(
            url?.decodedPaths.map { String(decoding: $0, as: UTF8.self) }
                == ["b/my%20a+b.png", "b/my a+b.png", "b/my a b.png"])
        #expect(url?.keys.contains(bytes("my a+b.png")) == true)
        let deep = String(repeating: "d/", count: 500)
        #expect(StoredURL(bytes("s3://b/" + deep + "x"))?.keys.count == 9)
        for text in ["", "a/b", "://h/p", "https://", "https://h", "https://h/", "https://h/?q"] {
            #expect(StoredURL(bytes(text)) == nil, "\(text)")
        }
    }

    @Test("An identity is left open under a level, or where a folder has the form of one")
    func openKeys() {
        let open = OpenKeys(resolver: KeyResolver(levels: AccessLevel.amplify))
        func opened(_ key: String) -> String {
            String(decoding: open.opened(ObjectKey(key)), as: UTF8.self)
        }
        let uuid = "01234567-89ab-cdef-0123-456789ABCDEF"
        #expect(opened("private/me/a/b") == "private/{identity}/a/b")
        #expect(opened("x/eu-west-1:\(uuid)/a") == "x/{identity}/a")
        #expect(opened("\(uuid)/a") == "{identity}/a")
        for key in ["a/b", uuid, "a/\(uuid)", "private/", "x\(uuid)/a", ""] {
            #expect(opened(key) == key)
        }
    }

    @Test("The nearest text shares the longest end, whatever else ends alike")
    func suffixes() {
        var random = SeededGenerator("KeyFormTests.suffixes")
        for _ in 0..<100 {
            func text() -> [UInt8] { random.some(8) { $0.one(of: [0x61, 0x62]) } }
            let few = (0..<random.number(1...5)).map { _ in text() }
            let many = (0..<random.number(0...20)).map { _ in text() }
            var tree = SuffixTree()
            for text in few { tree.insert(text) }
            for (number, text) in many.enumerated() { tree.visit(text, number: number) }
            for one in few {
                func shared(_ other: [UInt8]) -> Int {
                    zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
                }
                let most = many.map(shared).max() ?? 0
                let nearest = tree.nearest(one)
                #expect(nearest?.shared ?? 0 == most)
                if let nearest { #expect(shared(many[nearest.number]) == most) }
            }
        }
    }
}
