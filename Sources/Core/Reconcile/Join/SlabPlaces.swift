package import MooringModel
import MooringText

/// The places of a slab's objects, found by all cores; those that the join does not speak of alone
/// are left to others.
struct SlabPlaces {
    /// The objects that the join alone speaks of, by their numbers in the slab, in their order.
    private(set) var plain: [(number: Int, place: Fingerprint)] = []
    /// The numbers of all others, in their order.
    private(set) var others: [Int] = []

    // Fewer objects are looked at by one core alone.
    private static let fewest = 256

    /// The places of a slab's objects in a bucket; by an object's key `isPlain` tells whether the
    /// join alone speaks of it.
    init(
        _ slab: ObjectSlab, bucket: Int, _ maker: FingerprintMaker,
        where isPlain: (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        let tag = SlotTag.exact(bucket)
        let parts = slab.withEntries { content, entries in
            Cores.map(entries.count, least: Self.fewest) { part in
                var (plain, others): ([(number: Int, place: Fingerprint)], [Int]) = ([], [])
                plain.reserveCapacity(part.count)
                for number in part {
                    let key = UnsafeBufferPointer(rebasing: content[entries[number].key])
                    if isPlain(key) {
                        plain.append((number, maker.make(key, tag: tag)))
                    } else {
                        others.append(number)
                    }
                }
                return (plain: plain, others: others)
            }
        }
        for part in parts {
            plain += part.plain
            others += part.others
        }
    }
}

/// What the join says of a slab's objects.
package struct SlabMatch {
    /// What it says of one of them.
    package struct Found {
        /// The object's number in the slab.
        package let number: Int
        /// Whether any record references it.
        package let isReferenced: Bool
        /// Whether it has to be kept, since it may be part of a finding.
        package let isKept: Bool
    }

    /// The objects that have to be kept, or that no record references, in their order.
    package fileprivate(set) var found: [Found] = []
    /// The numbers of those that the join does not speak of alone, in their order.
    package let others: [Int]
}

extension Reconciler {
    /// Matches those objects of a slab of whose keys the join alone speaks, as `isPlain` says.
    package mutating func match(
        _ slab: ObjectSlab, bucket: Int, where isPlain: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> SlabMatch {
        let places = SlabPlaces(slab, bucket: bucket, fingerprints.maker, where: isPlain)
        var match = SlabMatch(others: places.others)
        guard !restrictsReaders, fingerprints.heads.isEmpty else {
            slab.withEntries { content, entries in
                for (number, _) in places.plain {
                    let found = self.match(
                        UnsafeBufferPointer(rebasing: content[entries[number].key]),
                        bucket: bucket, isEmpty: entries[number].size == 0)
                    match.add(number, found.isReferenced, found.isKept)
                }
            }
            return match
        }
        let marks = fingerprints.table.mark(places.plain.map(\.place), .present)
        slab.withEntries { _, entries in
            for ((number, place), marks) in zip(places.plain, marks) {
                let found = fingerprints.listed(
                    place, marks, Fingerprints.ListedLook(isEmpty: entries[number].size == 0))
                if found.isRepeated { repeatedObjects[bucket] += 1 }
                match.add(number, found.isReferenced, found.isKept)
            }
        }
        return match
    }
}

extension SlabMatch {
    fileprivate mutating func add(_ number: Int, _ isReferenced: Bool, _ isKept: Bool) {
        guard isKept || !isReferenced else { return }
        found.append(Found(number: number, isReferenced: isReferenced, isKept: isKept))
    }
}
