/// Rows of places in no order, with open addressing. Without any marks a row is free.
struct SlotPart: Sendable {
    private var rows: [Fingerprint] = Array(repeating: Fingerprint(high: 0, low: 0), count: 64)
    private var count = 0

    /// Notes a place and what is said of it; whether it is a new one.
    mutating func insert(_ place: Fingerprint, _ said: SlotMarks) -> Bool {
        let index = find(place)
        let marks = rows[index].marks
        guard marks.isEmpty else {
            set(index, place, marks.together(said))
            return false
        }
        set(index, place, said)
        count += 1
        if count * 5 > rows.count * 4 { grow() }
        return true
    }

    /// Has this said of a place, whatever was before.
    mutating func replace(_ place: Fingerprint, _ marks: SlotMarks) {
        let index = find(place)
        guard rows[index].marks.isEmpty else { return set(index, place, marks) }
        _ = insert(place, marks)
    }

    /// What is known of a place.
    func marks(of place: Fingerprint) -> SlotMarks { rows[find(place)].marks }

    /// Adds to what is known of a place, if anything is, and gives what was known before.
    mutating func mark(_ place: Fingerprint, _ more: SlotMarks) -> SlotMarks {
        let index = find(place)
        let marks = rows[index].marks
        if !marks.isEmpty, !marks.isSuperset(of: more) { set(index, place, marks.union(more)) }
        return marks
    }

    /// All rows in the order of their places.
    func sorted() -> [Fingerprint] {
        var taken = rows.filter { !$0.marks.isEmpty }
        taken.sort { $0.precedes($1) }
        return taken
    }

    /// All rows in no order.
    func each(_ receive: (Fingerprint) -> Void) {
        for row in rows where !row.marks.isEmpty { receive(row) }
    }

    /// Has the row of a place fetched, beside others that are asked for in a row; what this gives
    /// says nothing.
    func fetch(_ place: Fingerprint) -> UInt64 { rows[place.home(of: rows.count)].low }

    private mutating func set(_ index: Int, _ place: Fingerprint, _ marks: SlotMarks) {
        rows[index] = place.with(marks)
    }

    // The row of a place, or the free one where it belongs.
    private func find(_ place: Fingerprint) -> Int {
        rows.withUnsafeBufferPointer { rows in
            var index = place.home(of: rows.count)
            while true {
                let row = rows[index]
                if row.marks.isEmpty || row.isAt(place) { return index }
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
        for row in old where !row.marks.isEmpty {
            var index = row.home(of: rows.count)
            while !rows[index].marks.isEmpty {
                index += 1
                if index == rows.count { index = 0 }
            }
            rows[index] = row
        }
    }
}

extension Fingerprint {
    /// The row of so many at which a place is looked for first, whatever its marks.
    fileprivate func home(of rows: Int) -> Int {
        Int(truncatingIfNeeded: with([]).low.multipliedFullWidth(by: UInt64(rows)).high)
    }
}
