import Testing

@testable import MooringFiles

@Suite("Tables that somebody edited")
struct EditedTableTests {
    private static let plain = "decision,key,seen\napprove,a,1\n,b,2\nkeep,c,3\n"

    private func read(_ bytes: [UInt8]) throws -> [[String?]] {
        let sandbox = try Sandbox()
        try sandbox.write(Array("table.csv".utf8), bytes)
        let table = EditedTable(
            path: sandbox.path + "/table.csv", needed: ["decision", "seen"])
        var rows: [[String?]] = []
        try table.read { row in
            rows.append(
                [String(row.line)]
                    + ["decision", "key", "seen"].map { column in
                        row.cell(column).map { String(decoding: $0, as: UTF8.self) }
                    })
        }
        return rows
    }

    private func read(_ text: String) throws -> [[String?]] { try read(Array(text.utf8)) }

    private func refusal(_ bytes: [UInt8]) -> EditedTable.Fault? {
        do {
            _ = try read(bytes)
            return nil
        } catch {
            return error as? EditedTable.Fault
        }
    }

    private func refusal(_ text: String) -> EditedTable.Fault? { refusal(Array(text.utf8)) }

    private let expected: [[String?]] = [
        ["2", "approve", "a", "1"], ["3", "", "b", "2"], ["4", "keep", "c", "3"],
    ]

    @Test(
        "What spreadsheets and editors make of it is the same table",
        arguments: [
            plain, "\u{FEFF}" + plain, plain.replacing("\n", with: "\r\n"),
            plain.replacing(",", with: ";"), plain.replacing(",", with: "\t"),
            "\u{FEFF}" + plain.replacing(",", with: ";").replacing("\n", with: "\r\n"),
            String(plain.dropLast()),
            "\"decision\",\"key\",\"seen\"\n\"approve\",\"a\",\"1\"\n\"\",\"b\",\"2\"\n"
                + "\"keep\",\"c\",\"3\"\n",
            "seen,note,decision,key\n1,,approve,a\n2,x y,,b\n3,\"a, b\",keep,c\n",
            "seen;note;decision;key\n1;;approve;a\n2;a, b;;b\n3;\"a; b\";keep;c\n",
            plain + ",,\n\n,,,,\n", plain.replacing("a,1", with: "a,1,,,"),
        ])
    func forms(text: String) throws {
        #expect(try read(text) == expected)
    }

    @Test("Cells left out at the end of a row are empty, and a column that is gone is none")
    func short() throws {
        #expect(
            try read("seen,decision,key\n1\n2,keep\n") == [
                ["2", "", "", "1"], ["3", "keep", "", "2"],
            ])
        #expect(try read("seen,decision\n1,keep\n") == [["2", "keep", nil, "1"]])
    }

    @Test("Cells keep their bytes, line breaks and quotes")
    func bytes() throws {
        let text = "decision,key,seen\n,\"a\n\"\"b\"\"\",1\n,c,2\n"
        #expect(try read(text) == [["2", "", "a\n\"b\"", "1"], ["4", "", "c", "2"]])
        var rows: [[UInt8]] = []
        let sandbox = try Sandbox()
        try sandbox.write(
            Array("t".utf8),
            Array("decision,key,seen\nx,".utf8) + [0xFF, 0, 0xE9] + Array(",1\n".utf8))
        try EditedTable(path: sandbox.path + "/t", needed: ["seen"]).read {
            rows.append($0.cell("key") ?? [])
        }
        #expect(rows == [[0xFF, 0, 0xE9]])
    }

    @Test(
        "What cannot be understood is refused with its line, and without a word of its cells",
        arguments: [
            ("", 1, "lacks the column 'decision'"), ("\n\n", 1, "lacks the column 'decision'"),
            ("decision,key\nSECRET,a\n", 1, "lacks the column 'seen'"),
            ("SECRET\n", 1, "lacks the column"), ("decision|seen\nSECRET|1\n", 1, "lacks"),
            ("decision,seen,seen\nSECRET,1,1\n", 1, "names a column twice"),
            ("decision,seen\nSECRET,1,extra\n", 2, "has 3 cells, and the header has 2"),
            ("decision,seen\nx,1\n\"SECRET,1\nkeep,2\n", 3, "never closed"),
            ("decision,seen\nSEC\"RET,1\n", 2, "quote stands in an unquoted field"),
            ("decision,seen\n\"SECRET\"x,1\n", 2, "text follows a closing quote"),
            ("decision,seen\rSECRET,1\r", 1, "carriage returns alone"),
            ("decision,seen\nx\rSECRET,1\n", 2, "carriage return stands outside quotes"),
            ("decision,s\0een\nSECRET,1\n", 1, "is no UTF-8"),
        ])
    func refused(text: String, line: Int, words: String) throws {
        let fault = try #require(refusal(text))
        #expect(fault.line == line && fault.reason.contains(words), "\(fault)")
        #expect(!fault.reason.contains("SECRET"))
    }

    @Test("UTF-16 is told, in either order")
    func wide() throws {
        let units = Array("decision,seen\n".utf16)
        for bytes in [
            units.reduce(into: [UInt8]([0xFF, 0xFE])) { $0 += [UInt8($1), 0] },
            units.reduce(into: [UInt8]([0xFE, 0xFF])) { $0 += [0, UInt8($1)] },
        ] {
            #expect(try #require(refusal(bytes)).reason.contains("UTF-8"))
        }
    }

    @Test("A cell of ten megabytes, a header without end and a file that is none are refused")
    func huge() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
        let fault = try #require(refusal(Array("decision,seen\nkeep,".utf8) + long))
        #expect(fault.line == 2 && fault.reason.contains("1 MiB"), "\(fault)")
        #expect(refusal(long) != nil)
        #expect(refusal([UInt8](repeating: UInt8(ascii: ","), count: 10 << 20)) != nil)
        let sandbox = try Sandbox()
        for path in [sandbox.path, sandbox.path + "/none"] {
            #expect(throws: EditedTable.Fault.self) {
                try EditedTable(path: path, needed: ["seen"]).read { _ in }
            }
        }
    }
}
