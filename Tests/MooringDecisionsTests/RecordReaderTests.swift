import MooringDecisions
import MooringModel
import Testing

@Suite("Reading a row as a record")
struct RecordReaderTests {
    private let mapping = ModelMapping(
        model: "Song", id: ["a", "b"], version: "v", changed: "c", deleted: "d", identity: "i",
        files: [
            FileField(field: "one"), FileField(field: "list", isList: true),
            FileField(field: "object", isComplex: true),
            FileField(field: "objects", isList: true, isComplex: true),
        ])

    private func read(_ values: [String: FieldValue]) throws -> RecordReading {
        let columns = mapping.columns
        let reader = try #require(RecordReader(mapping: mapping, columns: columns))
        var values = values
        values["a"] = values["a"] ?? .text([UInt8]("x"))
        values["b"] = values["b"] ?? .integer(7)
        return try #require(reader.read(columns.map { values[$0] ?? .absent }))
    }

    private func text(_ text: String) -> FieldValue { .text([UInt8](text)) }

    @Test("the identifier, version, change, mark and identity are read")
    func columns() throws {
        let reading = try read([
            "v": text("3"), "c": .integer(1_700_000_000_000), "d": .integer(1), "i": text("eu:1"),
        ])
        #expect(reading.id == RecordID(parts: [[UInt8]("x"), [UInt8]("7")]))
        #expect(reading.version == 3)
        #expect(reading.changed == ChangeTime(Instant(seconds: 1_700_000_000)))
        #expect(reading.isTombstone)
        #expect(reading.identity == [UInt8]("eu:1"))
    }

    @Test("a JSON value in place of a key hides references, and is none that could be missed")
    func quotedKeys() throws {
        for value in ["\"a/b\"", "7", "true"] {
            let reading = try read(["one": .json([UInt8](value.utf8))])
            #expect(reading.references.isEmpty)
            #expect(reading.unusable.map(\.hidesReferences) == [true])
        }
        let nothing = try read(["one": .json([UInt8]("null".utf8))])
        #expect(nothing.references.isEmpty && nothing.unusable.isEmpty)
        // Where a text is stored as one, quotes are a part of the key.
        for key in ["\"", "\"a", "\"a\""] {
            #expect(try read(["one": text(key)]).references.map(\.value) == [[UInt8](key.utf8)])
        }
    }

    @Test("a row without a part of its identifier is no record")
    func noID() throws {
        let reader = try #require(RecordReader(mapping: mapping, columns: ["a", "b"]))
        #expect(reader.read([.text([]), .null]) == nil)
        #expect(reader.read([.absent, .integer(1)]) == nil)
        #expect(RecordReader(mapping: mapping, columns: ["a"]) == nil)
    }

    @Test(
        "a tombstone's mark is a truth value, a number or a time",
        arguments: [
            (FieldValue.absent, false), (.null, false), (.integer(0), false), (.integer(2), true),
            (.real(0), false), (.real(0.5), true), (.text(Array("FALSE".utf8)), false),
            (.text([]), false), (.text(Array("2026-01-01".utf8)), true),
            (.json(Array("null".utf8)), false), (.text(Array("t".utf8)), true),
        ])
    func tombstone(mark: FieldValue, expected: Bool) throws {
        #expect(try read(["d": mark]).isTombstone == expected)
    }

    @Test("keys stand in scalars, lists, objects and lists of objects")
    func references() throws {
        let reading = try read([
            "one": text("k1"), "list": text(#"["k2", null, "k\u0033"]"#),
            "object": text(#"{"bucket": "b", "key": "k4"}"#),
            "objects": .json([UInt8](#"["{\"key\":\"k5\"}", {"s3": {"key": "k6"}}, null]"#)),
        ])
        let found = reading.references.map {
            "\($0.field) \($0.index ?? -1) \(String(decoding: $0.value, as: UTF8.self))"
        }
        #expect(found == ["0 -1 k1", "1 0 k2", "1 2 k3", "2 -1 k4", "3 0 k5", "3 1 k6"])
        #expect(reading.references[3].bucket == [UInt8]("b"))
        #expect(reading.unusable.map(\.reason) == ["a null list element", "a null list element"])
        #expect(reading.unusable.allSatisfy { !$0.hidesReferences })
    }

    @Test(
        "a value that cannot be read may hide references",
        arguments: [
            ("list", #"["k1""#, "it is not a JSON list"),
            ("list", #"{"a": "k1"}"#, "it is not a JSON list"),
            ("list", "k1", "it is not a JSON list"),
            ("list", "[17]", "a list element that is not a string"),
            ("object", "k1", "it is not a JSON object"),
            ("object", #"{"bucket": "b"}"#, "it holds no key"),
            ("object", #"{"key": 5}"#, "it holds no key"),
            ("object", #"["k1"]"#, "it holds no key"), ("objects", #"["k1"]"#, "it holds no key"),
            ("one", #"["k1", "k2"]"#, "a JSON list or object in place of a key"),
            ("one", #"{"key": "k1"}"#, "a JSON list or object in place of a key"),
        ])
    func hidden(field: String, value: String, reason: String) throws {
        let reading = try read([field: text(value)])
        #expect(reading.unusable.map(\.hidesReferences) == [true])
        #expect(reading.unusable.map(\.reason) == [reason])
    }

    @Test("a list or object in a scalar field is no key and never dangles, but protects")
    func structured() throws {
        let reading = try read(["one": text(#"["k1"]"#)])
        #expect(reading.references.map(\.value) == [[UInt8](#"["k1"]"#)])
        #expect(KeyRule.fault(in: [UInt8](#"["k1"]"#)) != nil)
        #expect(KeyRule.fault(in: [UInt8]("[1] photo.png")) == nil)
    }

    @Test(
        "a faulty key is told, and protects what it may mean",
        arguments: [
            ("/k", "a leading slash"), ("k\n", "control characters"),
            ("k\u{7F}", "control characters"),
            (String(repeating: "k", count: 1_025), "a key of 1025 bytes, over 1024"),
        ])
    func faults(key: String, reason: String) throws {
        let reading = try read(["one": text(key)])
        #expect(reading.unusable.map(\.reason) == [reason])
        #expect(reading.references.count == 1)
        #expect(KeyRule.fault(in: Array(repeating: 65, count: 1_024)) == nil)
    }

    @Test(
        "an empty text is no key and nothing to be told, in whatever form",
        arguments: [
            ("one", ""), ("list", ""), ("object", ""), ("list", #"["", ""]"#),
            ("object", #"{"key": "", "bucket": "b"}"#), ("object", #""""#),
            ("objects", #"["", {"key": ""}]"#),
        ])
    func empty(field: String, value: String) throws {
        let reading = try read([field: text(value)])
        #expect(reading.references.isEmpty)
        #expect(reading.unusable.isEmpty, "\(reading.unusable)")
        let nested = try read(["one": .json(text(#""""#).bytes ?? []), "list": .blob([])])
        #expect(nested.unusable.isEmpty)
    }

    @Test("a text of blanks is a key like any other")
    func blanks() throws {
        #expect(try read(["one": text(" ")]).references.map(\.value) == [[0x20]])
        #expect(try read(["list": text(#"["", " "]"#)]).references.map(\.index) == [1])
    }

    @Test("bytes that are not UTF-8 stay what they are")
    func bytes() throws {
        let reading = try read([
            "one": .text([0xFF, 0x00]), "list": .blob([0x5B, 0x22, 0xFF, 0x22, 0x5D]),
        ])
        #expect(reading.references.map(\.value) == [[0xFF, 0x00], [0xFF]])
    }
}
