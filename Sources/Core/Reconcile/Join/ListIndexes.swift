/// At which indexes the lists of records hold one value, for values that several rows refer to.
///
/// The rows of a place are read once, however many of them are asked about: a million records may
/// name one object that is not there.
struct ListIndexes {
    private struct Field: Hashable {
        let slot: UInt32
        let record: UInt32
        let field: UInt16
    }

    private var slots: Set<UInt32> = []
    // In their order, and only where there are several.
    private var indexes: [Field: [Int]] = [:]

    /// Every index of the same value in the same field of the same record, in their order; empty
    /// where it stands there once.
    mutating func several(_ row: ReferenceRow, in reconciler: Reconciler) -> [Int] {
        let last = Int(reconciler.states[Int(row.slot)].last)
        guard row.index >= 0, last >= 0, reconciler.rows[last].previous >= 0 else { return [] }
        if slots.insert(row.slot).inserted { read(last, reconciler) }
        return indexes[Self.field(of: row, reconciler)] ?? []
    }

    private mutating func read(_ last: Int, _ reconciler: Reconciler) {
        var found: [Field: Set<Int>] = [:]
        var number = last
        while number >= 0 {
            let row = reconciler.rows[number]
            if row.index >= 0 {
                found[Self.field(of: row, reconciler), default: []].insert(Int(row.index))
            }
            number = Int(row.previous)
        }
        for (field, several) in found where several.count > 1 { indexes[field] = several.sorted() }
    }

    private static func field(of row: ReferenceRow, _ reconciler: Reconciler) -> Field {
        Field(
            slot: row.slot, record: reconciler.records[Int(row.record)].id, field: row.field)
    }
}
