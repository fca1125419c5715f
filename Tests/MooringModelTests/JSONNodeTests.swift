import MooringModel
import SeededNumbers
import Testing

@Suite struct JSONNodeTests {
    private func parse(_ text: String) throws -> JSONNode {
        try JSONNode(parsing: Array(text.utf8))
    }

    @Test(
        "What RFC 8259 allows is read",
        arguments: [
            "null", " true ", "false", "0", "-0", "-12", "1.5", "1e5", "1E-5", "1.0e+10", "\"\"",
            "\"a\"", "[]", "[ ]", "{}", "{ }", "[1,[2,[3]]]", "{\"a\":{\"b\":[null]}}",
            "\t\r\n[1 , 2]\n", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud83c\\udfb5\"",
            "123456789012345678901234567890", "\"\u{7F}\u{2028}\"",
        ])
    func accepted(text: String) {
        #expect(throws: Never.self) { try JSONNode(parsing: Array(text.utf8)) }
    }

    @Test(
        "Everything else is refused at the first byte that does not fit",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 0), ("nulll", 4), ("True", 0), ("+1", 0), ("01", 2),
            ("-", 1), ("1.", 2), (".5", 0), ("1e", 2), ("1e+", 3), ("0x1", 1), ("NaN", 0),
            ("Infinity", 0), ("'a'", 0), ("\"a", 2), ("\"a\nb\"", 2), ("\"\t\"", 1), ("\"\\x\"", 3),
            ("\"\\u12\"", 3), ("\"\\u12g4\"", 3), ("[1,]", 3), ("[1 2]", 3), ("[", 1), ("]", 0),
            ("{", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{a:1}", 1),
            ("{\"a\" 1}", 5), ("1 2", 2), ("[] []", 3), ("//", 0), ("\u{FEFF}1", 0), ("\"\\", 1),
            ("\"a\\", 2), ("\"\\u00", 3),
        ])
    func refused(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) {
            try JSONNode(parsing: Array(text.utf8))
        }
        #expect(error?.offset == offset, "\(error?.description ?? "")")
    }

    @Test(
        "A text that is refused says what it lacks, or holds",
        arguments: [
            ("", "byte 0: lacks a value"), ("[1,]", "byte 3: holds no value"),
            ("[", "byte 1: lacks a value"), ("{\"a\":", "byte 5: lacks a value"),
            ("[1 2]", "byte 3: lacks a ']'"), ("{\"a\" 1}", "byte 5: lacks a ':'"),
            ("\"a", "byte 2: has an open string"), ("\"a\\", "byte 2: has an open string"),
            ("1 2", "byte 2: goes on after its end"),
        ])
    func words(text: String, words: String) {
        let error = #expect(throws: JSONError.self) { try parse(text) }
        #expect(error?.description == words)
    }

    @Test(
        "Half a surrogate pair is refused, wherever it stands",
        arguments: [
            "\"\\ud83c\"", "\"\\ud83cx\"", "\"\\ud83c\\n\"", "\"\\udfb5\"", "\"\\ud83c\\ud83c\"",
            "\"\\ud83c\\u0041\"",
        ])
    func surrogates(text: String) {
        #expect(throws: JSONError.self) { try JSONNode(parsing: Array(text.utf8)) }
    }

    @Test("Escapes become bytes, and a whole surrogate pair one scalar")
    func escapes() throws {
        let node = try parse("\"\\u0000\\u00e9\\ud83c\\udfb5\\/\\u000A\"")
        #expect(node.stringBytes == [0] + Array("\u{E9}\u{1F3B5}/\n".utf8))
        #expect(try parse("\"\\udbff\\udfff\"").string == "\u{10FFFF}")
    }

    @Test("Bytes that are not UTF-8 come through a string unchanged")
    func invalidUTF8() throws {
        let bytes: [UInt8] = [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80]
        let node = try JSONNode(parsing: [0x22] + bytes + [0x22])
        #expect(node.stringBytes == bytes)
        #expect(throws: JSONError.self) { try JSONNode(parsing: [0xFF]) }
    }

    @Test("Every value knows the bytes it stands in")
    func ranges() throws {
        let text = Array(" { \"a\" : [ 1 , \"x\\n\" ] } ".utf8)
        let node = try JSONNode(parsing: text)
        #expect(node.range == 1..<(text.count - 1))
        let list = try #require(node["a"])
        #expect(String(decoding: text[list.range], as: UTF8.self) == "[ 1 , \"x\\n\" ]")
        let elements = try #require(list.elements)
        #expect(
            elements.map { String(decoding: text[$0.range], as: UTF8.self) } == ["1", "\"x\\n\""])
    }

    @Test("The last of several members of one name counts, and null is none")
    func duplicates() throws {
        #expect(try parse("{\"a\":1,\"a\":2}")["a"]?.integer == 2)
        #expect(try parse("{\"a\":1,\"a\":null}")["a"] == nil)
        #expect(try parse("{\"a\":1,\"a\":2}").members?.count == 2)
        #expect(try parse("{\"\\u0061\":1}")["a"]?.integer == 1)
        #expect(try parse("{\"e\\u0301\":1}")["\u{E9}"] == nil)
        #expect(try parse("[1]")["a"] == nil)
    }

    @Test("256 levels are read, one more is refused, and a million do not exhaust the stack")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
        }
        #expect(throws: Never.self) { try JSONNode(parsing: nested(256)) }
        #expect(throws: JSONError(offset: 257, reason: "nested deeper than 256")) {
            try JSONNode(parsing: nested(257))
        }
        #expect(throws: JSONError.self) { try JSONNode(parsing: nested(1_000_000)) }
        // Depth counts what is open, not what was.
        let wide = "[" + Array(repeating: "[]", count: 1_000).joined(separator: ",") + "]"
        #expect(try parse(wide).elements?.count == 1_000)
    }

    @Test(
        "Whole numbers fit 64 bits or are none",
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("1.0", nil), ("1e3", nil), ("-0", 0),
        ] as [(String, Int64?)])
    func integers(text: String, expected: Int64?) throws {
        #expect(try parse(text).integer == expected)
    }

    @Test("A text cut off anywhere is refused, never read as something else")
    func truncation() throws {
        let text = Array("{\"a\":[1.5e3,\"x\\u00e9\",{\"b\":true}],\"c\":null}".utf8)
        #expect(throws: Never.self) { try JSONNode(parsing: text) }
        for length in text.indices {
            #expect(throws: JSONError.self) { try JSONNode(parsing: Array(text[..<length])) }
        }
    }

    @Test("Random bytes never crash the parser")
    func randomBytes() {
        var generator = SeededGenerator("JSONNode.randomBytes")
        let alphabet = Array("{}[]\",:\\u0129adfglnrstx.eE+- \n".utf8) + [0xFF, 0xC3, 0x00]
        var refused = 0
        for _ in 0..<5_000 {
            let bytes = generator.some(24) { $0.one(of: alphabet) }
            do { _ = try JSONNode(parsing: bytes) } catch {
                refused += 1
                #expect((0...bytes.count).contains(error.offset))
            }
        }
        #expect(refused > 2_500)
    }

    @Test("Strings are written so that every JSON reader gives them back")
    func stringEscapes() throws {
        #expect(
            JSONValue.string("\"\\\n\r\t\u{0}\u{1F}\u{7F}/\u{E9}").rendered
                == Array("\"\\\"\\\\\\n\\r\\t\\u0000\\u001f\\u007f/\u{E9}\"".utf8))
        var generator = SeededGenerator("JSONValue.strings")
        for _ in 0..<500 {
            let text = generator.hostileText()
            let rendered = JSONValue.string(text).rendered
            #expect(!rendered.contains { $0 < 0x20 || $0 == 0x7F })
            #expect(try JSONNode(parsing: rendered).stringBytes == Array(text.utf8))
        }
    }

    @Test("Members keep their order, nil ones are left out, and numbers stay JSON")
    func values() throws {
        let value = JSONValue.members([
            "b": .integer(.min), "a": nil, "n": .null, "l": .array([]), "o": .object([]),
            "x": .number(.infinity), "y": .number(1e100), "t": .bool(true),
        ])
        let line =
            "{\"b\":-9223372036854775808,\"n\":null,\"l\":[],\"o\":{},\"x\":null,"
            + "\"y\":1e+100,\"t\":true}"
        #expect(String(decoding: value.rendered, as: UTF8.self) == line)
        #expect(throws: Never.self) { try JSONNode(parsing: value.prettyRendered) }
        let pretty = JSONValue.members(["a": .array([.integer(1), .integer(2)])]).prettyRendered
        #expect(
            String(decoding: pretty, as: UTF8.self) == "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n")
    }

    @Test("A document that lacks what it needs says which member")
    func documents() throws {
        let node = try parse("{\"n\":\"x\",\"t\":\"yesterday\",\"kBase64\":\"?\"}")
        #expect(throws: DocumentError("'m' is missing")) { try node.required("m") }
        #expect(throws: DocumentError("'n' is not a whole number")) { try node.wholeNumber("n") }
        #expect(throws: DocumentError("'t' is not a time in ISO 8601")) { try node.moment("t") }
        #expect(throws: DocumentError("'kBase64' is not base64")) { try node.bytes("k") }
        #expect(throws: DocumentError("'n' has an unknown value")) {
            let _: Verdict = try node.coded("n")
        }
        #expect(try node.bytes("n") == [0x78])
        #expect(try node.bytes("none") == nil)
    }
}
