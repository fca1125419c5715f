import MooringModel
import MooringText

/// The lines of an incremental export as what becomes of items.
struct EntryLines: ExportLines {
    /// What some lines tell.
    struct Output: Sendable {
        /// The names of key attributes that they had.
        var names: Set<[[UInt8]]> = []
        /// The changes.
        var entries: [Entry] = []
    }

    /// What became of one item.
    struct Entry: Sendable {
        /// Its key.
        let key: ItemKey
        /// When that was written, in microseconds since 1970.
        let written: Int64
        /// The item behind it; empty where it was removed.
        let item: [UInt8]
    }

    private let times: Range<Int64>
    private var output = Output()
    private(set) var count = 0

    /// The lines of an export. A change of a time that it does not cover, give or take a minute, is
    /// none of its own: a fault.
    init(of summary: ExportSummary) {
        let micros = { (moment: Instant) in moment.nanoseconds / 1_000 }
        let from = micros((summary.from ?? summary.time) + (Duration.zero - ExportChain.blur))
        times = from..<max(from, micros(summary.time + ExportChain.blur))
    }

    mutating func read(_ cursor: inout JSONCursor) throws(ItemFault) {
        var key: (names: [[UInt8]], key: ItemKey)?
        var written: Int64?
        var item: [UInt8] = []
        try cursor.members { (cursor, name) throws(ItemFault) in
            switch String(decoding: name, as: UTF8.self) {
            case "Keys": key = try ItemKey.named(&cursor)
            case "NewImage":
                item = try cursor.locating { (cursor) throws(ItemFault) in try Item(&cursor) }.bytes
            case "OldImage": try cursor.value()
            case "Metadata":
                if case .integer(let micros) = try Item(&cursor)["WriteTimestampMicros"] {
                    written = micros
                }
            default: throw cursor.fault("is no change of an incremental export")
            }
        }
        guard let written else { throw cursor.fault("does not say when it was written") }
        guard times.contains(written) else {
            throw cursor.fault("was written at a time that its export is not of")
        }
        guard let key else { throw cursor.fault("does not say which item it is of") }
        count += 1
        output.names.insert(key.names)
        output.entries.append(Entry(key: key.key, written: written, item: item))
    }

    mutating func take(end: Bool) -> [Output] {
        defer { output = Output() }
        return output.entries.isEmpty ? [] : [output]
    }
}

/// The lines of a full export, of which some items may have changed since: those are held back.
struct HeldLines<Gathering: ItemGathering>: ExportLines {
    /// What some lines tell.
    enum Output: Sendable {
        /// Items that did not change.
        case batch(RecordBatch)
        /// Items that may have changed, as DynamoDB writes them.
        case held([(key: ItemKey, item: [UInt8])])
    }

    private var gathering: Gathering
    private let names: [[UInt8]]
    private let filter: KeyFilter
    private var held: [(key: ItemKey, item: [UInt8])] = []
    private(set) var count = 0

    /// Lines whose items are gathered; those whose keys, of attributes of these names, may have
    /// changed are held.
    init(_ gathering: Gathering, holding names: [[UInt8]], _ filter: KeyFilter) {
        self.gathering = gathering
        self.names = names
        self.filter = filter
    }

    mutating func read(_ cursor: inout JSONCursor) throws(ItemFault) {
        try cursor.expect("{")
        let (range, _) = try cursor.string()
        guard cursor.bytes.holds(Array("Item".utf8), at: range) else {
            throw cursor.fault("holds no Item")
        }
        try cursor.expect(":")
        _ = cursor.peek()
        let start = cursor.index
        let key = try ItemKey.of(&cursor, names)
        if filter.mayContain(key) {
            held.append((key, Array(cursor.bytes[start..<cursor.index])))
        } else {
            cursor.index = start
            try gathering.add(&cursor)
        }
        try cursor.expect("}")
        count += 1
    }

    mutating func take(end: Bool) -> [Output] {
        defer { held = [] }
        return (held.isEmpty ? [] : [.held(held)])
            + gathering.takeBatches(end: end).map(Output.batch)
    }
}
