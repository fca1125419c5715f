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
    private var indexes: [Field: Set<Int>] = [:]

    /// Every index of the same value in the same field of the same record, in their order; empty
    /// where it stands there once.
    mutating func several(_ row: ReferenceRow, in reconciler: Reconciler) -> [Int] {
        let first = Int(reconciler.states[Int(row.slot)].first)
        guard row.index >= 0, first >= 0, reconciler.rows[first].next >= 0 else { return [] }
        if slots.insert(row.slot).inserted { read(first, reconciler) }
        let found = indexes[Self.field(of: row, reconciler)] ?? []
        return found.count > 1 ? found.sorted() : []
    }

    private mutating func read(_ first: Int, _ reconciler: Reconciler) {
        var number = first
        while number >= 0 {
            let row = reconciler.rows[number]
            if row.index >= 0 {
                indexes[Self.field(of: row, reconciler), default: []].insert(Int(row.index))
            }
            number = Int(row.next)
        }
    }

    private static func field(of row: ReferenceRow, _ reconciler: Reconciler) -> Field {
        Field(
            slot: row.slot, record: reconciler.records[Int(row.record)].id, field: row.field)
    }
}
