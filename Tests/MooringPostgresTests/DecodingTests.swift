import MooringModel
import Testing

@testable import MooringPostgres

struct DecodingTests {
    private func value(_ form: ValueForm, _ bytes: [UInt8]) throws -> FieldValue {
        try bytes.withUnsafeBytes { bytes in try form.value(bytes) }
    }

    private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// A list in the server's form: dimensions as count and first index, then the elements.
    private func list(_ dimensions: [(Int32, Int32)], _ elements: [String?]) -> [UInt8] {
        big(Int32(dimensions.count)) + big(Int32(1)) + big(Int32(25))
            + dimensions.flatMap { big($0.0) + big($0.1) }
            + elements.flatMap { element in
                element.map { big(Int32($0.utf8.count)) + Array($0.utf8) } ?? big(Int32(-1))
            }
    }

    @Test("Numbers, identifiers and truth values")
    func scalars() throws {
        #expect(try value(.integer, big(Int16(-2))) == .integer(-2))
        #expect(try value(.integer, big(Int32.min)) == .integer(Int64(Int32.min)))
        #expect(try value(.integer, big(Int64.max)) == .integer(.max))
        #expect(try value(.number, big(UInt32.max)) == .integer(4_294_967_295))
        #expect(try value(.real, big((1.5).bitPattern)) == .real(1.5))
        #expect(try value(.real, big(Float(0.1).bitPattern)) == .real(Double(Float(0.1))))
        #expect(try value(.bool, [1]) == .json("true"))
        #expect(try value(.bool, [0]) == .json("false"))
        #expect(
            try value(.uuid, Array(0..<16)) == .text("00010203-0405-0607-0809-0a0b0c0d0e0f"))
        #expect(try value(.blob, [0, 255]) == .blob([0, 255]))
        #expect(try value(.text, [0xFF]) == .text([0xFF]))
        for form in [ValueForm.integer, .real, .bool, .uuid, .timestamp, .date, .jsonb] {
            #expect(throws: PostgresFailure.self) { try value(form, [2, 2, 3]) }
        }
    }

    @Test(
        "Moments are ISO 8601 with the decimals they need",
        arguments: [
            (0, "2000-01-01T00:00:00Z"), (123_456, "2000-01-01T00:00:00.123456Z"),
            (120_000, "2000-01-01T00:00:00.120Z"), (-1, "1999-12-31T23:59:59.999999Z"),
            (951_782_400_000_000 - 946_684_800_000_000, "2000-02-29T00:00:00Z"),
            (Int64.max, "infinity"), (Int64.min, "-infinity"),
            (-63_113_904_000_000_000, "0001-01-01T00:00:00Z BC"),
        ] as [(Int64, String)])
    func moments(microseconds: Int64, text: String) throws {
        #expect(try value(.timestamp, big(microseconds)) == .text(text))
        if let instant = Instant(iso8601: text) {
            #expect(instant.nanoseconds == (microseconds + 946_684_800_000_000) * 1_000)
            #expect(instant.iso8601 == text)
        }
    }

    @Test("Days")
    func days() throws {
        #expect(try value(.date, big(Int32(0))) == .text("2000-01-01"))
        #expect(try value(.date, big(Int32(9_822))) == .text("2026-11-22"))
        #expect(try value(.date, big(Int32.max)) == .text("infinity"))
    }

    @Test("JSONB loses the server's blanks, and none inside its strings")
    func jsonb() throws {
        let text = "{\"a b\": [1, \"x, \\\"y: \\\\\"], \"c\": null}"
        #expect(
            try value(.jsonb, [1] + Array(text.utf8))
                == .json("{\"a b\":[1,\"x, \\\"y: \\\\\"],\"c\":null}"))
        #expect(try value(.json, Array("[ 1 ]".utf8)) == .json("[ 1 ]"))
    }

    @Test("Lists become JSON, with NULLs, quotes and further dimensions in them")
    func lists() throws {
        let form = ValueForm.array(.text)
        #expect(try value(form, list([], [])) == .json("[]"))
        #expect(
            try value(form, list([(4, 1)], ["a", nil, "b\"\\\n\u{1}", "null"]))
                == .json("[\"a\",null,\"b\\\"\\\\\\n\\u0001\",\"null\"]"))
        #expect(
            try value(form, list([(2, 1), (2, 1)], ["a", "b", "c", nil]))
                == .json("[[\"a\",\"b\"],[\"c\",null]]"))
        let damaged = list([(3, 1)], ["a"])
        #expect(throws: PostgresFailure.self) { try value(form, damaged) }
        #expect(throws: PostgresFailure.self) { try value(form, [0, 0, 0, 9]) }
    }

    @Test("Only a list that its JSON tells wholly is written back")
    func restorable() throws {
        func isRestorable(_ form: ValueForm, _ bytes: [UInt8]) throws -> Bool {
            try bytes.withUnsafeBytes { bytes in try form.isRestorable(bytes) }
        }
        let form = ValueForm.array(.text)
        #expect(try isRestorable(form, list([], [])))
        #expect(try isRestorable(form, list([(2, 1)], ["a", nil])))
        #expect(try !isRestorable(form, list([(2, 0)], ["a", nil])))
        #expect(try !isRestorable(form, list([(1, 1), (1, 1)], ["a"])))
        #expect(try isRestorable(form, list([(1, 1)], ["null"])))
        #expect(try !isRestorable(.array(.json), list([(1, 1)], [" null"])))
        #expect(try isRestorable(.array(.json), list([(1, 1)], ["\"null\""])))
    }

    @Test("A JSON list as the server's literal")
    func literals() {
        func literal(_ text: String, _ form: ValueForm = .text) -> String? {
            JSONText.arrayLiteral(Array(text.utf8), of: form)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(literal("[]") == "{}")
        #expect(
            literal("[\"a\", null, \"b\\\"\\\\,{}\", 1]")
                == "{\"a\",NULL,\"b\\\"\\\\,{}\",\"1\"}")
        #expect(literal("[{\"a\": \"b\"}]", .jsonb) == "{\"{\\\"a\\\": \\\"b\\\"}\"}")
        #expect(literal("[\"x\"]", .json) == "{\"\\\"x\\\"\"}")
        #expect(literal("[[1]]") == nil)
        #expect(literal("{}") == nil)
        #expect(literal("no list") == nil)
    }

    @Test("A copy's head, rows and end, however they are cut into messages")
    func copies() throws {
        let head = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        let row = big(Int16(2)) + big(Int32(1)) + [65] + big(Int32(-1))
        let end = big(Int16(-1))
        func rows(_ messages: [[UInt8]]) throws -> [[FieldValue]] {
            var reader = CopyReader(table: "t", columns: ["a", "b"], forms: [.text, .text])
            var rows = RowSlab(width: 2)
            for message in messages {
                try message.withUnsafeBytes { bytes in try reader.read(bytes, &rows) }
            }
            return (0..<rows.count).map(rows.row)
        }
        let one: [FieldValue] = [.text([65]), .null]
        #expect(try rows([head + row, row, end]) == [one, one])
        #expect(try rows([head, row + row + end]) == [one, one])
        #expect(try rows([head + end]).isEmpty)
        for broken in [[row], [head + row.dropLast()], [head + big(Int16(3))], [head + [0]]] {
            #expect(throws: PostgresFailure.self) { try rows(broken) }
        }
    }
}
