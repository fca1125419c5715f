import Foundation
import Testing

/// A table as a person's spreadsheet holds it, read and written by rules of its own: a test of the
/// program's tables shares no code with them.
struct ReviewTable {
    var columns: [String]
    var rows: [[String: String]]

    /// Reads RFC 4180, as the program writes it.
    init(_ text: String) throws {
        var lines = try Self.cells(text)
        columns = try #require(lines.isEmpty ? nil : lines.removeFirst())
        rows = []
        for line in lines {
            try #require(line.count == columns.count, "\(line)")
            rows.append(Dictionary(uniqueKeysWithValues: zip(columns, line)))
        }
    }

    /// How somebody's program writes it.
    struct Form {
        var separator = ","
        var lineEnd = "\n"
        var mark = ""
        var quotesAll = false
    }

    /// The table's text.
    func text(_ form: Form = Form()) -> String {
        let lines = [columns] + rows.map { row in columns.map { row[$0] ?? "" } }
        return form.mark
            + lines.map { line in
                line.map { cell in
                    let needsQuotes =
                        form.quotesAll
                        || cell.unicodeScalars.contains { "\"\r\n;,\t".unicodeScalars.contains($0) }
                    return needsQuotes
                        ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
                }.joined(separator: form.separator) + form.lineEnd
            }.joined()
    }

    /// Writes a decision into the rows that fit.
    mutating func decide(_ word: String, where fits: ([String: String]) -> Bool) {
        for place in rows.indices where fits(rows[place]) { rows[place]["decision"] = word }
    }

    private static func cells(_ text: String) throws -> [[String]] {
        var lines: [[String]] = []
        var line: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                cell.append("\"")
                rest.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted, "\n" where !isQuoted:
                line.append(String(cell))
                cell = .init()
                if scalar == "\n" {
                    lines.append(line)
                    line = []
                }
            case "\r" where !isQuoted: break
            default: cell.append(scalar)
            }
        }
        try #require(!isQuoted && line.isEmpty && cell.isEmpty)
        return lines
    }
}

extension App {
    /// The tables below a folder, by name.
    func tables(_ folder: String) throws -> [String: ReviewTable] {
        var tables: [String: ReviewTable] = [:]
        for (name, bytes) in files(below: folder) {
            let text = try #require(String(validating: bytes, as: UTF8.self))
            tables[String(decoding: name, as: UTF8.self)] = try ReviewTable(text)
        }
        return tables
    }

    /// Audits, asks by something, and gives the one table of a plan in one part.
    func ask(_ folder: String = "asked") throws -> (path: String, table: ReviewTable) {
        try expect(0, "audit")
        try expect(0, "plan", "--by", "model", "--review-to", folder)
        let tables = try tables(folder)
        try #require(tables.count == 1)
        let (name, table) = try #require(tables.first)
        return (folder + "/" + name, table)
    }
}
