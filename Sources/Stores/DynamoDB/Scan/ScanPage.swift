import MooringModel
import MooringText

/// One page of a scan as the service gave it, its items read in place.
struct ScanPage {
    /// The rows of the items, in bounded batches.
    let batches: [RecordBatch]
    /// Where the next page begins, as the service wrote it; nil on the last page.
    let next: [UInt8]?
    /// How many items it holds.
    let count: Int
    /// The read capacity that it consumed; nil where the service does not say.
    let capacity: Double?
    /// Whether an item had the marks of conflict detection.
    let sawVersions: Bool

    /// Reads an answer to Scan or Query. A fault anywhere makes the whole page one, since nobody
    /// knows what else of it is wrong.
    init(_ body: [UInt8], _ gathering: some ItemGathering) throws(ItemFault) {
        var reading = Reading(gathering: gathering)
        try JSONCursor.whole(body) { (cursor) throws(ItemFault) in
            try cursor.members { (cursor, name) throws(ItemFault) in
                try reading.take(String(decoding: name, as: UTF8.self), &cursor)
            }
        }
        guard reading.hasItems else { throw ItemFault(reason: "holds no list of items") }
        if let said = reading.said, said != reading.count {
            throw ItemFault(
                reason: "holds \(reading.count) items and says that there are \(said)")
        }
        batches = reading.gathering.takeBatches(end: true)
        next = reading.next
        count = reading.count
        capacity = reading.capacity
        sawVersions = reading.gathering.sawVersions
    }

    private struct Reading<Gathering: ItemGathering> {
        var gathering: Gathering
        var hasItems = false
        var count = 0
        var said: Int?
        var next: [UInt8]?
        var capacity: Double?
        private var seen: Set<String> = []

        init(gathering: Gathering) { self.gathering = gathering }

        mutating func take(_ name: String, _ cursor: inout JSONCursor) throws(ItemFault) {
            guard seen.insert(name).inserted else { throw cursor.fault("holds a member twice") }
            if name == "Items" { return try readItems(&cursor) }
            let value = try cursor.locating { (cursor) throws(ItemFault) in try cursor.value() }
                .bytes
            switch name {
            case "Count":
                guard let count = Int(String(decoding: value, as: UTF8.self)) else {
                    throw cursor.fault("holds a Count that is no whole number")
                }
                said = count
            case "LastEvaluatedKey": next = value.first == UInt8(ascii: "n") ? nil : value
            case "ConsumedCapacity": capacity = Self.units(value)
            default: break
            }
        }

        private mutating func readItems(_ cursor: inout JSONCursor) throws(ItemFault) {
            hasItems = true
            try cursor.elements { (cursor) throws(ItemFault) in
                try gathering.add(&cursor)
                count += 1
            }
        }

        private static func units(_ text: [UInt8]) -> Double? {
            // What cannot be parsed says nothing.
            guard case .number(let digits) = (try? JSONNode(parsing: text))?["CapacityUnits"]?.kind
            else { return nil }
            // No page costs more than this, and nobody counts with what is not finite.
            return Double(String(decoding: digits, as: UTF8.self))
                .flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
    }
}
