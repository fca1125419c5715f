import MooringModel
import MooringText

/// Gathers all attributes; a batch has every attribute that one of its items has.
struct WholeItems: ItemGathering {
    private let table: String
    private var names = NameTable()
    private var row = RowPieces()
    // The rows have as many cells as names were known, and end at these places.
    private var slab = RowSlab(width: 0)
    private var ends: [Int] = []
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
        row.begin(names.count)
        try cursor.expect("{")
        var next = 0
        if !cursor.take("}") {
            repeat {
                let place = try names.place(of: &cursor, hint: next)
                next = place + 1
                row.widen(to: place + 1)
                guard row.kind(place) == .absent else {
                    throw cursor.fault("holds an attribute twice")
                }
                try AttributeReader.read(&cursor, into: &row, at: place)
                weight += row.weight(place)
            } while cursor.take(",")
            try cursor.expect("}")
        }
        if !sawVersions { noteMarks() }
        // A row of many attributes would make all those before it as wide.
        if names.count > before.names, isFull(ends.count + 1) {
            let own = (names: names, weight: weight - before.weight)
            close(before.names, goesOn: true)
            (names, weight) = own
        }
        row.append(first: row.count, of: cursor.bytes, to: &slab)
        slab.endRow()
        ends.append(slab.cellCount)
        if ends.count >= BatchLimit.rows || isFull(ends.count) {
            close(names.count, goesOn: true)
        }
    }

    private mutating func noteMarks() {
        if marks.among != names.count {
            marks = (names.count, VersionMarks.names.map { names.place(of: Array($0.utf8)) })
        }
        guard let version = marks.places[0], version < row.count else { return }
        sawVersions = VersionMarks.areSet(
            marks.places.map { place in
                place.flatMap { $0 < row.count ? row.kind($0) : nil } ?? .absent
            })
    }

    // What absent attributes will take counts, too.
    private func isFull(_ count: Int) -> Bool {
        weight + count * names.count * 16 >= BatchLimit.weight
    }

    // The first names are those that the rows have.
    private mutating func close(_ count: Int, goesOn: Bool) {
        defer { (names, marks, weight) = (NameTable(), (-1, []), 0) }
        guard !ends.isEmpty else { return }
        var rows = slab.take(width: 0, goesOn: goesOn)
        rows.widen(to: count, ends: ends)
        ends.removeAll(keepingCapacity: true)
        full.append(
            RecordBatch(
                table: table,
                columns: names.names.prefix(count).map { String(decoding: $0, as: UTF8.self) },
                slab: rows))
    }

    mutating func takeBatches(end: Bool) -> [RecordBatch] {
        if end || ends.isEmpty { close(names.count, goesOn: false) }
        defer { full = [] }
        return full
    }
}
