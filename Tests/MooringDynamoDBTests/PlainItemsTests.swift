import MooringModel
import MooringText
import SeededNumbers
import Testing

@testable import MooringDynamoDB

@Suite("Items become rows without values of their own")
struct PlainItemsTests {
    private static let names = [
        "\"id\"", "\"\\u0069d\"", "\"key\"", "\"\"", "\"a\\\"b\"", "\"ü\"", "\"_version\"",
        "\"_deleted\"", "\"_lastChangedAt\"", "\"\\ud83c\"", "\"i\\x\"", "\"open", "id",
    ]

    private static let columns = [
        "id", "key", "", "a\"b", "ü", "_version", "_deleted", "absent", "c3",
    ]

    private static let numbers = [
        "0", "-0", "7", "-12", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "1.0", "1E5", "1e-7", "1e400", "00", "01",
        "1.", ".5", "-", "+1", "", "NaN", "1 ", "\\u0031", "123456789012345678901234567890",
    ]

    private static let texts = [
        "", "plain", "\\n\\\\\\\"\\/", "\\ud83c\\udfb5", "\\ud83c", "\\udfb5", "\\u00", "\\q",
        "\u{1}", "\u{7F}", "é", "aGk=", "_w==", "/w==", "a",
    ]

    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        switch random.number(0...5) {
        case 0: return random.hostileBytes()
        case 1: return [UInt8](repeating: 0x78, count: random.number(0...70))
        default: return Array(random.one(of: texts).utf8)
        }
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

    private static func list(_ values: [[UInt8]], _ open: String, _ close: String) -> [UInt8] {
        Array(open.utf8) + values.joined(separator: [0x2C]) + Array(close.utf8)
    }

    // A typed value, or what only looks like one.
    private static func value(_ random: inout SeededGenerator, depth: Int = 0) -> [UInt8] {
        let blank = random.number(0...40) == 0 ? " \n" : ""
        func typed(_ type: String, _ value: [UInt8]) -> [UInt8] {
            Array("{\(blank)\"\(type)\"\(blank):\(blank)".utf8) + value + Array("\(blank)}".utf8)
        }
        switch random.number(0...(depth > 3 ? 7 : 11)) {
        case 0, 1: return typed("S", quoted(text(&random)))
        case 2: return typed("N", quoted(Array(random.one(of: numbers).utf8)))
        case 3: return typed("N", quoted(Array("\(random.number(Int.min...Int.max))".utf8)))
        case 4: return typed(random.one(of: ["B", "S", "N"]), quoted(text(&random)))
        case 5:
            let word = random.one(of: ["true", "false", "null", "\"true\"", "tru"])
            return typed(random.one(of: ["BOOL", "NULL"]), Array(word.utf8))
        case 6:
            let type = random.one(of: ["SS", "NS", "BS", "XX", "s", ""])
            return typed(type, list(random.some(4) { quoted(text(&$0)) }, "[", "]"))
        case 7: return Array(random.one(of: ["{}", "null", "[]", "\"S\"", "{\"S\"}", "{"]).utf8)
        case 8:
            let deep = random.number(80...140)
            let open = String(repeating: "{\"L\":[", count: deep)
            return Array((open + "{\"S\":\"x\"}" + String(repeating: "]}", count: deep)).utf8)
        case 9:
            let values = random.some(4) { value(&$0, depth: depth + 1) }
            return typed("L", list(values, "[", "]"))
        default:
            let members = random.some(4) { random in
                Array(random.one(of: names).utf8) + [0x3A] + value(&random, depth: depth + 1)
            }
            return typed("M", list(members, "{", "}"))
        }
    }

    // Most items are as the service writes them; the others are cut, changed or odd.
    private static func item(_ random: inout SeededGenerator) -> [UInt8] {
        let isTame = random.number(0...2) > 0
        let tame = ["{\"S\":\"v\"}", "{\"N\":\"12\"}", "{\"BOOL\":true}", "{\"NULL\":true}"]
        let members = (0..<random.number(0...6)).map { number in
            let name = isTame ? names[[0, 2, 3, 6, 7, 8, 5][number]] : random.one(of: names)
            let isNumbered = !isTame && random.number(0...9) == 0
            return Array((isNumbered ? "\"c\(random.number(0...30))\"" : name).utf8) + [0x3A]
                + (isTame ? Array(random.one(of: tame).utf8) : value(&random))
        }
        var item = list(members, "{", "}")
        switch random.number(0...15) {
        case 0: item.removeSubrange(random.number(0...(item.count - 1))...)
        case 1: item[random.number(0...(item.count - 1))] = UInt8(random.number(0...255))
        default: break
        }
        return item
    }

    // What the quick and the slow way make of the same items, one by one.
    private static func compare(
        _ quick: some ItemGathering, _ slow: some ItemGathering, _ random: inout SeededGenerator
    ) -> Int {
        var rows = 0
        var (quick, slow) = (quick, slow)
        for _ in 0..<random.number(1...400) {
            let item = item(&random)
            item.withUnsafeBufferPointer { bytes in
                var (cursor, other) = (JSONCursor(bytes), JSONCursor(bytes))
                let (found, expected) = (fault(&quick, &cursor), fault(&slow, &other))
                rows += found == nil ? 1 : 0
                #expect(
                    found == expected && found?.reason == expected?.reason,
                    "\(String(decoding: item, as: UTF8.self))")
                #expect(found != nil || cursor.index == other.index)
            }
            #expect(quick.sawVersions == slow.sawVersions)
            if random.number(0...99) == 0 {
                expectSame(quick.takeBatches(end: false), slow.takeBatches(end: false))
            }
        }
        expectSame(quick.takeBatches(end: true), slow.takeBatches(end: true))
        return rows
    }

    private static func fault(
        _ gathering: inout some ItemGathering, _ cursor: inout JSONCursor
    ) -> ItemFault? {
        do throws(ItemFault) {
            try gathering.add(&cursor)
            return nil
        } catch {
            return error
        }
    }

    private static func expectSame(_ found: [RecordBatch], _ expected: [RecordBatch]) {
        #expect(found.map(\.table) == expected.map(\.table))
        // By bytes: an attribute's name is one.
        let names = { (batch: RecordBatch) in batch.columns.map { Array($0.utf8) } }
        #expect(found.map(names) == expected.map(names))
        #expect(found.map(\.rows) == expected.map(\.rows))
        #expect(found.allSatisfy { $0.slab != nil })
    }

    @Test("Whatever a page or an export holds, both ways tell the same of every item")
    func bothWays() {
        var random = SeededGenerator("itemsBothWays")
        var rows = 0
        for _ in 0..<150 {
            rows += Self.compare(WholeItems(table: "T"), SlowWholeItems(table: "T"), &random)
            let wanted = random.some(3) { random in
                TableColumns(table: "T", columns: random.some(6) { $0.one(of: Self.columns) })
            }
            rows += Self.compare(ChosenItems(wanted), SlowChosenItems(wanted), &random)
        }
        #expect(rows > 10_000)
    }

    @Test("Batches are as large either way", arguments: [10, 9_000])
    func manyItems(_ length: Int) throws {
        let filler = String(repeating: "f", count: length)
        var (quick, slow) = (WholeItems(table: "T"), SlowWholeItems(table: "T"))
        let wanted = [TableColumns(table: "T", columns: ["id", "f"])]
        var (some, slowSome) = (ChosenItems(wanted), SlowChosenItems(wanted))
        for number in 0..<3_000 {
            let item =
                "{\"id\":{\"N\":\"\(number)\"},\"f\":{\"S\":\"\(filler)\"},"
                + "\"c\(number % 700)\":{\"L\":[{\"S\":\"a\"},{\"N\":\"1\"}]}}"
            try Array(item.utf8).withUnsafeBufferPointer { bytes in
                var cursor = JSONCursor(bytes)
                for gather in 0..<4 {
                    cursor.index = 0
                    switch gather {
                    case 0: try quick.add(&cursor)
                    case 1: try slow.add(&cursor)
                    case 2: try some.add(&cursor)
                    default: try slowSome.add(&cursor)
                    }
                }
            }
        }
        Self.expectSame(quick.takeBatches(end: true), slow.takeBatches(end: true))
        Self.expectSame(some.takeBatches(end: true), slowSome.takeBatches(end: true))
    }
}
