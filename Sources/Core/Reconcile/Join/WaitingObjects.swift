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

    // Adds objects of a slab, by their numbers in it.
    fileprivate mutating func add(
        _ numbers: [Int], of slab: ObjectSlab, _ maker: FingerprintMaker, bucket: Int
    ) {
        slab.withEntries { content, entries in
            for number in numbers {
                let entry = entries[number]
                rows.append(
                    Row(
                        place: maker.make(
                            UnsafeBufferPointer(rebasing: content[entry.key]),
                            tag: SlotTag.exact(bucket)),
                        slab: UInt32(slabs.count), number: UInt32(number),
                        isEmpty: entry.size == 0))
            }
        }
        slabs.append(slab)
        bytes += slab.room + numbers.count * MemoryLayout<Row>.stride
    }

    // All rows in the order of their places, half of them on each of two cores.
    fileprivate mutating func takeSorted() -> [Row] {
        let middle = rows.partition { $0.place.high >> 63 != 0 }
        let all = rows
        rows = []
        // Of an object that is listed twice the first comes first.
        func precedes(_ one: Row, _ other: Row) -> Bool {
            one.place.isAt(other.place)
                ? (one.slab, one.number) < (other.slab, other.number)
                : one.place.precedes(other.place)
        }
        let (lower, upper) = Cores.both {
            all[..<middle].sorted(by: precedes)
        } and: {
            all[middle...].sorted(by: precedes)
        }
        return lower + upper
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

    /// Has objects of a slab wait, by their numbers in it.
    package func add(
        _ numbers: [Int], of slab: ObjectSlab, bucket: Int, to waiting: inout WaitingObjects
    ) {
        waiting.add(numbers, of: slab, fingerprints.maker, bucket: bucket)
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
        fingerprints.table.mark(rows.lazy.map(\.place), .present) { marks.append($0) }
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
