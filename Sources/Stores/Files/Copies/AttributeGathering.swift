import MooringModel
import MooringText

/// Turns JSON objects into rows of bounded batches.
protocol AttributeGathering: Sendable {
    /// Whether a batch has become large enough to be handed over.
    var isFull: Bool { get }

    /// Adds the object that was read last, of these bytes, as a row; on a fault nothing is added.
    mutating func add(
        _ json: borrowing JSONObjectReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault)

    /// The batches gathered so far, which are forgotten.
    mutating func takeBatches() -> [RecordBatch]
}

/// How large a batch of JSON lines may become.
private enum BatchLimit {
    static let rows = 1_000
    static let weight = 4 << 20
}

/// Gathers the attributes that were asked for, for every table that was.
struct ChosenAttributes: AttributeGathering {
    private let wanted: [TableColumns]
    // Each name that is wanted, once, and which of them the columns of each table are.
    private let names: [[UInt8]]
    private let picks: [[Int]]
    // Which wanted name each of the reader's is, in its numbering; -1 is one that nobody asked for.
    private var places: [Int] = []
    private var numbering = 0
    // Where each wanted name is among the members of an object; -1 where that has none.
    private var found: [Int] = []
    private var row = RowPieces()
    private var slabs: [RowSlab]
    private var weight = 0

    /// A gathering for these tables.
    init(_ wanted: [TableColumns]) {
        self.wanted = wanted
        var (names, known): ([[UInt8]], [[UInt8]: Int]) = ([], [:])
        picks = wanted.map { table in
            table.columns.map { column in
                let name = Array(column.utf8)
                if let place = known[name] { return place }
                known[name] = names.count
                names.append(name)
                return names.count - 1
            }
        }
        self.names = names
        slabs = wanted.map { RowSlab(width: $0.columns.count) }
    }

    /// Whether a batch is large enough.
    var isFull: Bool {
        (slabs.first?.count ?? 0) >= BatchLimit.rows || weight >= BatchLimit.weight
    }

    /// Adds an object as a row of every table.
    mutating func add(
        _ json: borrowing JSONObjectReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) {
        find(json)
        row.begin(names.count)
        for (place, index) in found.enumerated() where index >= 0 {
            try json.members[index].put(at: place, of: &row, bytes)
        }
        for (index, pick) in picks.enumerated() {
            row.append(pick, of: bytes, to: &slabs[index])
            slabs[index].endRow()
            for place in pick { weight += row.weight(place) }
        }
    }

    private mutating func find(_ json: borrowing JSONObjectReader) {
        if numbering != json.numbering { (numbering, places) = (json.numbering, []) }
        while places.count < json.names.count {
            places.append(names.firstIndex(of: json.names[places.count]) ?? -1)
        }
        found.removeAll(keepingCapacity: true)
        found.append(contentsOf: repeatElement(-1, count: names.count))
        for (index, member) in json.members.enumerated() where places[member.name] >= 0 {
            found[places[member.name]] = index
        }
    }

    /// The batches gathered so far.
    mutating func takeBatches() -> [RecordBatch] {
        weight = 0
        return wanted.indices.compactMap { index in
            guard slabs[index].count > 0 else { return nil }
            let (table, columns) = (wanted[index].table, wanted[index].columns)
            return RecordBatch(
                table: table, columns: columns,
                slab: slabs[index].take(width: columns.count, goesOn: true))
        }
    }
}

/// Gathers all attributes; a batch has every attribute that one of its rows has.
struct AllAttributes: AttributeGathering {
    private let table: String
    private var columns: [[UInt8]] = []
    private var known: [[UInt8]: Int] = [:]
    // Which column each of the reader's names is, in its numbering; -1 is one that is not known.
    private var places: [Int] = []
    private var numbering = 0
    private var row = RowPieces()
    // The rows have as many cells as columns were known, and end at these places.
    private var slab = RowSlab(width: 0)
    private var ends: [Int] = []
    private var weight = 0

    /// A gathering under one table's name.
    init(table: String) {
        self.table = table
    }

    /// Whether the batch is large enough, counting what absent attributes will take.
    var isFull: Bool {
        ends.count >= BatchLimit.rows
            || weight + ends.count * columns.count * 16 >= BatchLimit.weight
    }

    /// Adds an object as a row.
    mutating func add(
        _ json: borrowing JSONObjectReader, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) {
        // Where a name is new, what is known so far is how many others will be.
        let before = columns.count
        row.begin(before)
        do throws(RowFault) {
            for member in json.members {
                let place = place(of: member.name, json)
                row.widen(to: place + 1)
                try member.put(at: place, of: &row, bytes)
            }
        } catch {
            forgetColumns(from: before)
            throw error
        }
        for place in 0..<row.count where row.kind(place) != .absent { weight += row.weight(place) }
        row.append(first: row.count, of: bytes, to: &slab)
        slab.endRow()
        ends.append(slab.cellCount)
    }

    private mutating func place(of name: Int, _ json: borrowing JSONObjectReader) -> Int {
        if numbering != json.numbering { (numbering, places) = (json.numbering, []) }
        while places.count < json.names.count { places.append(-1) }
        if places[name] >= 0 { return places[name] }
        let bytes = json.names[name]
        let place = known[bytes] ?? columns.count
        if place == columns.count {
            columns.append(bytes)
            known[bytes] = place
        }
        places[name] = place
        return place
    }

    // An object that is no row has no attributes either.
    private mutating func forgetColumns(from count: Int) {
        guard columns.count > count else { return }
        for name in columns[count...] { known[name] = nil }
        columns.removeSubrange(count...)
        places.removeAll(keepingCapacity: true)
    }

    /// The batch gathered so far.
    mutating func takeBatches() -> [RecordBatch] {
        let names = columns.map(\.label)
        (columns, known, weight) = ([], [:], 0)
        places.removeAll(keepingCapacity: true)
        guard !ends.isEmpty else { return [] }
        var rows = slab.take(width: 0, goesOn: true)
        rows.widen(to: names.count, ends: ends)
        ends.removeAll(keepingCapacity: true)
        return [RecordBatch(table: table, columns: names, slab: rows)]
    }
}

extension JSONObjectReader.Member {
    /// Puts the value to a place of a row as a store's field; a nested one as its own bytes.
    func put(
        at place: Int, of row: inout RowPieces, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RowFault) {
        switch kind {
        case .null: row.put(.null, range.lowerBound..<range.lowerBound, at: place)
        case .boolean: row.put(.text, range, at: place)
        case .nested: row.put(.json, range, at: place)
        case .string(hasEscapes: false): row.put(.text, range.inner, at: place)
        case .string(hasEscapes: true):
            row.put(.text(try JSONText.decode(bytes, range.inner, hasEscapes: true)), at: place)
        case .number(let isWhole):
            let text = String(decoding: bytes[range], as: UTF8.self)
            if isWhole, let number = Int64(text) { return row.put(number, at: place) }
            guard let number = Double(text), number.isFinite else {
                throw RowFault(reason: "holds a number too large to be kept")
            }
            row.put(.real(number), at: place)
        }
    }
}
