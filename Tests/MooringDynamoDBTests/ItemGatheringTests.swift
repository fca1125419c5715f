import MooringModel
import MooringText
import SeededNumbers
import Testing

@testable import MooringDynamoDB

@Suite("Items become rows")
struct ItemGatheringTests {
    // Names that begin alike, hold what JSON escapes, or are marks of conflict detection.
    private static let names = [
        "id", "i", "idea", "", "a\"b", "a\\b", "a\":{\"S\":\"", "ü", "_version",
        "_deleted", "text",
    ]

    private static func quoted(_ text: String, _ random: inout some RandomNumberGenerator)
        -> String
    {
        var result = "\""
        for unit in text.utf16 {
            let mustEscape = unit == 0x22 || unit == 0x5C || unit < 0x20
            if mustEscape || Int.random(in: 0..<8, using: &random) == 0 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result += String(decoding: [unit], as: UTF16.self)
            }
        }
        return result + "\""
    }

    /// An item's text, its members in any order and some of them missing, and what it holds.
    private static func item(
        _ random: inout some RandomNumberGenerator
    ) -> (text: String, values: [String: FieldValue]) {
        var members: [String] = []
        var values: [String: FieldValue] = [:]
        let blank = Int.random(in: 0..<4, using: &random) == 0 ? " \n" : ""
        var chosen = names.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
        if Bool.random(using: &random) { chosen.shuffle(using: &random) }
        for name in chosen {
            let text = String(
                repeating: ["x", "é", "\""].randomElement(using: &random) ?? "",
                count: Int.random(in: 0..<70, using: &random))
            let number = Int64.random(in: -9...9, using: &random)
            let isText = Bool.random(using: &random)
            values[name] = isText ? .text(Array(text.utf8)) : .integer(number)
            let value =
                isText ? #"{"S":\#(quoted(text, &random))}"# : #"{"N":"\#(number)"}"#
            members.append(
                quoted(name, &random) + blank + ":" + blank
                    + value.replacing("}", with: blank + "}"))
        }
        return ("{" + members.joined(separator: "," + blank) + "}", values)
    }

    private static func rows(
        _ text: String, _ gathering: some ItemGathering
    ) throws -> [[String: FieldValue]] {
        var gathering = gathering
        var text = text
        try text.withUTF8 { bytes in
            var cursor = JSONCursor(bytes)
            while cursor.peek() != nil { try gathering.add(&cursor) }
        }
        return gathering.takeBatches(end: true).flatMap { batch in
            batch.rows.map { row in
                var values: [String: FieldValue] = [:]
                for (name, value) in zip(batch.columns, row) where value != .absent {
                    values[name] = value
                }
                return values
            }
        }
    }

    @Test("Whatever the order of their attributes, and however these are written")
    func anyOrder() throws {
        var random = SeededGenerator("anyOrder")
        for _ in 0..<40 {
            let items = (0..<30).map { _ in Self.item(&random) }
            let text = items.map(\.text).joined(separator: "\n")
            let whole = try Self.rows(text, WholeItems(table: "T"))
            #expect(whole == items.map(\.values))
            let columns = Array(
                Self.names.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)))
            let some = try Self.rows(
                text, ChosenItems([TableColumns(table: "T", columns: columns)]))
            let expected = items.map { $0.values.filter { columns.contains($0.key) } }
            #expect(some == expected, "columns \(columns)")
        }
    }

    @Test("A text ends at its quote wherever that stands, and takes no bare control character")
    func everyLength() throws {
        for length in 0..<140 {
            let plain = String(repeating: "y", count: length)
            let row = try Self.rows(#"{"id":{"S":"\#(plain)"}}"#, WholeItems(table: "T"))
            #expect(row == [["id": .text(Array(plain.utf8))]])
            let escaped = #"{"id":{"S":"\#(plain)\"\#(plain)\\"},"text":{"S":"t"}}"#
            let values = try Self.rows(escaped, WholeItems(table: "T"))
            #expect(values.first?["id"] == .text(Array("\(plain)\"\(plain)\\".utf8)))
            #expect(values.first?["text"] == .text(Array("t".utf8)))
            for control in ["\u{0}", "\n", "\u{1F}"] {
                #expect(throws: ItemFault.self) {
                    try Self.rows(#"{"id":{"S":"\#(plain)\#(control)"}}"#, WholeItems(table: "T"))
                }
            }
            #expect(throws: ItemFault.self) {
                try Self.rows(#"{"id":{"S":"\#(plain)"#, WholeItems(table: "T"))
            }
        }
    }

    @Test("An item of very many attributes does not make others as wide")
    func manyAttributes() throws {
        let small = String(repeating: #"{"id":{"S":"1"}}"#, count: 900)
        let wide =
            "{" + (0..<40_000).map { #""a\#($0)":{"NULL":true}"# }.joined(separator: ",") + "}"
        var gathering = WholeItems(table: "T")
        var text = small + wide + small
        try text.withUTF8 { bytes in
            var cursor = JSONCursor(bytes)
            while cursor.peek() != nil { try gathering.add(&cursor) }
        }
        let batches = gathering.takeBatches(end: true)
        #expect(batches.map(\.rows.count).reduce(0, +) == 1_801)
        #expect(batches.filter { $0.columns.count > 2 }.allSatisfy { $0.rows.count < 10 })
        #expect(
            batches.allSatisfy { batch in batch.rows.allSatisfy { $0.count == batch.columns.count }
            })
    }

    @Test("A name that was seen with escapes does not make other texts names")
    func namesWithQuotes() throws {
        let first = #"{"a\"b":{"S":"1"}}"#
        #expect(throws: ItemFault.self) {
            try Self.rows(first + #"{"a"b":{"S":"2"}}"#, WholeItems(table: "T"))
        }
        #expect(try Self.rows(first + first, WholeItems(table: "T")).count == 2)
        #expect(throws: ItemFault.self) {
            try Self.rows(#"{"id":{"S":"1"},"\u0069d":{"S":"1"}}"#, WholeItems(table: "T"))
        }
        #expect(try Self.rows("{}{}", WholeItems(table: "T")) == [[:], [:]])
    }
}
