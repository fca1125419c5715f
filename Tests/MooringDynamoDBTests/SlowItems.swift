import MooringModel
import MooringText

@testable import MooringDynamoDB

// Items gathered the slow way, each attribute as a value of its own: what the quick way has to
// give to the last byte.

/// The slow way of `ChosenItems`.
struct SlowChosenItems: ItemGathering {
    private let wanted: [TableColumns]
    private let names: [[UInt8]]
    private let picks: [[Int]]
    private let isPrefix: [Bool]
    // Where the marks of conflict detection are among the names.
    private let marks: [Int]
    // What was seen of names, and which column each is; -1 is one that nobody asked for.
    private var seen = NameTable()
    private var columns: [Int] = []
    private var row: [FieldValue]
    private var rows: [[[FieldValue]]]
    private var weight = 0
    private var full: [RecordBatch] = []
    private(set) var sawVersions = false

    /// A gathering of these columns, of which all are one table's.
    init(_ wanted: [TableColumns]) {
        self.wanted = wanted
        let all = Self.columns(wanted)
        names = all.map { Array($0.utf8) }
        let places = Dictionary(
            all.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        picks = wanted.map { $0.columns.compactMap { places[$0] } }
        isPrefix = picks.map { $0.elementsEqual(0..<$0.count) }
        marks = VersionMarks.names.compactMap { places[$0] }
        row = []
        rows = wanted.map { _ in [] }
    }

    /// The attributes to ask the service for, each once: the columns, and the marks of conflict
    /// detection.
    static func columns(_ wanted: [TableColumns]) -> [String] {
        var seen: Set<String> = []
        return (wanted.flatMap(\.columns) + VersionMarks.names).filter { seen.insert($0).inserted }
    }

    mutating func add(_ cursor: inout JSONCursor) throws(ItemFault) {
        row = [FieldValue](repeating: .absent, count: names.count)
        try cursor.expect("{")
        var next = 0
        if !cursor.take("}") {
            repeat {
                let place = try self.place(of: &cursor, &next)
                if place < 0 {
                    try cursor.value()
                    continue
                }
                guard case .absent = row[place] else {
                    throw cursor.fault("holds an attribute twice")
                }
                let value = try AttributeReader.value(&cursor)
                weight += value.weight
                row[place] = value
            } while cursor.take(",")
            try cursor.expect("}")
        }
        keep()
    }

    private mutating func keep() {
        if !sawVersions, let first = marks.first, row[first] != .absent {
            sawVersions = VersionMarks.areSet(marks.map { row[$0] })
        }
        weight += 16 * row.count
        if picks.count == 1, isPrefix[0] {
            // The row itself is handed on, since nobody else wants anything of it.
            var own: [FieldValue] = []
            swap(&own, &row)
            own.removeLast(own.count - picks[0].count)
            rows[0].append(own)
        } else {
            for (index, pick) in picks.enumerated() { rows[index].append(pick.map { row[$0] }) }
        }
        if rows.first?.count ?? 0 >= BatchLimit.rows || weight >= BatchLimit.weight { close() }
    }

    private mutating func close() {
        for (index, columns) in wanted.enumerated() where !rows[index].isEmpty {
            full.append(
                RecordBatch(table: columns.table, columns: columns.columns, rows: rows[index]))
            rows[index] = []
        }
        weight = 0
    }

    mutating func takeBatches(end: Bool) -> [RecordBatch] {
        if end { close() }
        defer { full = [] }
        return full
    }

    // Which column the next name is; `next` is the place of the one that mostly comes.
    private mutating func place(
        of cursor: inout JSONCursor, _ next: inout Int
    ) throws(ItemFault) -> Int {
        // An item may hold any names; there is no end to those of many.
        if seen.count > Self.mostNames { (seen, columns) = (NameTable(), []) }
        let place = try seen.place(of: &cursor, hint: next)
        next = place + 1
        if place == columns.count {
            columns.append(names.firstIndex(of: seen.names[place]) ?? -1)
        }
        return columns[place]
    }

    private static let mostNames = 10_000
}

/// The slow way of `WholeItems`.
struct SlowWholeItems: ItemGathering {
    private let table: String
    private var names = NameTable()
    private var rows: [[FieldValue]] = []
    private var weight = 0
    private var full: [RecordBatch] = []
    private(set) var sawVersions = false

    // Where the marks of conflict detection are among so many names.
    private var marks: (among: Int, places: [Int?]) = (-1, [])

    /// A gathering under one table's name.
    init(table: String) {
        self.table = table
    }

    mutating func add(_ cursor: inout JSONCursor) throws(ItemFault) {
        let before = (names: names.count, weight: weight)
        var row = [FieldValue](repeating: .absent, count: names.count)
        try cursor.expect("{")
        var next = 0
        if !cursor.take("}") {
            repeat {
                let place = try names.place(of: &cursor, hint: next)
                next = place + 1
                while place >= row.count { row.append(.absent) }
                guard case .absent = row[place] else {
                    throw cursor.fault("holds an attribute twice")
                }
                let value = try AttributeReader.value(&cursor)
                weight += value.weight
                row[place] = value
            } while cursor.take(",")
            try cursor.expect("}")
        }
        if !sawVersions {
            if marks.among != names.count {
                marks = (
                    names.count, VersionMarks.names.map { names.place(of: Array($0.utf8)) }
                )
            }
            if let version = marks.places[0], version < row.count {
                sawVersions = VersionMarks.areSet(
                    marks.places.map { place in
                        place.flatMap { $0 < row.count ? row[$0] : nil } ?? .absent
                    })
            }
        }
        // A row of many attributes would make all those before it as wide.
        if names.count > before.names, isFull(rows.count + 1) {
            let own = (names: names, weight: weight - before.weight)
            close(before.names)
            (names, weight) = own
        }
        rows.append(row)
        if rows.count >= BatchLimit.rows || isFull(rows.count) { close(names.count) }
    }

    // What absent attributes will take counts, too.
    private func isFull(_ count: Int) -> Bool {
        weight + count * names.count * 16 >= BatchLimit.weight
    }

    // The first names are those that the rows have.
    private mutating func close(_ count: Int) {
        defer { (names, marks, rows, weight) = (NameTable(), (-1, []), [], 0) }
        guard !rows.isEmpty else { return }
        full.append(
            RecordBatch(
                table: table,
                columns: names.names.prefix(count).map { String(decoding: $0, as: UTF8.self) },
                rows: rows.map { row in
                    row.count == count
                        ? row : row + [FieldValue](repeating: .absent, count: count - row.count)
                }))
    }

    mutating func takeBatches(end: Bool) -> [RecordBatch] {
        if end || rows.isEmpty { close(names.count) }
        defer { full = [] }
        return full
    }
}

extension FieldValue {
    /// About how many bytes the value takes.
    fileprivate var weight: Int {
        switch self {
        case .text(let bytes), .blob(let bytes), .json(let bytes), .attribute(let bytes):
            48 + bytes.count
        default: 16
        }
    }
}
