import MooringModel
import MooringText

/// Reads the lines of data files.
protocol ExportLines: SendableMetatype {
    /// What is made of them.
    associatedtype Output: Sendable

    /// How many were read without a fault.
    var count: Int { get }

    /// Reads the line that comes next; after a fault the cursor stands anywhere in it.
    mutating func read(_ cursor: inout JSONCursor) throws(ItemFault)

    /// What was gathered so far and is ready to be handed over; all of it at the `end`.
    mutating func take(end: Bool) -> [Output]
}

/// The lines of a full export, an item each: `{"Item":{…}}`.
struct ItemLines<Gathering: ItemGathering>: ExportLines {
    private var gathering: Gathering
    private(set) var count = 0

    /// Lines whose items are gathered.
    init(_ gathering: Gathering) { self.gathering = gathering }

    mutating func read(_ cursor: inout JSONCursor) throws(ItemFault) {
        try cursor.expect("{")
        let (range, _) = try cursor.string()
        guard cursor.bytes.holds(itemName, at: range) else { throw cursor.fault("holds no Item") }
        try cursor.expect(":")
        try gathering.add(&cursor)
        try cursor.expect("}")
        count += 1
    }

    mutating func take(end: Bool) -> [RecordBatch] { gathering.takeBatches(end: end) }
}

private let itemName = Array("Item".utf8)

/// The lines of an incremental export, a change each: when it was written, and the item before and
/// after it, as far as there is one.
struct ChangeLines: ExportLines {
    private let table: String
    private var changes: [RecordedChange] = []
    private(set) var count = 0

    /// The changes of a table.
    init(table: String) { self.table = table }

    mutating func read(_ cursor: inout JSONCursor) throws(ItemFault) {
        var (before, after): (Item?, Item?)
        var written: Instant?
        try cursor.expect("{")
        repeat {
            let name = String(decoding: try cursor.text(), as: UTF8.self)
            try cursor.expect(":")
            switch name {
            case "OldImage": before = try Item(&cursor)
            case "NewImage": after = try Item(&cursor)
            case "Metadata":
                if case .integer(let micros) = try Item(&cursor)["WriteTimestampMicros"] {
                    let (nanoseconds, isTooMuch) = micros.multipliedReportingOverflow(by: 1_000)
                    guard !isTooMuch else { throw cursor.fault("was written at no known time") }
                    written = Instant(nanoseconds: nanoseconds)
                }
            case "Keys": try cursor.value()
            default: throw cursor.fault("is no change of an incremental export")
            }
        } while cursor.take(",")
        try cursor.expect("}")
        guard let written else { throw cursor.fault("does not say when it was written") }
        count += 1
        changes.append(
            RecordedChange(
                table: table, written: written, before: before?.columns, after: after?.columns))
    }

    mutating func take(end: Bool) -> [RecordedChange] {
        defer { changes = [] }
        return changes
    }
}

extension Item {
    /// The attributes as columns.
    fileprivate var columns: [String: FieldValue] {
        Dictionary(names.map { ($0, self[$0]) }, uniquingKeysWith: { first, _ in first })
    }
}
