import MooringDecisions
import MooringModel
import Testing

@Suite("Fields inside nested values")
struct PathFieldTests {
    private static func field(
        _ text: String, isList: Bool = false, isComplex: Bool = false
    ) throws -> FileField {
        var field = FileField(field: text, isList: isList, isComplex: isComplex)
        field.path = try #require(FieldPath(parsing: text))
        return field
    }

    private func read(_ field: FileField, _ value: FieldValue) throws -> RecordReading {
        let mapping = ModelMapping(model: "Page", files: [field])
        let reader = try #require(RecordReader(mapping: mapping, columns: ["id", field.column]))
        return try #require(reader.read([.text([49]), value]))
    }

    private func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }

    private func nulled(_ key: String, _ field: FileField, _ value: FieldValue) -> FieldValue? {
        NullingChange.nulling(
            NullingChange.Target(
                id: RecordID("1"), field: 0, value: Array(key.utf8), bucketNames: ["media"]),
            mapping: ModelMapping(model: "Page", files: [field]), row: [field.column: value],
            at: now
        )?.assignments.first?.value
    }

    @Test("are read where the path leads, with their index in the list")
    func reads() throws {
        let pages = try Self.field("pages[].image")
        let reading = try read(
            pages, json(#"[{"image":"a"},{"image":null},{},{"image":"b"},null]"#))
        #expect(reading.references.map(\.value) == [[97], [98]])
        #expect(reading.references.map(\.index) == [0, 3])
        #expect(reading.unusable.isEmpty)
        let list = try Self.field("album.keys", isList: true)
        #expect(try read(list, json(#"{"keys":["a","b"]}"#)).references.map(\.index) == [0, 1])
        let object = try Self.field("cover.file", isComplex: true)
        let held = try read(object, json(#"{"file":{"bucket":"media","key":"a"}}"#)).references
        #expect(held.map(\.value) == [[97]])
        #expect(held.map(\.bucket) == [Array("media".utf8)])
        #expect(try read(pages, .null).references.isEmpty)
    }

    private static let form = "it is no nested value of that form"
    private static let kind = "a value that is not a string"

    @Test(
        "say where another kind of value may hide references",
        arguments: [
            ("[1]", form), ("{}", form), (#""x""#, form), ("no json", form),
            (#"[{"image":1}]"#, kind), (#"[{"image":{}}]"#, kind),
        ])
    func hides(_ text: String, _ reason: String) throws {
        let reading = try read(try Self.field("pages[].image"), json(text))
        #expect(reading.references.isEmpty)
        #expect(reading.unusable.map(\.hidesReferences) == [true])
        #expect(reading.unusable.map(\.reason) == [reason])
    }

    @Test("are nulled without a byte around them")
    func nulls() throws {
        let pages = try Self.field("pages[].image")
        #expect(
            nulled("a", pages, json(#"[ {"image" : "a", "n":1.50}, {"image":"b"},{"image":"a"} ]"#))
                == json(#"[ {"image" : null, "n":1.50}, {"image":"b"},{"image":null} ]"#))
        let list = try Self.field("album.keys", isList: true)
        #expect(
            nulled("a", list, json(#"{"keys":["a", "b"],"x":{}}"#))
                == json(#"{"keys":["b"],"x":{}}"#))
        let cover = try Self.field("cover.key")
        #expect(nulled("a", cover, json(#"{"key":"a"}"#)) == json(#"{"key":null}"#))
        #expect(nulled("x", cover, json(#"{"key":"a"}"#)) == nil)
        var emptied = cover
        emptied.empty = .text
        #expect(nulled("a", emptied, json(#"{"key":"a"}"#)) == json(#"{"key":""}"#))
    }

    @Test("are given another meaning and linked only where there is a place")
    func others() throws {
        let pages = try Self.field("pages[].image")
        let target = NullingChange.Target(
            id: RecordID("1"), field: 0, value: Array("a".utf8), bucketNames: ["media"])
        let mapping = ModelMapping(model: "Page", files: [pages])
        let change = RepointingChange.repointing(
            target, to: RepointingChange.Meaning(value: Array("c".utf8), bucket: nil),
            mapping: mapping, row: ["pages": json(#"[{"image":"b"},{"image":"a"}]"#)], at: now)
        #expect(
            change?.assignments
                == [ColumnValue("pages", json(#"[{"image":"b"},{"image":"c"}]"#))])

        func linked(_ field: FileField, _ text: String) -> FieldValue? {
            LinkingChange.linking(
                Array("c".utf8), 0, of: RecordID("1"),
                in: (ModelMapping(model: "Page", files: [field]), [field.column: json(text)]),
                at: now
            )?.assignments.first?.value
        }
        let list = try Self.field("album.keys", isList: true)
        #expect(linked(list, #"{"keys":["b"]}"#) == json(#"{"keys":["b","c"]}"#))
        #expect(linked(try Self.field("cover.key"), #"{"key":null}"#) == json(#"{"key":"c"}"#))
        #expect(linked(try Self.field("cover.key"), #"{"key":"b"}"#) == nil)
        #expect(linked(try Self.field("cover.key"), "{}") == nil)
        #expect(linked(pages, "[]") == nil)
    }

    @Test("of a set lose and gain elements as a set, and the last one takes the set with it")
    func sets() throws {
        func set(_ text: String) -> FieldValue { .attribute(Array(text.utf8)) }
        let keys = FileField(field: "keys", isList: true)
        #expect(nulled("a", keys, set(#"{"SS":["a","b"]}"#)) == set(#"{"SS":["b"]}"#))
        #expect(nulled("a", keys, set(#"{"SS":["a"]}"#)) == .absent)
        #expect(nulled("a", keys, set(#"{"L":[{"S":"a"},{"BS":["AA=="]}]}"#)) == nil)
        let linked = LinkingChange.linking(
            Array("a".utf8), 0, of: RecordID("1"),
            in: (ModelMapping(model: "Page", files: [keys]), ["keys": set(#"{"SS":["b"]}"#)]),
            at: now)
        #expect(linked?.assignments.first?.value == set(#"{"SS":["a","b"]}"#))
    }

    @Test("of a store that moves on itself: the version is expected and one more, never the time")
    func moving() {
        var mapping = ModelMapping(
            model: "Page", version: "v", changed: "c", files: [FileField(field: "key")])
        mapping.movesOnItself = true
        let change = NullingChange.nulling(
            NullingChange.Target(
                id: RecordID("1"), field: 0, value: [97], bucketNames: ["media"]),
            mapping: mapping, row: ["key": .text([97]), "v": .integer(3), "c": .integer(5)],
            at: now)
        #expect(
            change?.expected == [ColumnValue("key", .text([97])), ColumnValue("v", .integer(3))])
        #expect(
            change?.assignments == [ColumnValue("key", .null), ColumnValue("v", .integer(4))])
    }
}
