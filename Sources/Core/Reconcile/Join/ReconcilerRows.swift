import MooringDecisions
import MooringModel

/// One place where one reference's object may lie; those of one reference follow one another.
struct ReferenceRow: Sendable {
    /// The place of its record in `Reconciler.records`.
    let record: UInt32
    /// The number of the place in `Reconciler.slots`.
    let slot: UInt32
    /// The row before it in the same slot; -1 for none.
    let previous: Int32
    /// The index in a list; -1 elsewhere.
    let index: Int32
    /// The length of what the value became by its layout, with which the slot's bytes end.
    let valueLength: UInt32
    /// Which of the model's `files`.
    let field: UInt16
    /// Of a reference's first row, how many places it has; 0 in the others.
    let alternatives: UInt16
}

/// A record that holds references which fingerprints did not match; its fields stand in the order
/// that takes the least room.
struct RecordRow: Sendable {
    /// Its version, as it was read; nil where it has none.
    let version: Int64?
    /// Its last change, as it was read; nil where it does not tell.
    let changed: ChangeTime?
    /// Whether it is marked as deleted, or counts as if it were: it protects, and misses nothing.
    var isTombstone: Bool
    /// The model's number, over all sources.
    let model: UInt16
    /// The number of its model and identifier: one for all rows of one record.
    let id: UInt32
    /// The number of the record itself, which it shares with all copies of it.
    let original: UInt32
}

/// What is known of one place where the object of such a reference may lie.
struct SlotState: Sendable {
    /// The last row that points here; -1 for none.
    private(set) var last: Int32 = -1
    /// Whether the listing had it.
    var isPresent = false
    /// Whether two different records that are no tombstones, nor copies of one another, point here.
    private(set) var isShared = false
    private var firstRecord: UInt32?
    /// The strictest visibility of the records that point here and are no tombstones; nil when the
    /// configuration says nothing of theirs.
    private(set) var visibility: Visibility?

    /// Notes the visibility of a record that points here.
    mutating func restrict(to other: Visibility?) {
        guard let other else { return }
        visibility = visibility.map { $0.openness <= other.openness ? $0 : other } ?? other
    }

    /// Adds a row and notes whether its record is another one than the first.
    mutating func add(row: Int, record: RecordRow) {
        last = Int32(clamping: row)
        guard !record.isTombstone else { return }
        if let firstRecord, firstRecord != record.original { isShared = true }
        if firstRecord == nil { firstRecord = record.original }
    }
}

/// A value in a field of a record: what one dangling finding is about.
struct ValuePlace: Hashable {
    /// The number of the record's model and identifier.
    let record: UInt32
    /// Which of the model's `files`.
    let field: UInt16
    /// What the record holds.
    let value: [UInt8]
    /// The bucket that the reference means: a list may hold one key for several.
    let bucket: Int?
}

/// Writes a model's number and an identifier's parts as one byte string.
enum RecordIDCoding {
    /// The bytes: two for the model, then each part behind its length.
    static func encode(_ id: RecordID, model: Int) -> [UInt8] {
        var bytes = [UInt8(truncatingIfNeeded: model >> 8), UInt8(truncatingIfNeeded: model)]
        for part in id.parts {
            withUnsafeBytes(of: UInt32(part.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// The identifier in such bytes.
    static func decode(_ bytes: ArraySlice<UInt8>) -> RecordID {
        var parts: [[UInt8]] = []
        var rest = bytes.dropFirst(2)
        while rest.count >= 4 {
            let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            parts.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return RecordID(parts: parts)
    }
}
