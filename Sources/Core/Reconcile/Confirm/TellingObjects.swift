import MooringModel
import MooringText

/// What a filter says of a key without a look into memory.
enum Glance {
    case yes, no
    /// What stands in the filter for a key of this hash says it.
    case hash(UInt64)

    /// Whether it says yes, or what stands there for a hash does.
    func isYes(where mayHold: (UInt64) -> Bool) -> Bool {
        switch self {
        case .yes: true
        case .no: false
        case .hash(let hash): mayHold(hash)
        }
    }
}

/// Finds the objects that records reference, that are there, and that may tell anything of what is
/// missing.
///
/// The filters that say so of most lie in memory that no core holds all of: objects of several rows
/// are noted first, and looked up in a row.
struct TellingObjects {
    private let filters: TellingFilters
    private var noted: [Noted] = []
    private var key: [UInt8] = []

    // An object by its reference and place in one of the rows, and what the filters say at once.
    private struct Noted {
        let row, reference, slot: Int
        let meaning, spelling, enclosed: Glance
    }

    /// Those of which these filters tell.
    init(_ filters: TellingFilters) {
        self.filters = filters
    }

    /// Notes the objects of a row whose places were looked up, by the row's number among those that
    /// are looked at together.
    mutating func note(
        _ rows: PlainRows, _ row: borrowing PlainRow, number: Int,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        for (place, reference) in row.references.elements.enumerated() {
            for slot in reference.slots where row.marks[slot].contains(.present) {
                let own = rows.withKey((reference, slot), of: row, bytes, room: &key) { key in
                    let name = LastPart(of: key)
                    return Noted(
                        row: number, reference: place, slot: slot,
                        meaning: filters.meanings?.glance(at: name) ?? .no,
                        spelling: filters.spellings?.glance(at: name) ?? .no,
                        enclosed: filters.enclosed.glance(at: key))
                }
                if let own { noted.append(own) }
            }
        }
    }

    /// Gives those of the noted objects that may tell anything, of the rows that these are, by
    /// their numbers; then none is noted any longer.
    mutating func end(
        _ rows: PlainRows, _ read: UnsafeMutableBufferPointer<PlainRow>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (OfferedObject) -> Void
    ) {
        for own in noted where mayTell(own) {
            offer(rows, read[own.row], (own.reference, own.slot), bytes, receive)
        }
        noted.removeAll(keepingCapacity: true)
    }

    /// Gives those objects of one row whose places were looked up.
    mutating func each(
        _ rows: PlainRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>,
        _ receive: (OfferedObject) -> Void
    ) {
        note(rows, row, number: 0, bytes)
        for own in noted where mayTell(own) {
            offer(rows, row, (own.reference, own.slot), bytes, receive)
        }
        noted.removeAll(keepingCapacity: true)
    }

    private mutating func offer(
        _ rows: PlainRows, _ row: borrowing PlainRow, _ place: (reference: Int, slot: Int),
        _ bytes: UnsafeBufferPointer<UInt8>, _ receive: (OfferedObject) -> Void
    ) {
        let reference = row.references[place.reference]
        let slot = row.slots[place.slot]
        let object = rows.withKey((reference, place.slot), of: row, bytes, room: &key) { key in
            filters.mayTell(key)
                ? OfferedObject(
                    place: slot, key: ObjectKey(Array(key)), bucket: reference.bucket)
                : nil
        }
        if let object = object.flatMap(\.self) { receive(object) }
    }

    private func mayTell(_ own: Noted) -> Bool {
        // All are asked, so that none waits for what another one says.
        let (meaning, spelling, enclosing) = (
            own.meaning.isYes { filters.meanings?.mayHold(hash: $0) == true },
            own.spelling.isYes { filters.spellings?.mayHold(hash: $0) == true },
            own.enclosed.isYes(where: filters.enclosed.mayHold(hash:))
        )
        return meaning || spelling || enclosing
    }
}

/// What tells of most objects that nothing missing may mean them.
struct TellingFilters {
    /// By missing references that may mean them in another form; nil where none is missing.
    let meanings: TailFilter?
    /// By those that may spell them in another way; nil where none is missing.
    let spellings: SpellingFilter?
    /// By values that may hold their keys.
    let enclosed: EnclosedFilter

    /// Whether an object of this key may tell anything.
    func mayTell(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        meanings?.mayHold(key) == true || spellings?.mayHold(key) == true
            || enclosed.mayHold(key)
    }
}

/// An object that records reference and that is there.
struct OfferedObject {
    /// Its place.
    let place: Fingerprint
    /// Its key.
    let key: ObjectKey
    /// Its bucket's number.
    let bucket: Int
}
