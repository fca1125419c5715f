package import MooringDecisions
import MooringModel

/// What the search for vanished prefixes has counted so far.
package struct VanishedCount {
    /// What is counted of each prefix so far.
    var counts: Counts
    /// By the number of a dangling candidate, the prefixes that it lies below.
    let heads: [Int: [Int]]
    /// Prefixes below which somebody answered for what is missing.
    let answered: Set<Int>
    /// What is known beside the counts.
    let found: VanishedReferences
    /// The prefixes that vanished in an earlier run, with how many references missed something
    /// below.
    let remembered: [VanishedPlace: Int]
    // Prefixes that may have vanished or not, until more of what is there is seen below them.
    private var open: Set<Int> = []

    /// Counts of the candidates.
    init(
        counts: Counts, heads: [Int: [Int]], answered: Set<Int>, found: VanishedReferences,
        remembered: [VanishedPlace: Int]
    ) {
        (self.counts, self.heads, self.answered) = (counts, heads, answered)
        (self.found, self.remembered) = (found, remembered)
    }

    /// Whether references whose objects are there can still change what is found.
    package var isOpen: Bool { !open.isEmpty || !remembered.isEmpty }

    /// What else lies below each prefix that may be gone. A share of what is missing ends it, and
    /// all that is missing is more than that; below one that vanished before all counts.
    var needs: Set<NarrowingNeed> {
        var needs: Set<NarrowingNeed> = []
        for number in counts.all {
            let prefix = counts.prefix(number)
            let isRemembered =
                remembered[VanishedPlace(bucket: prefix.bucket, head: prefix.head)] != nil
            let missing = prefix.meant - prefix.present
            guard isRemembered || missing >= VanishedPrefixSearch.recordsNeeded else { continue }
            let enough = isRemembered ? (prefix.dangling > 0 ? nil : 1) : missing
            needs.insert(NarrowingNeed(.head, prefix.bucket, prefix.head, enough: enough))
        }
        return needs
    }

    /// Takes note that everything missing was counted: a few missing ones are no loss at once,
    /// whatever is there.
    mutating func close() {
        open = Set(heads.values.joined()).filter { counts.mayBeGone($0) }
    }

    /// Counts a reference whose object is there.
    mutating func see(_ place: Int) {
        counts.count(place, nil, isPresent: true)
        if open.contains(place), !counts.mayBeGone(place) { open.remove(place) }
    }

    /// What is counted of each prefix.
    struct Counts {
        private var names = ByteTable()
        private let limit: Int
        private let remembered: [VanishedPlace: Int]
        /// The dangling references below each.
        var dangling: [Int] = []
        private var meant: [Int] = []
        private var present: [Int] = []
        private var records: [[UInt32]] = []

        /// Counts of so many prefixes at most, those that vanished before among them.
        init(limit: Int, remembered: [VanishedPlace: Int]) {
            self.limit = limit
            self.remembered = remembered
            for place in remembered.keys { _ = add(place.name) }
        }

        /// The number of a prefix, which is added; nil where there are too many.
        mutating func add(_ head: [UInt8]) -> Int? {
            if let known = names.number(of: head) { return known }
            guard names.count < limit else { return nil }
            dangling.append(0)
            meant.append(0)
            present.append(0)
            records.append([])
            return names.insert(head)
        }

        /// The number of a prefix; nil where it is not counted.
        func number(of head: [UInt8]) -> Int? { names.number(of: head) }

        /// Counts a reference below a prefix, by its record where fingerprints did not match it.
        mutating func count(_ place: Int, _ record: UInt32?, isPresent: Bool) {
            meant[place] += 1
            if isPresent { present[place] += 1 }
            guard let record, records[place].count < VanishedPrefixSearch.recordsNeeded,
                !records[place].contains(record)
            else { return }
            records[place].append(record)
        }

        /// The numbers of all prefixes.
        var all: Range<Int> { 0..<names.count }

        /// Whether a prefix is gone as far as was counted, and may be when all is.
        func mayBeGone(_ place: Int) -> Bool {
            let missing = meant[place] - present[place]
            return missing >= VanishedPrefixSearch.recordsNeeded && present[place] * 9 < missing
        }

        /// Whether nearly everything below a prefix is gone, or what vanished before is missing
        /// still.
        func isGone(_ place: Int) -> Bool {
            let isMany =
                records[place].count >= VanishedPrefixSearch.recordsNeeded
                || meant[place] >= VanishedPrefixSearch.referencesNeeded
            if isMany, present[place] * 10 < meant[place] { return true }
            guard !remembered.isEmpty else { return false }
            let prefix = prefix(place)
            let known = remembered[VanishedPlace(bucket: prefix.bucket, head: prefix.head)]
            return known != nil && dangling[place] > 0
        }

        /// Whether an object that a reference means is there.
        func isSeen(_ place: Int) -> Bool { present[place] > 0 }

        /// How long a prefix is.
        func length(_ place: Int) -> Int { names.bytes(place).count }

        /// What was counted of a prefix.
        func prefix(_ place: Int) -> VanishedPrefix {
            let bytes = Array(names.bytes(place))
            return VanishedPrefix(
                bucket: Int(bytes[0]) << 8 | Int(bytes[1]), head: Array(bytes[2...]),
                dangling: dangling[place], meant: meant[place], present: present[place])
        }
    }
}

extension Reconciler {
    /// Each reference of a record without a tombstone that fingerprints did not match: the bucket,
    /// the places that it means, its record, and whether an object was listed at one. The others
    /// are given by `eachMatched`.
    package func eachReference(
        _ receive: (
            _ bucket: Int, _ patterns: [KeyPattern], _ record: UInt32, _ isPresent: Bool
        ) -> Void
    ) {
        eachLive { group, record, isPresent in
            let places = group.map { place(of: Int($0.slot)) }
            receive(places[0].bucket, places.map(\.pattern), record.original, isPresent)
        }
    }
}
