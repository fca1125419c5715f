import Glibc
import MooringModel
import StoreConformance
import SeededNumbers
import Testing

@testable import MooringFiles

struct RecordFileTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func csv(_ content: [UInt8], tables: [String] = ["Song"]) throws -> CSVSource {
        try sandbox.write(Array("r.csv".utf8), content)
        return CSVSource(name: "app", file: sandbox.path + "/r.csv", tables: tables)
    }

    private func csv(_ content: String) throws -> CSVSource { try csv(Array(content.utf8)) }

    private func json(_ content: String) throws -> JSONLinesSource {
        let path = try sandbox.write("r.jsonl", content)
        return JSONLinesSource(name: "app", file: path, tables: ["Song", "Album"])
    }

    private func scan(
        _ source: any RecordSource, _ scope: RecordScope
    ) async throws -> (batches: [RecordBatch], result: ScanResult) {
        var batches: [RecordBatch] = []
        let result = try await source.scan(scope) { batches.append($0) }
        #expect(
            batches.allSatisfy { batch in batch.rows.allSatisfy { $0.count == batch.columns.count }
            })
        #expect(batches.allSatisfy { (1...4_000).contains($0.rows.count) })
        return (batches, result)
    }

    @Test("a file that was replaced or written again tells another state, and else the same")
    func states() async throws {
        let source = try csv("id,key\n1,a\n")
        let first = try await scan(source, .all(unread: [])).result.state
        #expect(first != nil)
        #expect(try await scan(source, .all(unread: [])).result.state == first)
        // Of the same length, by another name first, as programs replace files.
        try sandbox.write(Array("new.csv".utf8), Array("id,key\n1,b\n".utf8))
        #expect(rename(sandbox.path + "/new.csv", sandbox.path + "/r.csv") == 0)
        let replaced = try await scan(source, .all(unread: [])).result.state
        #expect(replaced != nil && replaced != first)
        _ = try csv("id,key\n1,b\n2,c\n")
        #expect(try await scan(source, .all(unread: [])).result.state != replaced)
    }

    @Test("a line that is no object is told")
    func noRows() async throws {
        let objects = try await scan(try json("[1]\n{\"a\": 1}\n"), .all(unread: []))
        #expect(objects.result.problems.map(\.line) == [1])
        #expect(objects.result.problems.first?.reason.contains("is no JSON object") == true)
    }

    private static func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }

    @Test("CSV: an empty field is NULL, an empty quoted one an empty text, all else text")
    func csvValues() async throws {
        let source = try csv(
            Array("\u{feff}id,key,n\r\n1,,\"\"\r\n\"a\r\nb\",\"say \"\"hi\"\"\",007\r\n".utf8)
                + [0xff, 0x00, 0x2c, 0x2c] + Array("x".utf8))
        let (batches, result) = try await scan(source, .everything)
        #expect(result.isComplete && result.consistency == "snapshot")
        #expect(batches.count == 1 && batches[0].table == "Song")
        #expect(batches[0].columns == ["id", "key", "n"])
        #expect(
            batches[0].rows == [
                [Self.text("1"), .null, Self.text("")],
                [Self.text("a\r\nb"), Self.text("say \"hi\""), Self.text("007")],
                [.text([0xff, 0]), .null, Self.text("x")],
            ])
    }

    @Test("CSV: every table that is asked for gets the columns it asks for")
    func csvTables() async throws {
        let source = try csv("id,key,other\n1,k,o\n2,l,p\n")
        let (batches, result) = try await scan(
            source,
            .columns([
                TableColumns(table: "Song", columns: ["key", "id"]),
                TableColumns(table: "Album", columns: ["other"]),
            ]))
        #expect(result.isComplete)
        #expect(batches.map(\.table) == ["Song", "Album"])
        #expect(
            batches[0].rows == [
                [Self.text("k"), Self.text("1")], [Self.text("l"), Self.text("2")],
            ])
        #expect(batches[1].rows == [[Self.text("o")], [Self.text("p")]])
    }

    @Test("CSV: a column that is missing is one problem, and the others are read")
    func csvMissingColumn() async throws {
        let source = try csv("id,key\n1,k\n")
        let (batches, result) = try await scan(
            source, .columns([TableColumns(table: "Song", columns: ["id", "Key"])]))
        #expect(result.problems.map(\.reason) == ["the header names no column \"Key\""])
        #expect(batches.first?.rows == [[Self.text("1"), .absent]])
    }

    @Test("CSV: a cut or malformed row is a problem with its line")
    func csvFaults() async throws {
        let cut = "the row is malformed or cut off"
        for (content, line, reason) in [
            ("id,key\n1,a\n2", 3, "has 1 fields, and the header has 2: \(cut)"),
            (
                "id,key\n1,a\n2,\"b", 3,
                "a quoted field is never closed: the file is cut off, or a quote is missing"
            ), ("id,key\n1,a\n2,b\"c\n", 3, "a quote stands in an unquoted field"),
            ("id,key\n1,a\n2,\"b\"c\n", 3, "text follows a closing quote"),
            ("id,key\n1,a\n2\rx,b\n", 3, "a carriage return stands outside quotes"),
            ("id,id\n1,a\n", 1, "the header names a column twice"),
            ("", 1, "there is no header row"),
            ("id,key\n1,a\n\"2\n3\",b,c\n", 3, "has 3 fields, and the header has 2: \(cut)"),
        ] {
            let (batches, result) = try await scan(try csv(content), .everything)
            #expect(result.problems.map(\.line) == [line])
            #expect(result.problems.map(\.reason) == [reason])
            #expect(batches.flatMap(\.rows).count <= 1)
        }
    }

    @Test("CSV: a single column may be empty, which is NULL")
    func csvSingleColumn() async throws {
        let (batches, result) = try await scan(try csv("key\na\n\n\"\"\nb\n"), .everything)
        #expect(result.isComplete)
        #expect(
            batches.flatMap(\.rows) == [
                [Self.text("a")], [.null], [Self.text("")], [Self.text("b")],
            ])
    }

    @Test("JSON lines: every kind of value is kept as it is")
    func jsonValues() async throws {
        let source = try json(
            #"{"s":"a\u0000\"b","i":-12,"r":1.5e3,"t":true,"f":false,"n":null,"#
                + #""o":{"k" : ["x",{}]},"a":[ 1, "é" ],"big":12345678901234567890}"# + "\n")
        let names = ["s", "i", "r", "t", "f", "n", "o", "a", "big", "none"]
        let (batches, result) = try await scan(
            source, .columns([TableColumns(table: "Song", columns: names)]))
        #expect(result.isComplete)
        #expect(
            batches.first?.rows == [
                [
                    Self.text("a\0\"b"), .integer(-12), .real(1_500), Self.text("true"),
                    Self.text("false"), .null, .json(Array(#"{"k" : ["x",{}]}"#.utf8)),
                    .json(Array(#"[ 1, "é" ]"#.utf8)), .real(Double("12345678901234567890") ?? 0),
                    .absent,
                ]
            ])
    }

    @Test("JSON lines: a batch of everything has the attributes of all its rows")
    func jsonEverything() async throws {
        let source = try json("{\"id\":1,\"a\":2}\n{\"b\":3,\"id\":4}\n\n{}\n")
        let (batches, result) = try await scan(source, .everything)
        #expect(result.isComplete)
        #expect(batches.map(\.table) == ["Song"])
        #expect(batches.first?.columns == ["id", "a", "b"])
        #expect(
            batches.first?.rows == [
                [.integer(1), .integer(2), .absent], [.integer(4), .absent, .integer(3)],
                [.absent, .absent, .absent],
            ])
    }

    @Test("JSON lines: two tables are read from one file in bounded batches")
    func jsonTables() async throws {
        let lines = (0..<2_500).map { "{\"id\":\($0)}\n" }.joined()
        let (batches, result) = try await scan(
            try json(lines),
            .columns([
                TableColumns(table: "Song", columns: ["id"]),
                TableColumns(table: "Album", columns: ["id", "x"]),
            ]))
        #expect(result.isComplete)
        let songs = batches.filter { $0.table == "Song" }.flatMap(\.rows)
        let albums = batches.filter { $0.table == "Album" }.flatMap(\.rows)
        #expect(songs == (0..<2_500).map { [.integer($0)] })
        #expect(albums == (0..<2_500).map { [.integer($0), .absent] })
    }

    @Test(
        "JSON lines: a malformed line is a problem with its line, and the rest is read",
        arguments: [
            ("[1]", ""), (#"{"id":1,"id":2}"#, "has an attribute twice"),
            (#"{"id":"\ud800"}"#, "holds half a surrogate pair, which stands for no character"),
            (#"{"id":{"x":"\ud800"}}"#, ""),
            (#"{"id":"\x"}"#, "holds an unknown escape in a string"),
            ("{\"id\":\"a\tb\"}", "holds a bare control character"),
            (#"{"id":1e999}"#, "holds a number too large to be kept"), (#"{"id":tru}"#, ""),
            (#"{"id":[1,]}"#, ""), (#"{"id":1"#, ""), (#"{"id":"#, ""), (#"{"id":.5}"#, ""),
            (#"{"id":01}"#, "holds a number with a leading zero"),
            (#"{"id":1.}"#, "holds a number without decimals"),
            (#"{"id":1e}"#, "holds a number without exponent"),
            (#"{"id":1} 2"#, "goes on after its end"), (#"{"id":+1}"#, ""), (#"{"id":NaN}"#, ""),
            (#"{'id':1}"#, ""), (#"{"id":1,}"#, ""), ("\u{1}", ""),
            (
                "{\"id\":" + String(repeating: "[", count: 600)
                    + String(repeating: "]", count: 600) + "}", "is nested deeper than 512 levels"
            ),
        ])
    func jsonFaults(line: String, reason: String) async throws {
        let source = try json("{\"id\":1}\n" + line + "\n{\"id\":3}\n")
        for scope in [
            RecordScope.everything, .columns([TableColumns(table: "Song", columns: ["id"])]),
        ] {
            let (batches, result) = try await scan(source, scope)
            #expect(result.problems.map(\.line) == [2])
            let told = result.problems.first?.reason ?? ""
            #expect(told.contains(reason) || reason.isEmpty, "\(told)")
            #expect(batches.flatMap(\.rows).map { $0.first } == [.integer(1), .integer(3)])
        }
    }

    @Test("JSON lines: invalid UTF-8 is kept as it is, and 500 levels are read")
    func jsonEdges() async throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        try sandbox.write(
            Array("r.jsonl".utf8),
            Array("{\"id\":\"".utf8) + [0xff, 0xc3] + Array("\",\"deep\":\(deep)}".utf8))
        let source = JSONLinesSource(name: "app", file: sandbox.path + "/r.jsonl", tables: [])
        let (batches, result) = try await scan(source, .everything)
        #expect(result.isComplete)
        #expect(batches.first?.table == "app")
        #expect(batches.first?.rows == [[.text([0xff, 0xc3]), .json(Array(deep.utf8))]])
    }

    @Test("gzip is read and a cut in it noticed, in both kinds of file")
    func gzipFiles() async throws {
        let rows = (0..<3_000).map { "{\"id\":\($0)}\n" }.joined()
        let whole = try gzip(Array(rows.utf8))
        let path = sandbox.path + "/r.jsonl.gz"
        try sandbox.write(Array("r.jsonl.gz".utf8), whole)
        let source = JSONLinesSource(name: "app", file: path, tables: ["Song"])
        let first = try await scan(source, .everything)
        #expect(first.result.isComplete)
        #expect(first.batches.flatMap(\.rows) == (0..<3_000).map { [.integer($0)] })
        try sandbox.write(Array("r.jsonl.gz".utf8), Array(whole[..<(whole.count - 3)]))
        #expect(try await scan(source, .everything).result.isComplete == false)
        let table = try csv(Array(try gzip(Array("id\n1\n".utf8)).dropLast()))
        #expect(try await scan(table, .everything).result.isComplete == false)
    }

    @Test("Rows of any form come back as they were written, wherever pieces of the file end")
    func roundTrip() async throws {
        let seed = Seed.one()
        var random = SplitMix(state: seed)
        var content = Array("a,b,c\n".utf8)
        var expected: [[FieldValue]] = []
        let alphabet: [UInt8] = [0, 10, 13, 34, 44, 65, 0xc3, 0xff]
        while content.count < 600_000 {
            var row: [FieldValue] = []
            for column in 0..<3 {
                let length = Int.random(
                    in: 0..<(random.next() % 50 == 0 ? 9_000 : 12), using: &random)
                let bytes = (0..<length).map { _ in alphabet[Int(random.next() % 8)] }
                content += [34] + bytes.flatMap { $0 == 34 ? [34, 34] : [$0] } + [34]
                content += column < 2 ? [44] : random.next() % 2 == 0 ? [13, 10] : [10]
                row.append(.text(bytes))
            }
            expected.append(row)
        }
        let (batches, result) = try await scan(try csv(content), .everything)
        #expect(result.isComplete, "seed \(seed)")
        #expect(batches.flatMap(\.rows) == expected, "seed \(seed)")
        let packed = try await scan(try csv(try gzip(content)), .everything)
        #expect(packed.batches.flatMap(\.rows) == expected, "seed \(seed)")
    }

    @Test("Columns in any order, few or many of a row, quoted or not, are what stands in them")
    func anyColumns() async throws {
        var random = SeededGenerator("columns of rows")
        for _ in 0..<60 {
            let width = random.number(1...6)
            let names = (0..<width).map { "c\($0)" }
            let asked = (0..<random.number(1...5)).map { _ in random.number(0...width) }
            var content = Array((names.joined(separator: ",") + "\n").utf8)
            var expected: [[FieldValue]] = []
            for _ in 0..<random.number(1...30) {
                let row = (0..<width).map { _ in Self.field(&random) }
                content += row.map(\.written).joined(separator: [44]) + [10]
                expected.append(asked.map { $0 < width ? row[$0].read : .absent })
            }
            let (batches, result) = try await scan(
                try csv(content),
                .columns([TableColumns(table: "Song", columns: asked.map { "c\($0)" })]))
            #expect(result.isComplete == !asked.contains(width))
            #expect(batches.flatMap(\.rows) == expected)
        }
    }

    // A field as a file has it, and as it is read.
    private static func field(
        _ random: inout SeededGenerator
    ) -> (written: [UInt8], read: FieldValue) {
        let long = random.number(0...9) == 0 ? 300 : 12
        let alphabet: [UInt8] = [0, 9, 32, 43, 45, 59, 65, 0xc3, 0xff]
        let plain = (0..<random.number(0...long)).map { _ in random.one(of: alphabet) }
        switch random.number(0...3) {
        case 0: return (plain, plain.isEmpty ? .null : .text(plain))
        case 1: return ([34] + plain + [34], .text(plain))
        case 2: return ([34] + plain + [44, 10] + [34], .text(plain + [44, 10]))
        default: return ([34] + plain + [34, 34] + plain + [34], .text(plain + [34] + plain))
        }
    }

    @Test("A piece of the file may end anywhere in a row: in quotes, between CR and LF, at the end")
    func pieceEnds() async throws {
        let row = Array("\"a\"\"b\"\"\",\"\r\n\",c\r\n".utf8)
        let expected: [FieldValue] = [Self.text("a\"b\""), Self.text("\r\n"), Self.text("c")]
        for shift in 0...row.count {
            let padding = [UInt8](
                repeating: 120, count: (256 << 10) - shift - "a,b,c\n,,\n".utf8.count)
            let content = Array("a,b,c\n".utf8) + padding + Array(",,\n".utf8) + row + row
            let (batches, result) = try await scan(try csv(content), .everything)
            #expect(result.isComplete)
            #expect(
                batches.flatMap(\.rows) == [[.text(padding), .null, .null], expected, expected])
        }
        for shift in 0...2 {
            let padding = [UInt8](repeating: 120, count: (256 << 10) - 2 - shift)
            let column = Array("a\n".utf8) + padding + Array("\r\nx\r\n".utf8)
            let (batches, _) = try await scan(try csv(column), .everything)
            #expect(batches.flatMap(\.rows) == [[.text(padding)], [Self.text("x")]])
        }
    }

    @Test("A copy tells the same in both passes, whatever it holds, and never serves a repair")
    func refuses() async throws {
        let table = try csv(
            Array("id,key,n\r\n1,,\"\"\r\n\"a\r\nb\",\"say \"\"hi\"\"\",007\r\n".utf8)
                + [0xff, 0x00, 0x2c, 0x2c] + Array("x\r\ne\u{301},\u{e9},-0.0\r\n".utf8))
        try await table.isACopyThatServesNoAct("Song", ["id", "key", "n"])
        let error = await #expect(throws: StoreError.self) {
            _ = try await table.rows(
                table: "Song", idColumns: ["id"], id: RecordID("1"), columns: ["key"])
        }
        #expect(
            error?.reason == "a copy never serves a repair: it does not tell what is there now")
        #expect(error?.hint == "configure source app as its live database to repair it")
        let lines = try json(
            """
            {"id": "a", "n": 1, "x": null, "l": [1.0, "b", {"c": 1e2}]}
            {"n": -0.0, "id": "e\u{301}\\u0000", "t": true, "m": {"b": 1, "a": ""}}
            {"id": 3, "n": 12345678901234567890, "l": []}
            """)
        try await lines.isACopyThatServesNoAct("Song", ["id", "n", "x", "l", "t", "m"])
    }
}
