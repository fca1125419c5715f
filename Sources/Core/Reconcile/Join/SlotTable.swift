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
    private var parts = SlotParts()
    private let room: JoinRoom
    // Rows in memory.
    private var held = 0
    private(set) var run: SlotRun?
    // What was listed of the run's places, by their numbers.
    private var listed = ListedBits()
    // Whether only those rows are in memory about which the file tells too little.
    private var isClosed = false
    // Where nothing lies in a file, those rows once more, which a core's own memory holds; nil
    // before `close`.
    private var exceptions: SlotParts?
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
        if parts.insert(place, said.union(.referenced)) {
            held += 1
            if held >= room.places { spill() }
        }
    }

    /// Notes references to many places, each with what its record says as its marks: as if they
    /// came one by one, but on all cores.
    mutating func insert(_ rows: [Fingerprint]) {
        var rest = rows[...]
        while !rest.isEmpty {
            // No more than there is room for.
            let some = unspilled == nil ? rest.prefix(max(1, room.places - held)) : rest
            held += some.withUnsafeBufferPointer { parts.insert($0, .referenced) }
            if held >= room.places { spill() }
            rest = rest[some.endIndex...]
        }
    }

    /// What is known of a place; nothing where no record references it.
    func marks(of place: Fingerprint) -> SlotMarks {
        let marks = parts.marks(of: place)
        guard let run, !isClosed || marks.isEmpty else { return marks }
        return marks.together(self.marks(of: place, in: run))
    }

    /// The same of a place that was inserted: where the table is closed, without a look into the
    /// file. Of any other place it is told wrongly then.
    func marks(ofReferenced place: Fingerprint) -> SlotMarks {
        guard isClosed || exceptions != nil else { return marks(of: place) }
        let marks = isClosed ? parts.marks(of: place) : exceptions?.marks(of: place) ?? []
        return marks.isEmpty ? [.referenced, .present] : marks
    }

    /// Adds to what is known of a place, and gives what was known before; nothing is changed where
    /// no record references it.
    mutating func mark(_ place: Fingerprint, _ marks: SlotMarks) -> SlotMarks {
        guard let run else {
            let before = parts.mark(place, marks)
            if !before.isEmpty { exceptions?.replace(place, before.union(marks)) }
            return before
        }
        guard isClosed else {
            let known = parts.mark(place, marks)
            return known.together(mark(place, marks, in: run))
        }
        let before = self.marks(of: place)
        if !before.isEmpty, !before.isSuperset(of: marks) {
            held += parts.insert(place, before.union(marks)) ? 1 : 0
        }
        return before
    }

    /// The same of many places, as if they came one by one, but on all cores; before `close`.
    mutating func mark(_ places: [Fingerprint], _ marks: SlotMarks) -> [SlotMarks] {
        guard run == nil, exceptions == nil else { return places.map { mark($0, marks) } }
        return places.withUnsafeBufferPointer { parts.mark($0, marks) }
    }

    /// The same of places in their order, of which the file has most.
    mutating func mark(
        sorted places: some RandomAccessCollection<Fingerprint> & Sendable, _ marks: SlotMarks,
        _ receive: (_ before: SlotMarks) -> Void
    ) {
        guard let run, !isClosed else {
            for place in places { receive(mark(place, marks)) }
            return
        }
        run.find(places) { place, found in
            let known = parts.mark(place, marks)
            receive(known.together(add(marks, to: found)))
        }
    }

    /// Takes back that an object was listed at a place that records reference; behind `close`.
    mutating func unlist(_ place: Fingerprint) {
        let left = marks(of: place).subtracting(.present)
        guard !left.isEmpty else { return }
        parts.replace(place, left)
        exceptions?.replace(place, left)
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
            let isNew = exceptions.parts.insert(row, marks)
            exceptions.held += isNew ? 1 : 0
        }
        guard isRead else { return }
        exceptions.isClosed = true
        self = exceptions
    }

    private mutating func closeInMemory() {
        var exceptions = SlotParts()
        parts.each { row in
            guard !row.marks.contains(.present) || row.marks.contains(.kept) else { return }
            _ = exceptions.insert(row, row.marks)
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
        parts = SlotParts()
        held = 0
        listed = ListedBits(run?.count ?? 0)
    }

    // The parts are in the order of their places, and so are the rows of a run.
    private func merged() throws(ScratchFile.Failure) -> SlotRun {
        var writer = try SlotRunWriter(in: room.folder)
        var failed: ScratchFile.Failure?
        var number = 0
        var rows = parts.sorted(0)
        var place = 0
        func append(upTo end: Fingerprint?) throws(ScratchFile.Failure) {
            while true {
                while place == rows.count {
                    number += 1
                    guard number < SlotParts.count else {
                        number = SlotParts.count - 1
                        return
                    }
                    (rows, place) = (parts.sorted(number), 0)
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
