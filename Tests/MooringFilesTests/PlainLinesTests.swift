import MooringModel
import MooringText
import SeededNumbers
import Testing

@testable import MooringFiles

@Suite("Lines become rows without values of their own")
struct PlainLinesTests {
    // Some are one name in two spellings, some no UTF-8, some no names.
    private static let names: [[UInt8]] =
        [
            "\"id\"", "\"\\u0069d\"", "\"key\"", "\"\"", "\"a\\\"b\"", "\"ü\"", "\"u\\u0308\"",
            "\"\\ud83c\\udfb5\"", "\"\\ud83c\"", "\"i\\x\"", "\"i", "id", "\"id\" ",
        ].map { Array($0.utf8) } + [[0x22, 0xFF, 0xC0, 0x22], Array("\"\(longName)\"".utf8)]

    private static let longName = String(repeating: "n", count: 70)

    private static let columns = [
        "id", "key", "", "a\"b", "ü", "u\u{308}", "🎵", "absent", longName, "id", "c7", "c12",
    ]

    private static let tame = ["id", "key", "", "ü", "c7", "c12"]

    // Numbers, words and strings, and what only looks like them.
    private static let values: [[UInt8]] =
        [
            "0", "-0", "7", "-12", "123456789012345678", "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "1.0", "1.5e3",
            "1E5", "-1e-7", "1e400", "-1e999", "00", "01", "1.", ".5", "-", "+1", "0x1", "1e",
            "NaN",
            "true", "false", "null", "nul", "truefalse", "\"\"", "\"plain\"",
            "\"\\n\\t\\\\\\\"\\/\"",
            "\"\\ud83c\\udfb5\"", "\"\\ud83c\"", "\"\\udfb5\"", "\"\\ud83cx\"", "\"\\u00\"",
            "\"\\q\"",
            "\"\u{1}\"", "\"open", "[]", "{}", "[1,[2,{\"a\":\"\\u0041\"}]]", "{\"a\":1,\"a\":2}",
            "[\"\\q\"]", "{\"\\ud83c\":1}", "[1,]", "{,}", "[", "",
        ].map { Array($0.utf8) } + [[0x22, 0xFF, 0xED, 0xA0, 0x80, 0x22]]

    private static func value(_ random: inout SeededGenerator) -> [UInt8] {
        switch random.number(0...9) {
        case 0:
            let depth = random.number(500...520)
            return [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
        case 1:
            return [0x22] + random.hostileBytes() + [0x22]
        case 2:
            return Array("\"\(String(repeating: "é", count: random.number(0...90)))\"".utf8)
        case 3: return Array("\(random.number(Int.min...Int.max))".utf8)
        default: return random.one(of: values)
        }
    }

    private static func name(_ random: inout SeededGenerator) -> [UInt8] {
        random.number(0...9) == 0
            ? Array("\"c\(random.number(0...40))\"".utf8) : random.one(of: names)
    }

    // Most lines are as programs write them; the others are cut, changed or spaced oddly.
    private static func line(_ random: inout SeededGenerator) -> [UInt8] {
        let isTame = random.number(0...2) > 0
        func blank(_ random: inout SeededGenerator) -> [UInt8] {
            random.number(0...30) == 0 ? Array(" \t\r ".utf8) : []
        }
        var line: [UInt8] = [0x7B]
        let count = random.number(0...6)
        for number in 0..<count {
            line += blank(&random)
            if isTame {
                line += Array("\"\(tame[number])\"".utf8)
            } else {
                line += name(&random)
            }
            line += blank(&random) + [0x3A] + blank(&random)
            line +=
                isTame ? random.one(of: [Array("\"v\"".utf8), Array("12".utf8)]) : value(&random)
            line += blank(&random) + (number + 1 < count ? [0x2C] : [])
        }
        line.append(0x7D)
        switch random.number(0...15) {
        case 0: line.removeSubrange(random.number(0...(line.count - 1))...)
        case 1: line[random.number(0...(line.count - 1))] = UInt8(random.number(0...255))
        case 2: line += random.hostileBytes()
        default: break
        }
        return line
    }

    // What the quick and the slow way make of the same lines, one by one.
    private static func compare(
        _ quick: some AttributeGathering, _ slow: some SlowGathering,
        _ random: inout SeededGenerator
    ) -> Int {
        var rows = 0
        var (quick, slow) = (quick, slow)
        var (json, reader) = (JSONObjectReader(), SlowObjectReader())
        for _ in 0..<random.number(1...400) {
            let line = line(&random)
            line.withUnsafeBufferPointer { bytes in
                let (found, expected): (RowFault?, RowFault?)
                do throws(RowFault) {
                    try json.read(bytes)
                    try quick.add(json, bytes)
                    found = nil
                } catch {
                    found = error
                }
                do throws(RowFault) {
                    try reader.read(bytes)
                    try slow.add(reader.members, bytes)
                    expected = nil
                } catch {
                    expected = error
                }
                rows += found == nil ? 1 : 0
                #expect(
                    found == expected && found?.reason == expected?.reason,
                    "\(String(decoding: line, as: UTF8.self))")
            }
            #expect(quick.isFull == slow.isFull)
            if quick.isFull || random.number(0...99) == 0 {
                expectSame(quick.takeBatches(), slow.takeBatches())
            }
        }
        expectSame(quick.takeBatches(), slow.takeBatches())
        return rows
    }

    private static func expectSame(_ found: [RecordBatch], _ expected: [RecordBatch]) {
        #expect(found.map(\.table) == expected.map(\.table))
        // By bytes: a column's name is one.
        let names = { (batch: RecordBatch) in batch.columns.map { Array($0.utf8) } }
        #expect(found.map(names) == expected.map(names))
        #expect(found.map(\.rows) == expected.map(\.rows))
        #expect(found.allSatisfy { $0.slab != nil })
    }

    @Test("Whatever a file holds, both ways tell the same of every line")
    func bothWays() {
        var random = SeededGenerator("linesBothWays")
        var rows = 0
        for _ in 0..<150 {
            rows += Self.compare(
                AllAttributes(table: "T"), SlowAllAttributes(table: "T"), &random)
            let wanted = random.some(3) { random in
                TableColumns(
                    table: "T\(random.number(0...9))",
                    columns: random.some(6) { $0.one(of: Self.columns) })
            }
            rows += Self.compare(
                ChosenAttributes(wanted), SlowChosenAttributes(wanted), &random)
        }
        #expect(rows > 10_000)
    }

    @Test("Batches are as large either way, and names without end are forgotten")
    func manyLines() {
        var (quick, slow) = (AllAttributes(table: "T"), SlowAllAttributes(table: "T"))
        let wanted = [TableColumns(table: "T", columns: ["c3", "id", "c20005"])]
        var (some, slowSome) = (ChosenAttributes(wanted), SlowChosenAttributes(wanted))
        var (json, reader) = (JSONObjectReader(), SlowObjectReader())
        for number in 0..<12_000 {
            let text = "{\"id\":\(number),\"c\(2 * number)\":1,\"c\(2 * number + 1)\":\"x\"}"
            Array(text.utf8).withUnsafeBufferPointer { bytes in
                #expect(throws: Never.self) {
                    try json.read(bytes)
                    try reader.read(bytes)
                    try quick.add(json, bytes)
                    try slow.add(reader.members, bytes)
                    try some.add(json, bytes)
                    try slowSome.add(reader.members, bytes)
                }
            }
            #expect(quick.isFull == slow.isFull && some.isFull == slowSome.isFull)
            if quick.isFull { Self.expectSame(quick.takeBatches(), slow.takeBatches()) }
            if some.isFull { Self.expectSame(some.takeBatches(), slowSome.takeBatches()) }
        }
        Self.expectSame(quick.takeBatches(), slow.takeBatches())
        Self.expectSame(some.takeBatches(), slowSome.takeBatches())
        #expect(json.numbering > 0)
    }
}
