import MooringModel
import MooringText

/// Turns JSON objects into rows of bounded batches.
protocol AttributeGathering {
    /// Whether a batch has become large enough to be handed over.
    var isFull: Bool { get }

    /// Adds an object as a row; on a fault nothing is added.
    mutating func add(
        _ members: [JSONObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault)

    /// The batches gathered so far, which are forgotten.
    mutating func takeBatches() -> [RecordBatch]
}

/// Gathers the attributes that were asked for, for every table that was.
struct ChosenAttributes: AttributeGathering {
    private var collector: RowCollector
    private let columns: [[[UInt8]]]

    /// A gathering for these tables.
    init(_ wanted: [TableColumns]) {
        collector = RowCollector(
            wanted.map { RowCollector.Target(table: $0.table, columns: $0.columns) })
        columns = wanted.map { $0.columns.map { Array($0.utf8) } }
    }

    /// Whether a batch is large enough.
    var isFull: Bool { collector.isFull }

    /// Adds an object as a row of every table.
    mutating func add(
        _ members: [JSONObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
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

/// Gathers all attributes; a batch has every attribute that one of its rows has.
struct AllAttributes: AttributeGathering {
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
        _ members: [JSONObjectReader.Member], _ bytes: UnsafeBufferPointer<UInt8>
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
        defer { self = AllAttributes(table: table) }
        guard !rows.isEmpty else { return [] }
        let full = rows.map { row in
            row + [FieldValue](repeating: .absent, count: columns.count - row.count)
        }
        return [RecordBatch(table: table, columns: columns.map(\.label), rows: full)]
    }
}

extension JSONObjectReader.Member {
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
