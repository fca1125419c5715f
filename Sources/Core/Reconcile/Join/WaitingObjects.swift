package import MooringModel
import MooringText

/// Listed objects of one bucket that are matched together, since the places that records reference
/// lie in a file: in their order each block of it is read once for all of them.
package struct WaitingObjects {
    /// An object by its place in the bucket and where it stands.
    struct Row {
        /// Its place.
        let place: Fingerprint
        /// The number of its slab among those that wait.
        let slab: UInt32
        /// Its number in the slab.
        let number: UInt32
        /// Whether it has no content.
        let isEmpty: Bool
    }

    private var slabs: [ObjectSlab] = []
    private var rows: [Row] = []
    /// About how many bytes they take.
    package private(set) var bytes = 0

    /// None.
    package init() {}

    /// Whether none waits.
    package var isEmpty: Bool { rows.isEmpty }

    // Adds objects of a slab, by their numbers in it and their places.
    fileprivate mutating func add(_ own: [(number: Int, place: Fingerprint)], of slab: ObjectSlab) {
        slab.withEntries { _, entries in
            for (number, place) in own {
                rows.append(
                    Row(
                        place: place, slab: UInt32(slabs.count), number: UInt32(number),
                        isEmpty: entries[number].size == 0))
            }
        }
        slabs.append(slab)
        bytes += slab.room + own.count * MemoryLayout<Row>.stride
    }

    // As many heaps as the first bits of a place tell apart, each small enough to be sorted fast.
    private static let heapBits: UInt64 = 10

    // All rows in the order of their places, sorted by all cores.
    fileprivate mutating func takeSorted() -> [Row] {
        func heap(_ row: Row) -> Int {
            Int(truncatingIfNeeded: row.place.high >> (64 - Self.heapBits))
        }
        let all = rows
        rows = []
        if all.isEmpty { return [] }
        var ends = Array(repeating: 0, count: 1 << Self.heapBits)
        for row in all { ends[heap(row)] += 1 }
        var places = ends
        var sum = 0
        for number in ends.indices {
            places[number] = sum
            sum += ends[number]
            ends[number] = sum
        }
        return Array(unsafeUninitializedCapacity: all.count) { sorted, count in
            for row in all {
                let heap = heap(row)
                sorted.initializeElement(at: places[heap], to: row)
                places[heap] += 1
            }
            count = all.count
            // Each core sorts heaps of its own.
            nonisolated(unsafe) let sorted = sorted
            let few = ends.count / max(1, all.count / Self.fewest)
            _ = Cores.map(ends.count, least: max(1, few)) { own in
                for number in own {
                    let start = number == 0 ? 0 : ends[number - 1]
                    var heap = UnsafeMutableBufferPointer(rebasing: sorted[start..<ends[number]])
                    heap.sort(by: Self.precedes)
                }
            }
        }
    }

    // Fewer are sorted by one core alone.
    private static let fewest = 1_000

    // Of an object that is listed twice the first comes first.
    private static func precedes(_ one: Row, _ other: Row) -> Bool {
        one.place.isAt(other.place)
            ? (one.slab, one.number) < (other.slab, other.number)
            : one.place.precedes(other.place)
    }

    fileprivate func object(_ row: Row) -> ListedObject {
        slabs[Int(row.slab)].object(Int(row.number))
    }
}

extension Reconciler {
    /// So many bytes of objects may wait to be matched together; 0 where each is matched at once.
    package var waitingRoom: Int {
        restrictsReaders || !fingerprints.heads.isEmpty ? 0 : fingerprints.table.waitingRoom
    }

    /// Has those objects of a slab wait of whose keys the join alone speaks, as `isPlain` says, and
    /// gives the numbers of all others.
    package func add(
        _ slab: ObjectSlab, bucket: Int, to waiting: inout WaitingObjects,
        where isPlain: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> [Int] {
        let places = SlabPlaces(slab, bucket: bucket, fingerprints.maker, where: isPlain)
        if !places.plain.isEmpty { waiting.add(places.plain, of: slab) }
        return places.others
    }

    /// Matches the objects that wait, and gives those that no record references or that have to be
    /// kept, in the order in which they were listed. None waits any longer.
    package mutating func match(
        _ waiting: inout WaitingObjects, bucket: Int,
        _ receive: (_ object: ListedObject, _ isReferenced: Bool, _ isKept: Bool) -> Void
    ) {
        var taken = WaitingObjects()
        swap(&taken, &waiting)
        let rows = taken.takeSorted()
        var marks: [SlotMarks] = []
        marks.reserveCapacity(rows.count)
        fingerprints.table.mark(sorted: rows.lazy.map(\.place), .present) { marks.append($0) }
        var found: [(row: WaitingObjects.Row, listed: Fingerprints.Listed)] = []
        for (row, marks) in zip(rows, marks) {
            let listed = fingerprints.listed(
                row.place, marks, Fingerprints.ListedLook(isEmpty: row.isEmpty))
            if listed.isRepeated { repeatedObjects[bucket] += 1 }
            if listed.isKept || !listed.isReferenced { found.append((row, listed)) }
        }
        found.sort { ($0.row.slab, $0.row.number) < ($1.row.slab, $1.row.number) }
        for (row, listed) in found {
            receive(taken.object(row), listed.isReferenced, listed.isKept)
        }
    }
}
