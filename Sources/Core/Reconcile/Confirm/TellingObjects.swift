import MooringModel

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
    // What tells of most objects that nothing missing may mean them; nil where nothing is missing.
    private let meanings: TailFilter?
    private let spellings: SpellingFilter?
    private let enclosed: EnclosedFilter
    private var noted: [Noted] = []
    private var key: [UInt8] = []

    // An object by its reference and place in one of the rows, and what the filters say at once.
    private struct Noted {
        let row, reference, slot: Int
        let meaning, spelling, enclosed: Glance
    }

    /// Those of which these filters tell.
    init(meanings: TailFilter?, spellings: SpellingFilter?, enclosed: EnclosedFilter) {
        (self.meanings, self.spellings, self.enclosed) = (meanings, spellings, enclosed)
    }

    /// Notes the objects of a row whose places were looked up, by the row's number among those that
    /// are looked at together.
    mutating func note(
        _ rows: PlainRows, _ row: borrowing PlainRow, number: Int,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        for place in row.references.indices {
            let reference = row.references[place]
            for slot in reference.slots where row.marks[slot].contains(.present) {
                rows.write(reference, slot, of: row, bytes, to: &key)
                let own = key.withUnsafeBufferPointer { key in
                    Noted(
                        row: number, reference: place, slot: slot,
                        meaning: meanings?.glance(at: key) ?? .no,
                        spelling: spellings?.glance(at: key) ?? .no,
                        enclosed: enclosed.glance(at: key))
                }
                noted.append(own)
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
        rows.write(reference, place.slot, of: row, bytes, to: &key)
        guard mayTell(key) else { return }
        receive(
            OfferedObject(
                place: row.slots[place.slot], key: ObjectKey(key), bucket: reference.bucket))
    }

    private func mayTell(_ own: Noted) -> Bool {
        // All are asked, so that none waits for what another one says.
        let (meaning, spelling, enclosing) = (
            own.meaning.isYes { meanings?.mayHold(hash: $0) == true },
            own.spelling.isYes { spellings?.mayHold(hash: $0) == true },
            own.enclosed.isYes(where: enclosed.mayHold(hash:))
        )
        return meaning || spelling || enclosing
    }

    private func mayTell(_ key: [UInt8]) -> Bool {
        key.withUnsafeBufferPointer { key in
            meanings?.mayHold(key) == true || spellings?.mayHold(key) == true
                || enclosed.mayHold(key)
        }
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
