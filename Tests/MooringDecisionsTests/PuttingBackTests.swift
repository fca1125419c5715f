import MooringDecisions
import MooringModel
import Testing

@Suite("Putting a nulled key back into the record as it is by now")
struct PuttingBackTests {
    private let mapping = ModelMapping(
        model: "Song", version: "v", changed: "c",
        files: [
            FileField(field: "one"), FileField(field: "list", isList: true),
            FileField(field: "objects", isList: true, isComplex: true),
        ])
    private let nulledAt = now
    private let later = now + .days(1)

    private func text(_ text: String) -> FieldValue { .text([UInt8](text)) }

    /// The row behind a nulling, and what puts the key back into it.
    private func nulled(
        _ field: Int, _ row: FieldChange.Row
    ) throws -> (row: FieldChange.Row, change: RecordChange) {
        let change = try #require(
            NullingChange.nulling(
                NullingChange.Target(
                    id: RecordID("s1"), field: field, value: [UInt8]("k"), bucketNames: ["media"]),
                mapping: mapping, row: row, at: nulledAt))
        var after = row
        for value in change.assignments { after[value.column] = value.value }
        return (after, change)
    }

    private func puttingBack(_ change: RecordChange, _ row: FieldChange.Row) -> RecordChange? {
        FieldChange.puttingBack(change, mapping: mapping, row: row, at: later)
    }

    private func value(_ column: String, _ change: RecordChange?) -> FieldValue? {
        change?.assignments.first { $0.column == column }?.value
    }

    @Test("a scalar that is as the nulling left it gets its old bytes")
    func scalar() throws {
        let (row, change) = try nulled(0, ["one": text("k"), "v": .integer(3)])
        #expect(row["one"] == .null)
        let back = try #require(puttingBack(change, row))
        #expect(back.expected == [ColumnValue("one", .null), ColumnValue("v", .integer(4))])
        #expect(
            back.assignments == [ColumnValue("one", text("k")), ColumnValue("v", .integer(5))])
        #expect(back.id == change.id && back.table == "Song" && back.idColumns == ["id"])
    }

    @Test("version and change time are expected as they are by now, and move on")
    func movedOn() throws {
        var (row, change) = try nulled(
            0, ["one": text("k"), "v": .integer(3), "c": .integer(1_700_000_000)])
        // Somebody wrote another column since.
        row["v"] = .integer(9)
        row["c"] = .integer(1_900_000_100)
        let back = try #require(puttingBack(change, row))
        #expect(
            back.expected == [
                ColumnValue("one", .null), ColumnValue("v", .integer(9)),
                ColumnValue("c", .integer(1_900_000_100)),
            ])
        #expect(value("v", back) == .integer(10))
        #expect(value("c", back) == .integer(1_900_086_400))
    }

    @Test("a field that holds another value by now, or is not told, is left as it is")
    func anotherValue() throws {
        var (row, change) = try nulled(0, ["one": text("k")])
        for other in [text("l"), text("k"), text("")] {
            row["one"] = other
            #expect(puttingBack(change, row) == nil)
        }
        #expect(puttingBack(change, [:]) == nil)
    }

    @Test("a list that is as the nulling left it gets its old bytes, blanks and spelling too")
    func listAsLeft() throws {
        let old = text(#"[ "a", "\u006b" ,null ]"#)
        let (row, change) = try nulled(1, ["list": old])
        #expect(value("list", puttingBack(change, row)) == old)
    }

    @Test("a list that others changed gets the key back behind theirs")
    func longerList() throws {
        var (row, change) = try nulled(1, ["list": text(#"["a","k"]"#)])
        for (now, expected) in [
            (#"["a","b"]"#, #"["a","b","k"]"#), ("[]", #"["k"]"#), (#"[ "b" ]"#, #"[ "b","k" ]"#),
        ] {
            row["list"] = text(now)
            let back = try #require(puttingBack(change, row))
            #expect(back.expected == [ColumnValue("list", text(now))])
            #expect(value("list", back) == text(expected))
        }
    }

    @Test("all that the nulling took out goes back, and nothing twice")
    func everyElement() throws {
        var (row, change) = try nulled(
            2, ["objects": text(#"[{"key":"k"},{"key":"a"},{"key": "k"}]"#)])
        #expect(row["objects"] == text(#"[{"key":"a"}]"#))
        row["objects"] = text(#"[{"key":"b"}]"#)
        #expect(
            value("objects", puttingBack(change, row))
                == text(#"[{"key":"b"},{"key":"k"},{"key": "k"}]"#))
        row["objects"] = text(#"[{"key":"k"}]"#)
        #expect(value("objects", puttingBack(change, row)) == text(#"[{"key":"k"},{"key": "k"}]"#))
    }

    @Test("a list that holds the key again, is NULL, or is no list any more is left as it is")
    func decidedList() throws {
        var (row, change) = try nulled(1, ["list": text(#"["a","k"]"#)])
        for now in [text(#"["k"]"#), text(#"["b","k"]"#), .null, text("k"), text(#"{"a":1}"#)] {
            row["list"] = now
            #expect(puttingBack(change, row) == nil)
        }
    }

    @Test("blob, JSON and text stay what they are by now")
    func classes() throws {
        for old in [
            FieldValue.blob([UInt8](#"["a","k"]"#)), .json([UInt8](#"["a","k"]"#)),
            text(#"["a","k"]"#),
        ] {
            var (row, change) = try nulled(1, ["list": old])
            #expect(value("list", puttingBack(change, row)) == old)
            for now in [
                FieldValue.blob([UInt8](#"["b"]"#)), .json([UInt8](#"["b"]"#)), text(#"["b"]"#),
            ] {
                row["list"] = now
                let longer = try #require(value("list", puttingBack(change, row)))
                #expect(longer.storageClass == now.storageClass)
                #expect(longer.bytes == [UInt8](#"["b","k"]"#))
            }
        }
    }
}
