/// A table that this program wrote as CSV and that somebody edited since, by hand or in a
/// spreadsheet: whatever order its rows and columns have by now, with a byte order mark or without
/// one, with commas, semicolons or tabs.
///
/// What cannot be understood for certain is refused with its line. Nothing of a cell stands in any
/// error.
package struct EditedTable {
    /// Why the table is not read.
    package struct Fault: Error, Hashable, Sendable {
        /// The line, from 1; nil where the whole file is meant.
        package let line: Int?
        /// What was found, and what to do.
        package let reason: String

        /// A fault on a line.
        package init(line: Int?, reason: String) {
            self.line = line
            self.reason = reason
        }
    }

    /// One row below the header; rows without any text are left out.
    package struct Row {
        /// The line on which it begins, from 1.
        package let line: Int
        fileprivate let columns: [String: Int]
        fileprivate let cells: [[UInt8]]

        /// A cell's bytes; nil where the header has no such column. Spreadsheets leave out empty
        /// cells at the end of a row.
        package func cell(_ column: String) -> [UInt8]? {
            columns[column].map { $0 < cells.count ? cells[$0] : [] }
        }
    }

    private let path: String
    private let needed: [String]

    /// The longest row that is read for certain, in bytes; spreadsheets hold 32,767 characters in a
    /// cell.
    private static let rowLimit = 1 << 20
    private static let pieceSize = 64 << 10

    /// The file at a path, whose header has to name these columns.
    package init(path: String, needed: [String]) {
        self.path = path
        self.needed = needed
    }

    /// Hands over every row; throws a `Fault`, or what `take` throws.
    package func read(_ take: (Row) throws -> Void) throws {
        let buffer: TextBuffer
        do {
            let source = try ByteSource(path: path, pieceSize: Self.pieceSize)
            buffer = TextBuffer(source, lengthLimit: Self.rowLimit)
        } catch {
            throw Fault(line: nil, reason: error.reason)
        }
        let reader = CSVReader(buffer, separator: try separator(of: buffer))
        var header: (columns: [String: Int], count: Int)?
        while true {
            var cells: [[UInt8]] = []
            let step = reader.next { row in cells = row.fields.map { row.bytes($0) } }
            switch step {
            case .end: return
            case .problem(let line, let reason): throw Fault(line: line, reason: reason)
            case .row(let line):
                guard let (columns, count) = header else {
                    header = (try Self.columns(cells, line), cells.count)
                    continue
                }
                if cells.allSatisfy(\.isEmpty) { continue }
                guard cells.dropFirst(count).allSatisfy(\.isEmpty) else {
                    throw Fault(
                        line: line,
                        reason: "has \(cells.count) cells, and the header has \(count): put text "
                            + "that holds a separator between quotes")
                }
                try take(Row(line: line, columns: columns, cells: cells))
            }
        }
    }

    private static func columns(_ names: [[UInt8]], _ line: Int) throws(Fault) -> [String: Int] {
        var columns: [String: Int] = [:]
        for (place, name) in names.enumerated() where !name.isEmpty {
            // What is no UTF-8 is the name of no column that anybody asks for.
            let text = String(decoding: name, as: UTF8.self)
            guard columns.updateValue(place, forKey: text) == nil else {
                throw Fault(line: line, reason: "the header names a column twice")
            }
        }
        return columns
    }

    // The header tells which of them it is, since its names hold none.
    private func separator(of buffer: TextBuffer) throws(Fault) -> UInt8 {
        let feed = UInt8(ascii: "\n")
        while !buffer.bytes[buffer.start...].prefix(Self.pieceSize).contains(feed),
            buffer.bytes.count - buffer.start < Self.pieceSize, buffer.refill()
        {}
        if let failure = buffer.failure { throw Fault(line: 1, reason: failure.reason) }
        var line = buffer.bytes[buffer.start...].prefix(Self.pieceSize).prefix { $0 != feed }
        if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) || line.contains(0) {
            throw Fault(line: 1, reason: "is no UTF-8; save it as CSV in UTF-8")
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.contains(UInt8(ascii: "\r")) {
            throw Fault(
                line: 1,
                reason: "lines end with carriage returns alone; save it with line feeds (Windows "
                    + "or Unix)")
        }
        let separators = Array(",;\t".utf8)
        let missing = separators.map { separator in
            let names = line.split(separator: separator, omittingEmptySubsequences: false)
                .map { $0.filter { $0 != UInt8(ascii: "\"") } }
            return needed.filter { name in
                !names.contains { $0.elementsEqual(name.utf8) }
            }
        }
        let fewest = missing.min { $0.count < $1.count } ?? []
        if let place = missing.firstIndex(where: \.isEmpty) { return separators[place] }
        throw Fault(
            line: 1,
            reason: "the header lacks the column '\(fewest.first ?? "")' (separators are commas, "
                + "semicolons or tabs)")
    }
}
