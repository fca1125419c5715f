import MooringText
import Synchronization

/// Places sorted by their fingerprints in a scratch file, sixteen bytes each, with what records say
/// of them. A look reads one block of 64 of them.
///
/// Where the file cannot be read any more, every place counts as referenced and listed, so that
/// nothing is found to be missing or to be needed by nobody, and `failure` says why.
final class SlotRun: Sendable {
    /// How many places there are.
    let count: Int

    /// Where they lie.
    let file: ScratchFile
    // The upper half of each block's first fingerprint.
    private let fences: [UInt64]
    private let failed = Mutex<String?>(nil)
    // Whether there is a reason: asked for every place.
    private let hasFailed = Atomic(false)

    fileprivate static let block = 64
    fileprivate static let stride = MemoryLayout<Fingerprint>.stride

    fileprivate init(_ file: ScratchFile, count: Int, fences: [UInt64]) {
        (self.file, self.count, self.fences) = (file, count, fences)
    }

    /// Why the file could not be read or written; nil while it can.
    var failure: String? { failed.withLock { $0 } }

    /// Gives all places with their marks in their lowest bits, in their order and by their numbers
    /// in it; false where they cannot be read.
    func each(_ receive: (_ number: Int, _ row: Fingerprint) -> Void) -> Bool {
        var room: [Fingerprint] = []
        var index = 0
        while index < count {
            let size = min(Self.block * 64, count - index)
            guard read(index, size, into: &room) else { return false }
            for (place, row) in room.enumerated() { receive(index + place, row) }
            index += size
        }
        return true
    }

    /// The number of a place in their order, and its marks; without a number where the file cannot
    /// be read.
    typealias Found = (number: Int?, marks: SlotMarks)

    /// What there is of a place; nil where it is not here.
    func find(_ place: Fingerprint) -> Found? {
        guard !hasFailed.load(ordering: .relaxed) else { return (nil, .unreadable) }
        var number = block(of: place, from: share(of: place))
        while true {
            let start = number * Self.block
            let size = min(Self.block, count - start)
            let found = withUnsafeTemporaryAllocation(of: Fingerprint.self, capacity: size) {
                room -> Found? in
                do throws(ScratchFile.Failure) {
                    try file.read(
                        into: UnsafeMutableRawBufferPointer(room), at: start * Self.stride)
                } catch {
                    fail(error)
                    return (nil, .unreadable)
                }
                return room.firstIndex { $0.isAt(place) }.map { (start + $0, room[$0].marks) }
            }
            // What shares the upper half may begin in the block before.
            if found != nil || number == 0 || fences[number] != place.high { return found }
            number -= 1
        }
    }

    // Fingerprints spread evenly: the block is close to where its share of all says.
    private func share(of place: Fingerprint) -> Int {
        Int(truncatingIfNeeded: place.high.multipliedFullWidth(by: UInt64(fences.count)).high)
    }

    // The block in which a place lies, if it is here, looked for from another one on.
    private func block(of place: Fingerprint, from start: Int) -> Int {
        var number = start
        while number + 1 < fences.count, fences[number + 1] <= place.high { number += 1 }
        while number > 0, fences[number] > place.high { number -= 1 }
        return number
    }

    // So many blocks are read at once where most of them are asked for.
    private static let together = 64
    // Of so many places answers are held.
    private static let foundAtOnce = 1 << 16

    /// Gives of places in their order what `find` tells of each. Where they are many, what lies
    /// side by side in the file is read at once, by all cores.
    func find(
        _ places: some RandomAccessCollection<Fingerprint> & Sendable,
        _ receive: (_ place: Fingerprint, _ found: Found?) -> Void
    ) {
        let areMany = places.count * 4 >= fences.count
        var rest = places[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.foundAtOnce)
            let found = Cores.map(some.count, least: Self.together * Self.block) { part in
                let start = some.index(some.startIndex, offsetBy: part.lowerBound)
                let own = some[start..<some.index(start, offsetBy: part.count)]
                return areMany ? findMany(own) : own.map(find)
            }
            for (place, found) in zip(some, found.joined()) { receive(place, found) }
            rest = rest[some.endIndex...]
        }
    }

    private func findMany(_ places: some RandomAccessCollection<Fingerprint>) -> [Found?] {
        var room: [Fingerprint] = []
        var read = 0..<0
        guard let first = places.first else { return [] }
        var number = share(of: first)
        return places.map { place in
            number = block(of: place, from: number)
            // What shares the upper half may begin in the block before.
            guard fences[number] != place.high, !hasFailed.load(ordering: .relaxed) else {
                return find(place)
            }
            if !read.contains(number) {
                let size = min(Self.together * Self.block, count - number * Self.block)
                guard self.read(number * Self.block, size, into: &room) else { return find(place) }
                read = number..<number + (size + Self.block - 1) / Self.block
            }
            let start = (number - read.lowerBound) * Self.block
            let index = Self.index(of: place, in: room, start..<min(start + Self.block, room.count))
            return index.map { (number: number * Self.block + $0 - start, marks: room[$0].marks) }
        }
    }

    // The place's index among rows in order; nil where it is none of them.
    private static func index(
        of place: Fingerprint, in rows: [Fingerprint], _ range: Range<Int>
    ) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].precedes(place) { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && rows[low].isAt(place) ? low : nil
    }

    private func read(_ index: Int, _ size: Int, into room: inout [Fingerprint]) -> Bool {
        room = Array(repeating: Fingerprint(high: 0, low: 0), count: size)
        return room.withUnsafeMutableBytes { bytes in
            do throws(ScratchFile.Failure) {
                try file.read(into: bytes, at: index * Self.stride)
                return true
            } catch {
                fail(error)
                return false
            }
        }
    }

    private func fail(_ error: ScratchFile.Failure) {
        failed.withLock { $0 = $0 ?? error.reason }
        hasFailed.store(true, ordering: .relaxed)
    }
}

extension SlotMarks {
    /// Of a place that cannot be looked up: nothing may follow from it.
    fileprivate static let unreadable: SlotMarks = [.referenced, .live, .present]
}

extension Fingerprint {
    // Eight bits of the lower half give way to the marks.
    fileprivate static let markBits: UInt64 = 0xFF

    /// The marks of a row.
    var marks: SlotMarks { SlotMarks(rawValue: UInt8(truncatingIfNeeded: low)) }

    /// A row of this place with marks.
    func with(_ marks: SlotMarks) -> Fingerprint {
        Fingerprint(high: high, low: low & ~Self.markBits | UInt64(marks.rawValue))
    }

    /// Whether a row and a place, or two rows, are of one place.
    func isAt(_ other: Fingerprint) -> Bool {
        high == other.high && (low ^ other.low) & ~Self.markBits == 0
    }

    /// The order of rows by their places.
    func precedes(_ other: Fingerprint) -> Bool {
        high == other.high
            ? low & ~Self.markBits < other.low & ~Self.markBits : high < other.high
    }
}

/// Merges sorted places into a new run.
struct SlotRunWriter {
    private let file: ScratchFile
    private var count = 0
    private var fences: [UInt64] = []
    private var waiting: [Fingerprint] = []

    private static let room = SlotRun.block * 64

    /// A writer of a new file in a folder.
    init(in folder: String) throws(ScratchFile.Failure) {
        file = try ScratchFile(in: folder)
        waiting.reserveCapacity(Self.room)
    }

    /// Appends the next row; of two rows of one place one is made. None precedes an earlier one.
    mutating func append(_ row: Fingerprint) throws(ScratchFile.Failure) {
        if let last = waiting.last, last.isAt(row) {
            waiting[waiting.count - 1] = row.with(last.marks.together(row.marks))
            return
        }
        // The last row stays, since the next one may be of its place.
        if waiting.count == Self.room { try write(Self.room - 1) }
        if count + waiting.count == fences.count * SlotRun.block { fences.append(row.high) }
        waiting.append(row)
    }

    /// The run of what was appended.
    mutating func end() throws(ScratchFile.Failure) -> SlotRun {
        try write(waiting.count)
        return SlotRun(file, count: count, fences: fences)
    }

    private mutating func write(_ rows: Int) throws(ScratchFile.Failure) {
        try file.write(waiting[..<rows], at: count * SlotRun.stride)
        waiting.removeFirst(rows)
        count += rows
    }
}
