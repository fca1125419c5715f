import MooringDecisions
import MooringModel
import Testing

@Suite("The writes that null a reference and bring it back")
struct NullingChangeTests {
    private let mapping = ModelMapping(
        model: "Song", version: "v", changed: "c",
        files: [
            FileField(field: "one"), FileField(field: "list", isList: true),
            FileField(field: "object", isComplex: true),
            FileField(field: "objects", isList: true, isComplex: true),
        ])

    private func nulling(
        _ key: String, _ field: Int, _ row: FieldChange.Row, bucket: String = "media"
    ) -> RecordChange? {
        NullingChange.nulling(
            NullingChange.Target(
                id: RecordID("s1"), field: field, value: [UInt8](key), bucketNames: [bucket]),
            mapping: mapping, row: row, at: now)
    }

    private func text(_ text: String) -> FieldValue { .text([UInt8](text)) }

    private func value(_ column: String, _ values: [ColumnValue]) -> FieldValue? {
        values.first { $0.column == column }?.value
    }

    @Test("a scalar becomes NULL; version and change time move on")
    func scalar() throws {
        let change = try #require(
            nulling("k", 0, ["one": text("k"), "v": .integer(3), "c": .integer(1_700_000_000)]))
        #expect(
            change.expected == [
                ColumnValue("one", text("k")), ColumnValue("v", .integer(3)),
                ColumnValue("c", .integer(1_700_000_000)),
            ])
        #expect(
            change.assignments == [
                ColumnValue("one", .null), ColumnValue("v", .integer(4)),
                ColumnValue("c", .integer(1_900_000_000)),
            ])
    }

    @Test(
        "what the mapping calls empty stands in place of NULL, in the form that the value had",
        arguments: [
            (FieldValue.text(Array("k".utf8)), FieldValue.text([])),
            (.blob(Array("k".utf8)), .blob([])),
        ])
    func empty(old: FieldValue, new: FieldValue) throws {
        var mapping = mapping
        mapping.files[0].empty = .text
        mapping.files[1].empty = .text
        func assigned(_ field: Int, _ row: FieldChange.Row) -> FieldValue? {
            NullingChange.nulling(
                NullingChange.Target(
                    id: RecordID("s1"), field: field, value: [UInt8]("k"), bucketNames: ["media"]),
                mapping: mapping, row: row, at: now)?.assignments.first?.value
        }
        #expect(assigned(0, ["one": old]) == new)
        #expect(assigned(1, ["list": text(#"["k", "l"]"#)]) == text(#"["l"]"#))
    }

    @Test(
        "what cannot move on is expected and left alone",
        arguments: [FieldValue.null, .text(Array("3".utf8)), .integer(.max)])
    func versions(version: FieldValue) throws {
        let change = try #require(nulling("k", 0, ["one": text("k"), "v": version]))
        #expect(value("v", change.expected) == version)
        #expect(value("v", change.assignments) == nil)
    }

    @Test("a list loses every element that holds the key, and nothing else")
    func list() throws {
        let old = FieldValue.blob([UInt8](#"[ "a", "k" , null, "\u006b", "b" ]"#))
        let change = try #require(nulling("k", 1, ["list": old]))
        #expect(
            value("list", change.assignments)
                == .blob([UInt8](#"[ "a", null, "b" ]"#)))
    }

    @Test("a blob and nested JSON keep their storage class")
    func classes() throws {
        for old in [
            FieldValue.blob([UInt8](#"["k"]"#)), .json([UInt8](#"["k"]"#)), text(#"["k"]"#),
        ] {
            let change = try #require(nulling("k", 1, ["list": old]))
            #expect(
                value("list", change.assignments)?.storageClass == old.storageClass)
        }
    }

    @Test("of a complex object, only one that names the step's bucket, or none, is nulled")
    func complex() throws {
        for object in [#"{"key": "k"}"#, #"{"bucket": "media", "key": "k"}"#] {
            let change = try #require(nulling("k", 2, ["object": text(object)]))
            #expect(value("object", change.assignments) == .null)
        }
        let other = text(#"{"bucket": "thumbs", "key": "k"}"#)
        #expect(nulling("k", 2, ["object": other]) == nil)
    }

    @Test("a list of complex objects keeps those that name another bucket")
    func complexList() throws {
        let old = text(#"[{"bucket":"thumbs","key":"k"},{"bucket":"media","key":"k"}]"#)
        let change = try #require(nulling("k", 3, ["objects": old]))
        #expect(
            value("objects", change.assignments) == text(#"[{"bucket":"thumbs","key":"k"}]"#))
    }

    @Test("a row that does not hold the key, or holds it unreadably, is not written")
    func nothing() {
        #expect(nulling("k", 0, ["one": text("other")]) == nil)
        #expect(nulling("k", 0, ["one": .null]) == nil)
        #expect(nulling("k", 0, [:]) == nil)
        #expect(nulling("k", 1, ["list": text(#"["k""#)]) == nil)
        #expect(nulling("k", 2, ["object": text("k")]) == nil)
    }

    @Test("a fence moves version and change time on where the record is as before the write")
    func fence() throws {
        let row: FieldChange.Row = [
            "one": text("k"), "v": .integer(3), "c": .integer(1_700_000_000),
        ]
        let change = try #require(nulling("k", 0, row))
        let fence = try #require(
            FieldChange.fence(change, mapping: mapping, at: now + .days(1)))
        #expect(fence.expected == change.expected)
        #expect(
            fence.assignments == [
                ColumnValue("v", .integer(4)), ColumnValue("c", .integer(1_900_086_400)),
            ])
        #expect(fence.id == change.id && fence.table == "Song" && fence.idColumns == ["id"])
    }

    @Test("either the version or the change time does for a fence")
    func halfFence() throws {
        for (row, moved) in [
            (["one": text("k"), "v": .integer(3), "c": .null], ["v"]),
            (["one": text("k"), "v": .integer(3)], ["v"]),
            (["one": text("k"), "v": .null, "c": .integer(1_700_000_000)], ["c"]),
            (["one": text("k"), "v": .integer(.max), "c": .integer(1_700_000_000)], ["c"]),
        ] as [(FieldChange.Row, [String])] {
            let change = try #require(nulling("k", 0, row))
            let fence = try #require(FieldChange.fence(change, mapping: mapping, at: now))
            #expect(fence.assignments.map(\.column) == moved)
        }
    }

    @Test("a record that changed in the very same second is told apart from the fenced one")
    func fenceInOneSecond() throws {
        for old in [
            FieldValue.integer(1_900_000_000), .integer(1_900_000_000_000), .real(1_900_000_000),
            text("2030-03-17T17:46:40Z"), text(now.iso8601),
        ] {
            let change = try #require(nulling("k", 0, ["one": text("k"), "c": old]))
            let fence = try #require(FieldChange.fence(change, mapping: mapping, at: now))
            #expect(fence.assignments.map(\.column) == ["c"])
            #expect(value("c", fence.assignments) != old)
        }
    }

    @Test("without a version and a change time that can be moved nothing fences a write off")
    func noFence() throws {
        for row in [
            ["one": text("k")], ["one": text("k"), "v": .null, "c": text("yesterday")],
            ["one": text("k"), "v": text("3")],
        ] as [FieldChange.Row] {
            let change = try #require(nulling("k", 0, row))
            #expect(FieldChange.fence(change, mapping: mapping, at: now) == nil)
        }
        let bare = ModelMapping(model: "Song", files: [FileField(field: "one")])
        let change = try #require(nulling("k", 0, ["one": text("k"), "v": .integer(3)]))
        #expect(FieldChange.fence(change, mapping: bare, at: now) == nil)
    }
}
