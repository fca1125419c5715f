/// What is known of a place at which a referenced object may lie.
struct SlotMarks: OptionSet, Sendable {
    /// Eight bits, which take the lowest of a fingerprint in a table.
    let rawValue: UInt8

    /// A record references it.
    static let referenced = SlotMarks(rawValue: 1)
    /// A record that is no tombstone does.
    static let live = SlotMarks(rawValue: 2)
    /// References of such records were read at least twice: it may be shared.
    static let mayBeShared = SlotMarks(rawValue: 4)
    /// An object was listed there.
    static let present = SlotMarks(rawValue: 8)
    /// That object may be part of a finding, and its references are looked at one by one.
    static let kept = SlotMarks(rawValue: 16)
    /// A live record lets nobody but its owner read it.
    static let ownerOnly = SlotMarks(rawValue: 32)
    /// A live record lets nobody but signed-in users read it.
    static let signedInOnly = SlotMarks(rawValue: 64)
}

/// Places at which referenced objects may lie, by their fingerprints: sixteen bytes each, with what
/// is known of it, and about a third as much of room. Of a fingerprint 120 bits are compared.
struct SlotTable: Sendable {
    // Eight bits of the lower half give way to the marks; without any, a row is free.
    fileprivate struct Part: Sendable {
        var rows: [Fingerprint] = Array(repeating: Fingerprint(high: 0, low: 0), count: 64)
        var count = 0
    }

    fileprivate static let markBits: UInt64 = 0xFF
    private static let parts = 64
    private var parts = Array(repeating: Part(), count: Self.parts)

    /// How many places there are.
    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Notes a reference to a place, and what its record says; of a tombstone nothing.
    mutating func insert(_ place: Fingerprint, _ said: SlotMarks) {
        parts[Self.part(place)].insert(place, said)
    }

    /// What is known of a place; nothing where no record references it.
    func marks(of place: Fingerprint) -> SlotMarks { parts[Self.part(place)].marks(of: place) }

    /// Adds to what is known of a place, and gives what was known before; nothing is changed where
    /// no record references it.
    mutating func mark(_ place: Fingerprint, _ marks: SlotMarks) -> SlotMarks {
        parts[Self.part(place)].mark(place, marks)
    }

    private static func part(_ place: Fingerprint) -> Int {
        Int(truncatingIfNeeded: place.high >> 58)
    }
}

extension SlotTable.Part {
    fileprivate mutating func insert(_ place: Fingerprint, _ said: SlotMarks) {
        let index = find(place)
        let row = rows[index]
        var marks = SlotMarks(rawValue: UInt8(truncatingIfNeeded: row.low))
        let isNew = marks.isEmpty
        if said.contains(.live), marks.contains(.live) { marks.insert(.mayBeShared) }
        marks.formUnion(said.union(.referenced))
        set(index, place, marks)
        guard isNew else { return }
        count += 1
        if count * 5 > rows.count * 4 { grow() }
    }

    fileprivate func marks(of place: Fingerprint) -> SlotMarks {
        SlotMarks(rawValue: UInt8(truncatingIfNeeded: rows[find(place)].low))
    }

    fileprivate mutating func mark(_ place: Fingerprint, _ more: SlotMarks) -> SlotMarks {
        let index = find(place)
        let marks = SlotMarks(rawValue: UInt8(truncatingIfNeeded: rows[index].low))
        if !marks.isEmpty, !marks.isSuperset(of: more) { set(index, place, marks.union(more)) }
        return marks
    }

    private mutating func set(_ index: Int, _ place: Fingerprint, _ marks: SlotMarks) {
        rows[index] = Fingerprint(
            high: place.high, low: place.low & ~SlotTable.markBits | UInt64(marks.rawValue))
    }

    // The row of a place, or the free one where it belongs.
    private func find(_ place: Fingerprint) -> Int {
        let low = place.low & ~SlotTable.markBits
        return rows.withUnsafeBufferPointer { rows in
            var index = Int(
                truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(rows.count)).high)
            while true {
                let row = rows[index]
                if row.low & SlotTable.markBits == 0 { return index }
                if row.high == place.high, row.low & ~SlotTable.markBits == low { return index }
                index += 1
                if index == rows.count { index = 0 }
            }
        }
    }

    // By a quarter, so that little room stays empty.
    private mutating func grow() {
        let old = rows
        rows = Array(
            repeating: Fingerprint(high: 0, low: 0), count: rows.count + rows.count / 4)
        for row in old where row.low & SlotTable.markBits != 0 {
            let low = row.low & ~SlotTable.markBits
            var index = Int(
                truncatingIfNeeded: low.multipliedFullWidth(by: UInt64(rows.count)).high)
            while rows[index].low & SlotTable.markBits != 0 {
                index += 1
                if index == rows.count { index = 0 }
            }
            rows[index] = row
        }
    }
}
