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

extension SlotMarks {
    /// What two say of one place together.
    func together(_ other: SlotMarks) -> SlotMarks {
        var all = union(other)
        if contains(.live), other.contains(.live) { all.insert(.mayBeShared) }
        return all
    }
}

/// How much of the join may be held in memory, and where the rest goes.
package struct JoinRoom: Sendable {
    /// So many places may be held in memory.
    let places: Int
    /// The folder for the others.
    let folder: String
    /// So many bytes of listed objects may wait to be matched at once, while the places lie in the
    /// folder and take no memory.
    let waiting: Int

    // Sixteen bytes of a place, and at most so much with what stays empty.
    private static let bytesEach = 25

    /// Room for so many places, and for so many bytes of waiting objects.
    init(places: Int, folder: String, waiting: Int = 1 << 20) {
        (self.places, self.folder, self.waiting) = (places, folder, waiting)
    }

    /// Half of so many bytes: the rest is for what is left over, which is held whatever this says.
    package init(bytes: Int64, folder: String) {
        self.init(
            places: max(1, Int(bytes / 2) / Self.bytesEach), folder: folder,
            waiting: Int(bytes / 4))
    }

    /// As much as there is.
    static let unbounded = JoinRoom(places: .max, folder: "")
}

/// Places at which referenced objects may lie, by their fingerprints: sixteen bytes each, with what
/// is known of it, and about a third as much of room. Of a fingerprint 120 bits are compared.
///
/// What goes beyond the room lies in a scratch file; where there is no place for that either, it
/// stays in memory, and `unspilled` says why.
struct SlotTable: Sendable {
    // Without any marks a row is free.
    fileprivate struct Part: Sendable {
        var rows: [Fingerprint] = Array(repeating: Fingerprint(high: 0, low: 0), count: 64)
        var count = 0
    }

    private static let parts = 64
    private var parts = Array(repeating: Part(), count: Self.parts)
    private let room: JoinRoom
    // Rows in memory.
    private var held = 0
    private(set) var run: SlotRun?
    // What was listed of the run's places, by their numbers.
    private var listed = ListedBits()
    // Whether only those rows are in memory about which the file tells too little.
    private var isClosed = false
    // Where nothing lies in a file, those rows once more, which a core's own memory holds; none
    // before `close`.
    private var exceptions: [Part] = []
    /// Why rows beyond the room are in memory all the same; nil where none are.
    private(set) var unspilled: String?

    /// An empty table.
    init(_ room: JoinRoom = .unbounded) {
        self.room = room
    }

    /// How many places there are, before `close`; places in memory and in a file count twice.
    var count: Int { held + (run?.count ?? 0) }

    /// So many bytes of listed objects may wait to be matched together; 0 where nothing is gained
    /// by that.
    var waitingRoom: Int { run == nil ? 0 : room.waiting }

    /// Why what is in the file could not be read; nil where it could.
    var failure: String? { run?.failure }

    /// Notes a reference to a place, and what its record says; of a tombstone nothing.
    mutating func insert(_ place: Fingerprint, _ said: SlotMarks) {
        if parts[Self.part(place)].insert(place, said.union(.referenced)) {
            held += 1
            if held >= room.places { spill() }
        }
    }

    /// What is known of a place; nothing where no record references it.
    func marks(of place: Fingerprint) -> SlotMarks {
        let marks = parts[Self.part(place)].marks(of: place)
        guard let run, !isClosed || marks.isEmpty else { return marks }
        return marks.together(self.marks(of: place, in: run))
    }

    /// The same of a place that was inserted: where the table is closed, without a look into the
    /// file. Of any other place it is told wrongly then.
    func marks(ofReferenced place: Fingerprint) -> SlotMarks {
        let number = Self.part(place)
        guard isClosed || !exceptions.isEmpty else { return marks(of: place) }
        let marks =
            isClosed ? parts[number].marks(of: place) : exceptions[number].marks(of: place)
        return marks.isEmpty ? [.referenced, .present] : marks
    }

    /// Adds to what is known of a place, and gives what was known before; nothing is changed where
    /// no record references it.
    mutating func mark(_ place: Fingerprint, _ marks: SlotMarks) -> SlotMarks {
        guard let run else {
            let before = parts[Self.part(place)].mark(place, marks)
            if !before.isEmpty, !exceptions.isEmpty {
                exceptions[Self.part(place)].replace(place, before.union(marks))
            }
            return before
        }
        guard isClosed else {
            let known = parts[Self.part(place)].mark(place, marks)
            return known.together(mark(place, marks, in: run))
        }
        let before = self.marks(of: place)
        if !before.isEmpty, !before.isSuperset(of: marks) {
            held += parts[Self.part(place)].insert(place, before.union(marks)) ? 1 : 0
        }
        return before
    }

    /// The same of places in their order, of which the file has most; before `close`.
    mutating func mark(
        _ places: some RandomAccessCollection<Fingerprint>, _ marks: SlotMarks,
        _ receive: (_ before: SlotMarks) -> Void
    ) {
        guard let run, !isClosed else {
            for place in places { receive(mark(place, marks)) }
            return
        }
        run.find(places) { place, found in
            let known = parts[Self.part(place)].mark(place, marks)
            receive(known.together(add(marks, to: found)))
        }
    }

    /// Takes back that an object was listed at a place that records reference; behind `close`.
    mutating func unlist(_ place: Fingerprint) {
        let left = marks(of: place).subtracting(.present)
        guard !left.isEmpty else { return }
        let number = Self.part(place)
        parts[number].replace(place, left)
        if !exceptions.isEmpty { exceptions[number].replace(place, left) }
    }

    private static func part(_ place: Fingerprint) -> Int {
        Int(truncatingIfNeeded: place.high >> 58)
    }

    private func marks(of place: Fingerprint, in run: SlotRun) -> SlotMarks {
        guard let (number, marks) = run.find(place) else { return [] }
        return number.map { marks.union(listed[$0]) } ?? marks
    }

    private mutating func mark(
        _ place: Fingerprint, _ more: SlotMarks, in run: SlotRun
    ) -> SlotMarks {
        add(more, to: run.find(place))
    }

    private mutating func add(_ more: SlotMarks, to found: SlotRun.Found?) -> SlotMarks {
        guard let (number, marks) = found else { return [] }
        // What cannot be looked up was not listed before.
        guard let number else { return marks.subtracting(.present) }
        let before = marks.union(listed[number])
        listed.add(more, to: number)
        return before
    }
}

/// Which of so many numbered places an object was listed at, and which of those are kept.
private struct ListedBits: Sendable {
    private var present: [UInt64] = []
    private var kept: [UInt64] = []

    /// Makes room for so many places, none of them listed.
    init(_ count: Int = 0) {
        present = Array(repeating: 0, count: (count + 63) / 64)
        kept = present
    }

    /// The marks of a place.
    subscript(number: Int) -> SlotMarks {
        let (word, bit) = (number >> 6, UInt64(1) << UInt64(number & 63))
        return (present[word] & bit == 0 ? [] : SlotMarks.present)
            .union(kept[word] & bit == 0 ? [] : .kept)
    }

    /// Adds marks to a place.
    mutating func add(_ marks: SlotMarks, to number: Int) {
        let (word, bit) = (number >> 6, UInt64(1) << UInt64(number & 63))
        if marks.contains(.present) { present[word] |= bit }
        if marks.contains(.kept) { kept[word] |= bit }
    }
}

// MARK: - Beyond the room

extension SlotTable {
    /// Ends the insertions: where rows lie in a file, all do.
    mutating func endInsertions() {
        if run != nil { spill() }
    }

    /// Ends the listings: of what lies in the file, that alone is held in memory which is not a
    /// reference to an object that was listed and is not kept.
    mutating func close() {
        guard let run else { return closeInMemory() }
        guard held == 0, !isClosed else { return }
        var exceptions = self
        let isRead = run.each { number, row in
            let marks = row.marks.union(listed[number])
            guard !marks.contains(.present) || marks.contains(.kept) else { return }
            let isNew = exceptions.parts[Self.part(row)].insert(row, marks)
            exceptions.held += isNew ? 1 : 0
        }
        guard isRead else { return }
        exceptions.isClosed = true
        self = exceptions
    }

    private mutating func closeInMemory() {
        var exceptions = Array(repeating: Part(), count: Self.parts)
        for number in parts.indices {
            for row in parts[number].rows where !row.marks.isEmpty {
                guard !row.marks.contains(.present) || row.marks.contains(.kept) else { continue }
                _ = exceptions[number].insert(row, row.marks)
            }
        }
        self.exceptions = exceptions
    }

    private mutating func spill() {
        guard held > 0, unspilled == nil else { return }
        do throws(ScratchFile.Failure) {
            run = try merged()
        } catch {
            unspilled = error.reason
            return
        }
        parts = Array(repeating: Part(), count: Self.parts)
        held = 0
        listed = ListedBits(run?.count ?? 0)
    }

    // The parts are in the order of their places, and so are the rows of a run.
    private func merged() throws(ScratchFile.Failure) -> SlotRun {
        var writer = try SlotRunWriter(in: room.folder)
        var failed: ScratchFile.Failure?
        var number = 0
        var rows = parts[0].sorted()
        var place = 0
        func append(upTo end: Fingerprint?) throws(ScratchFile.Failure) {
            while true {
                while place == rows.count {
                    number += 1
                    guard number < Self.parts else {
                        number = Self.parts - 1
                        return
                    }
                    (rows, place) = (parts[number].sorted(), 0)
                }
                if let end, !rows[place].precedes(end) { return }
                try writer.append(rows[place])
                place += 1
            }
        }
        let isRead = run?.each { _, row in
            guard failed == nil else { return }
            do throws(ScratchFile.Failure) {
                try append(upTo: row)
                try writer.append(row)
            } catch {
                failed = error
            }
        }
        if let failed { throw failed }
        if isRead == false, let failure = run?.failure { throw ScratchFile.Failure(failure) }
        try append(upTo: nil)
        return try writer.end()
    }
}

extension SlotTable.Part {
    /// Notes a place and what is said of it; whether it is a new one.
    fileprivate mutating func insert(_ place: Fingerprint, _ said: SlotMarks) -> Bool {
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
    fileprivate mutating func replace(_ place: Fingerprint, _ marks: SlotMarks) {
        let index = find(place)
        guard rows[index].marks.isEmpty else { return set(index, place, marks) }
        _ = insert(place, marks)
    }

    fileprivate func marks(of place: Fingerprint) -> SlotMarks { rows[find(place)].marks }

    fileprivate mutating func mark(_ place: Fingerprint, _ more: SlotMarks) -> SlotMarks {
        let index = find(place)
        let marks = rows[index].marks
        if !marks.isEmpty, !marks.isSuperset(of: more) { set(index, place, marks.union(more)) }
        return marks
    }

    /// All rows in the order of their places.
    fileprivate func sorted() -> [Fingerprint] {
        var taken = rows.filter { !$0.marks.isEmpty }
        taken.sort { $0.precedes($1) }
        return taken
    }

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
    // The row of so many at which a place is looked for first, whatever its marks.
    fileprivate func home(of rows: Int) -> Int {
        Int(truncatingIfNeeded: with([]).low.multipliedFullWidth(by: UInt64(rows)).high)
    }
}
