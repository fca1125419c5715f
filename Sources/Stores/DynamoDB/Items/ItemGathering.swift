import Glibc
import MooringModel
import MooringText

/// Turns items into rows of bounded batches.
protocol ItemGathering {
    /// Adds the item that comes next as a row; after a fault the cursor stands anywhere.
    mutating func add(_ cursor: inout JSONCursor) throws(ItemFault)

    /// The batches gathered so far that are full; all of them at the `end`.
    mutating func takeBatches(end: Bool) -> [RecordBatch]

    /// Whether an item had the marks of conflict detection: `_version`, and beside it
    /// `_lastChangedAt` or `_deleted`.
    var sawVersions: Bool { get }
}

/// The attributes by which AppSync's conflict detection keeps an item's history.
enum VersionMarks {
    /// The version, the time of the last change, and the mark of a tombstone.
    static let names = ["_version", "_lastChangedAt", "_deleted"]

    /// Whether these three, in this order, are an item's under conflict detection.
    static func areSet(_ values: some Collection<FieldValue>) -> Bool {
        guard let version = values.first, !version.isMissing else { return false }
        return values.dropFirst().contains { $0 != .absent }
    }

    /// The same of what they are.
    static func areSet(_ kinds: some Collection<SlabCell.Kind>) -> Bool {
        guard let version = kinds.first, version != .absent, version != .null else { return false }
        return kinds.dropFirst().contains { $0 != .absent }
    }
}

/// How large a batch may become.
enum BatchLimit {
    /// The most rows.
    static let rows = 1_000
    /// About the most bytes of values, or one larger row.
    static let weight = 4 << 20
}

/// Gathers the attributes that were asked for of one table, for every set of columns that was.
struct ChosenItems: ItemGathering {
    private let wanted: [TableColumns]
    private let names: [[UInt8]]
    private let picks: [[Int]]
    // Where the marks of conflict detection are among the names.
    private let marks: [Int]
    // What was seen of names, and which column each is; -1 is one that nobody asked for.
    private var seen = NameTable()
    private var columns: [Int] = []
    private var row = RowPieces()
    private var slabs: [RowSlab]
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
        marks = VersionMarks.names.compactMap { places[$0] }
        slabs = wanted.map { RowSlab(width: $0.columns.count) }
    }

    /// The attributes to ask the service for, each once: the columns, and the marks of conflict
    /// detection.
    static func columns(_ wanted: [TableColumns]) -> [String] {
        var seen: Set<String> = []
        return (wanted.flatMap(\.columns) + VersionMarks.names).filter { seen.insert($0).inserted }
    }

    mutating func add(_ cursor: inout JSONCursor) throws(ItemFault) {
        row.begin(names.count)
        try cursor.expect("{")
        var next = 0
        if !cursor.take("}") {
            repeat {
                let place = try self.place(of: &cursor, &next)
                if place < 0 {
                    try cursor.value()
                    continue
                }
                guard row.kind(place) == .absent else {
                    throw cursor.fault("holds an attribute twice")
                }
                try AttributeReader.read(&cursor, into: &row, at: place)
                weight += row.weight(place)
            } while cursor.take(",")
            try cursor.expect("}")
        }
        keep(cursor.bytes)
    }

    private mutating func keep(_ text: UnsafeBufferPointer<UInt8>) {
        if !sawVersions, let first = marks.first, row.kind(first) != .absent {
            sawVersions = VersionMarks.areSet(marks.map { row.kind($0) })
        }
        weight += 16 * names.count
        for (index, pick) in picks.enumerated() {
            row.append(pick, of: text, to: &slabs[index])
            slabs[index].endRow()
        }
        if slabs.first?.count ?? 0 >= BatchLimit.rows || weight >= BatchLimit.weight {
            close(goesOn: true)
        }
    }

    private mutating func close(goesOn: Bool) {
        for (index, columns) in wanted.enumerated() where slabs[index].count > 0 {
            let slab = slabs[index].take(width: columns.columns.count, goesOn: goesOn)
            full.append(
                RecordBatch(table: columns.table, columns: columns.columns, slab: slab))
        }
        weight = 0
    }

    mutating func takeBatches(end: Bool) -> [RecordBatch] {
        if end { close(goesOn: false) }
        defer { full = [] }
        return full
    }

    // Which column the next name is; `next` is the place of the one that mostly comes.
    @inline(__always)
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

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes stand at a place.
    func holds(_ text: [UInt8], at range: Range<Int>) -> Bool {
        guard text.count == range.count, let baseAddress else { return false }
        return memcmp(text, baseAddress + range.lowerBound, text.count) == 0
    }
}
