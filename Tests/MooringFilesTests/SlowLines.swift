import MooringModel
import MooringText

@testable import MooringFiles

// Lines of JSON gathered the slow way, each name and each value as bytes of its own: what the quick
// way has to give to the last byte.

/// Turns objects into rows of values.
protocol SlowGathering {
    /// Whether a batch is large enough.
    var isFull: Bool { get }
    /// Adds an object as a row.
    mutating func add(
        _ members: [SlowObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault)
    /// The batches gathered so far, which are forgotten.
    mutating func takeBatches() -> [RecordBatch]
}

/// The slow way of `JSONObjectReader`.
struct SlowObjectReader {
    /// A member of the object.
    struct Member {
        /// The name's bytes, unescaped.
        let name: [UInt8]
        /// What its value is.
        let kind: JSONCursor.Kind
        /// Where its value is, quotes or brackets included.
        let range: Range<Int>
    }

    /// The members of the object read last, in their order.
    private(set) var members: [Member] = []
    // The names of the objects before, by their place: rows of one table mostly agree.
    private var names: [[UInt8]] = []

    /// Reads the object that the bytes are, white space around it allowed.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) {
        members.removeAll(keepingCapacity: true)
        var cursor = JSONCursor(bytes, depthLimit: 512, checksEscapes: true)
        guard cursor.take("{") else { throw cursor.fault("is no JSON object") }
        if !cursor.take("}") {
            repeat { try readMember(&cursor) } while cursor.take(",")
            try cursor.expect("}")
        }
        try cursor.end()
        try refuseDuplicates()
    }

    private mutating func readMember(_ cursor: inout JSONCursor) throws(RowFault) {
        let (range, hasEscapes) = try cursor.string()
        let name = try name(in: cursor.bytes, range, hasEscapes: hasEscapes)
        try cursor.expect(":")
        _ = cursor.peek()
        let start = cursor.index
        let kind = try cursor.value(depth: 1)
        members.append(Member(name: name, kind: kind, range: start..<cursor.index))
    }

    private mutating func name(
        in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(RowFault) -> [UInt8] {
        let place = members.count
        if !hasEscapes, place < names.count, names[place].elementsEqual(bytes[range]) {
            return names[place]
        }
        let name = try JSONText.decode(bytes, range, hasEscapes: hasEscapes)
        if place < names.count { names[place] = name } else { names.append(name) }
        return name
    }

    private func refuseDuplicates() throws(RowFault) {
        let isDuplicate: Bool
        if members.count > 24 {
            isDuplicate = Set(members.map(\.name)).count < members.count
        } else {
            isDuplicate = members.indices.contains { index in
                members[..<index].contains { $0.name == members[index].name }
            }
        }
        if isDuplicate { throw RowFault(reason: "has an attribute twice") }
    }
}

/// The slow way of `ChosenAttributes`.
struct SlowChosenAttributes: SlowGathering {
    private var collector: SlowCollector
    private let columns: [[[UInt8]]]

    /// A gathering for these tables.
    init(_ wanted: [TableColumns]) {
        collector = SlowCollector(
            wanted.map { SlowCollector.Target(table: $0.table, columns: $0.columns) })
        columns = wanted.map { $0.columns.map { Array($0.utf8) } }
    }

    /// Whether a batch is large enough.
    var isFull: Bool { collector.isFull }

    /// Adds an object as a row of every table.
    mutating func add(
        _ members: [SlowObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) {
        var rows: [[FieldValue]] = []
        for names in columns {
            var row: [FieldValue] = []
            row.reserveCapacity(names.count)
            for name in names {
                let member = members.first { $0.name == name }
                row.append(
                    try member.map { (member) throws(RowFault) in
                        try member.value(bytes)
                    } ?? .absent)
            }
            rows.append(row)
        }
        for (place, row) in rows.enumerated() { collector.add(row, at: place) }
    }

    /// The batches gathered so far.
    mutating func takeBatches() -> [RecordBatch] { collector.takeBatches() }
}

/// The slow way of `AllAttributes`.
struct SlowAllAttributes: SlowGathering {
    private let table: String
    private var columns: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
    private var rows: [[FieldValue]] = []
    private var weight = 0

    private static let rowLimit = 1_000
    private static let weightLimit = 4 << 20

    /// A gathering under one table's name.
    init(table: String) {
        self.table = table
    }

    /// Whether the batch is large enough, counting what absent attributes will take.
    var isFull: Bool {
        rows.count >= Self.rowLimit || weight + rows.count * columns.count * 16 >= Self.weightLimit
    }

    /// Adds an object as a row.
    mutating func add(
        _ members: [SlowObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) {
        var values: [FieldValue] = []
        values.reserveCapacity(members.count)
        for member in members { values.append(try member.value(bytes)) }
        var row = [FieldValue](repeating: .absent, count: columns.count)
        for (index, member) in members.enumerated() {
            let place: Int
            if index < columns.count, columns[index] == member.name {
                place = index
            } else if let known = places[member.name] {
                place = known
            } else {
                place = columns.count
                columns.append(member.name)
                places[member.name] = place
                row.append(.absent)
            }
            row[place] = values[index]
            weight += values[index].weight
        }
        rows.append(row)
    }

    /// The batch gathered so far.
    mutating func takeBatches() -> [RecordBatch] {
        defer { self = SlowAllAttributes(table: table) }
        guard !rows.isEmpty else { return [] }
        let full = rows.map { row in
            row + [FieldValue](repeating: .absent, count: columns.count - row.count)
        }
        return [RecordBatch(table: table, columns: columns.map(\.label), rows: full)]
    }
}

extension SlowObjectReader.Member {
    /// The value as a store's field; a nested one as its own bytes.
    func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> FieldValue {
        switch kind {
        case .null: return .null
        case .boolean: return .text(Array(bytes[range]))
        case .nested: return .json(Array(bytes[range]))
        case .string(let hasEscapes):
            return .text(try JSONText.decode(bytes, range.inner, hasEscapes: hasEscapes))
        case .number(let isWhole):
            let text = String(decoding: bytes[range], as: UTF8.self)
            if isWhole, let number = Int64(text) { return .integer(number) }
            guard let number = Double(text), number.isFinite else {
                throw RowFault(reason: "holds a number too large to be kept")
            }
            return .real(number)
        }
    }
}

/// Rows of several tables as values of their own.
struct SlowCollector {
    /// A table's name as it was asked for, and the names of its columns.
    struct Target {
        /// The table's name.
        let table: String
        /// The columns, as rows hold them.
        let columns: [String]
    }

    /// The tables to deliver to.
    private let targets: [Target]
    private var rows: [[[FieldValue]]]
    private var weight = 0

    private static let rowLimit = 1_000
    private static let byteLimit = 4 << 20

    /// A collector without rows.
    init(_ targets: [Target]) {
        self.targets = targets
        self.rows = targets.map { _ in [] }
    }

    /// Whether a batch has become large enough to be handed over.
    var isFull: Bool {
        (rows.first?.count ?? 0) >= Self.rowLimit || weight >= Self.byteLimit
    }

    /// Adds a row of the table at this place.
    mutating func add(_ row: [FieldValue], at place: Int) {
        rows[place].append(row)
        weight += row.reduce(0) { $0 + $1.weight }
    }

    /// The batches gathered so far, which are forgotten.
    mutating func takeBatches() -> [RecordBatch] {
        defer {
            rows = targets.map { _ in [] }
            weight = 0
        }
        return zip(targets, rows).compactMap { target, rows in
            rows.isEmpty
                ? nil : RecordBatch(table: target.table, columns: target.columns, rows: rows)
        }
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
