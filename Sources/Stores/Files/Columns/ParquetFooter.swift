import MooringModel

/// The end of a Parquet file (github.com/apache/parquet-format, README.md and parquet.thrift).
enum ParquetFooter {
    private static let mark = Array("PAR1".utf8)

    /// Reads it. Throws `ReadFailure` where it is not there.
    static func read(_ file: FileEnd) throws(ReadFailure) -> ColumnFooter {
        guard file.size >= 12, try file.bytes(4, at: 0) == mark else {
            throw ReadFailure(reason: "is no Parquet file")
        }
        let end = try file.bytes(8, at: file.size - 8)
        guard end.suffix(4).elementsEqual(mark) else { throw FileEnd.damaged }
        let length = end.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var text = ThriftText(try file.bytes(length, at: file.size - 8 - length))
        // What follows tells of single columns in groups of rows.
        let all = try text.fields(upTo: 3)
        guard let elements = all[2]?.list, let rows = all[3]?.integer else { throw FileEnd.damaged }
        var columns: [(String, ColumnKind)] = []
        var place = 1
        while place < elements.count {
            guard let name = elements[place][4]?.text else { throw FileEnd.damaged }
            let children = try descendants(elements, of: place, depth: 0)
            columns.append((name, kind(elements[place...(place + children)])))
            place += children + 1
        }
        return try ColumnFooter(columns, rows: rows)
    }

    // How many elements below one stand behind it.
    private static func descendants(
        _ elements: [ThriftText.Value], of place: Int, depth: Int
    ) throws(ReadFailure) -> Int {
        guard place < elements.count, depth < 32 else { throw FileEnd.damaged }
        var all = 0
        for _ in 0..<max(0, elements[place][5]?.integer ?? 0) {
            all += 1 + (try descendants(elements, of: place + all + 1, depth: depth + 1))
        }
        return all
    }

    // A column, and what is below it.
    private static func kind(_ elements: ArraySlice<ThriftText.Value>) -> ColumnKind {
        guard let first = elements.first, first[3]?.integer != repeated else { return .other }
        guard elements.count > 1 else { return kind(of: first) }
        // In three levels, as the format wants lists to be.
        let rest = elements.dropFirst()
        guard elements.count == 3, first[6]?.integer == list || first[10]?[3] != nil,
            let group = rest.first, group[3]?.integer == repeated, let item = rest.last,
            item[3]?.integer != repeated, kind(of: item) == .text
        else { return .other }
        return .texts
    }

    // Numbers of parquet.thrift.
    private static let repeated: Int64 = 2
    private static let list: Int64 = 3

    private static func kind(of leaf: ThriftText.Value) -> ColumnKind {
        guard let type = leaf[1]?.integer else { return .other }
        let converted = leaf[6]?.integer
        let logical = leaf[10]
        switch type {
        case 0: return .truth
        case 3: return .moment
        case 4, 5: return logical == nil ? .scalar : .other
        case 6:
            // UTF8, ENUM and JSON are texts.
            let isText = converted.map { [0, 4, 19].contains($0) } ?? true
            return isText && logical?[5] == nil && logical?[13] == nil ? .text : .other
        case 1, 2: return number(converted, logical)
        default: return .other
        }
    }

    private static func number(_ converted: Int64?, _ logical: ThriftText.Value?) -> ColumnKind {
        // Milliseconds and microseconds, and no others.
        if let moment = logical?[8] {
            if moment[2]?[3] != nil { return .other }
            return moment[1]?.integer == 1 ? .moment : .clock
        }
        switch converted {
        case 9, 10: return .moment
        // Dates and decimal fractions.
        case 5, 6: return .scalar
        // Those of a sign, and without one.
        case 15, 16, 17, 18: return .integer
        case 11, 12, 13, 14: return .scalar
        case nil: break
        default: return .other
        }
        guard let logical else { return .integer }
        if logical[5] != nil || logical[6] != nil { return .scalar }
        return logical[10]?[2]?.integer == 1 ? .integer : .other
    }
}
