package import MooringDecisions
package import MooringModel

/// A place below which nearly everything that records mean is gone at once: no device does that.
package struct VanishedPrefix: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// How the keys begin: up to an identity's end, or the first part of their path.
    package let head: [UInt8]
    /// The dangling references below it.
    package let dangling: Int
    /// The objects that references mean below it.
    package let meant: Int
    /// Those of them that are there.
    package let present: Int
    /// The references below it that miss their objects in all buckets together: what an answer
    /// about it has to cover.
    package var missing = 0
}

/// How keys of a bucket begin.
package struct VanishedPlace: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// What the keys begin with.
    package let head: [UInt8]

    /// A beginning of keys.
    package init(bucket: Int, head: [UInt8]) {
        self.bucket = bucket
        self.head = head
    }

    /// The bucket's number in two bytes, and the beginning.
    var name: [UInt8] {
        [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket)] + head
    }
}

/// Dangling references whose prefix vanished.
package struct VanishedReferences: Sendable {
    /// Every prefix that vanished, those below others too, with its dangling references: what a
    /// later run has to remember.
    package var gone: [VanishedPlace: Int] = [:]
    /// What was remembered and has not vanished any more: an object below it is referenced, or what
    /// is missing there was answered for.
    package var ended: Set<VanishedPlace> = []
    /// The prefixes, those that hold others first.
    package var prefixes: [VanishedPrefix] = []
    /// By the number of the dangling candidate, the place of its prefix in `prefixes`.
    package var places: [Int: Int] = [:]
    /// The candidates with so many others under other prefixes that theirs was not counted.
    package var uncounted: Set<Int> = []
    /// What has to be said about all of them together.
    package var notes: [String] = []

    /// None.
    package init() {}

    /// How a dangling reference lies to what vanished.
    package enum Position: Hashable, Sendable {
        /// So many other prefixes miss objects that its own was not counted.
        case uncounted
        /// It lies below this one.
        case below(VanishedPrefix)
    }

    /// How the dangling candidate of a number lies to it; nil where nothing vanished beside it.
    package func position(of number: Int) -> Position? {
        uncounted.contains(number) ? .uncounted : places[number].map { .below(prefixes[$0]) }
    }
}

/// Finds the prefixes that vanished: references of 5 records or more, or 10 references, point below
/// one, and under a tenth of what they mean is there. What came there since the loss says nothing
/// of what is lost: a prefix that vanished in an earlier run has vanished until no more than half
/// of what was missing then is.
///
/// Only prefixes of dangling references are counted, at most `limit` of them; references below
/// further ones are `uncounted`, which is a doubt as well.
package struct VanishedPrefixSearch {
    private let levels: [AccessLevel]
    private let buckets: [BucketMapping]
    private let limit: Int

    /// The most prefixes that are counted: so many users' files are never missed at once.
    package static let prefixLimit = 100_000
    /// So many records that miss something below a prefix.
    static let recordsNeeded = 5
    /// So many references; a list of one record holds many.
    static let referencesNeeded = 10

    /// A search under the levels and buckets of a configuration.
    package init(
        levels: [AccessLevel], buckets: [BucketMapping], limit: Int = Self.prefixLimit
    ) {
        self.levels = levels
        self.buckets = buckets
        self.limit = limit
    }

    /// Counts what the join holds of references below the prefixes of the candidates that are not
    /// `exempt`; what is exempt counts nowhere as missing. Of what vanished before, the number that
    /// was missing is remembered.
    package func count(
        _ candidates: [DanglingCandidate], in reconciler: Reconciler,
        remembered: [VanishedPlace: Int] = [:],
        exempt: (_ bucket: Int, _ key: ObjectKey) -> Bool
    ) -> VanishedCount {
        var counts = VanishedCount.Counts(limit: limit, remembered: remembered)
        var heads: [Int: [Int]] = [:]
        var answered: Set<Int> = []
        var found = VanishedReferences()
        for (number, candidate) in candidates.enumerated() {
            guard let bucket = candidate.bucket else { continue }
            let keys = candidate.patterns.compactMap(\.exactKey)
            let names = self.heads(of: keys, in: bucket)
            guard !keys.contains(where: { exempt(bucket, $0) }) else {
                answered.formUnion(names.compactMap(counts.number))
                continue
            }
            let numbers = names.compactMap { counts.add($0) }
            if numbers.count < names.count { found.uncounted.insert(number) }
            for place in numbers { counts.dangling[place] += 1 }
            if !numbers.isEmpty { heads[number] = numbers }
        }
        var count = VanishedCount(
            counts: counts, heads: heads, answered: answered, found: found, remembered: remembered)
        guard !heads.isEmpty || !remembered.isEmpty else { return count }
        reconciler.eachReference { bucket, patterns, record, isPresent in
            let keys = patterns.compactMap(\.exactKey)
            guard isPresent || !keys.contains(where: { exempt(bucket, $0) }) else { return }
            for head in self.heads(of: keys, in: bucket) {
                guard let place = count.counts.number(of: head) else { continue }
                count.counts.count(place, record, isPresent: isPresent)
            }
        }
        count.close()
        return count
    }

    /// What an engine left out may lie below the prefixes of the candidates, and of what vanished
    /// before: as much of it is needed as can change what is found, and told.
    package func needs(
        _ candidates: [DanglingCandidate], in reconciler: Reconciler,
        remembered: [VanishedPlace: Int]
    ) -> Set<NarrowingNeed> {
        VanishedPrefixSearch(levels: levels, buckets: buckets, limit: .max)
            .count(candidates, in: reconciler, remembered: remembered) { _, _ in false }.needs
    }

    /// Adds a reference that fingerprints matched, whose object is there; false when more of them
    /// cannot change what is found.
    package func add(_ patterns: [KeyPattern], bucket: Int, to count: inout VanishedCount) -> Bool {
        for head in heads(of: patterns.compactMap(\.exactKey), in: bucket) {
            if let place = count.counts.number(of: head) { count.see(place) }
        }
        return count.isOpen
    }

    /// What was found, once all was counted.
    package func collect(_ count: VanishedCount) -> VanishedReferences {
        var found = count.found
        guard !count.heads.isEmpty || !count.remembered.isEmpty else { return found }
        found = collect(count.counts, count.heads, found)
        // What was not counted may be missed below any of them. Where this run read no reference,
        // since its model is not mapped for now, nothing is back.
        if found.uncounted.isEmpty {
            found.ended = Set(
                count.remembered.keys.filter { place in
                    guard found.gone[place] == nil else { return false }
                    guard let number = count.counts.number(of: place.name) else { return false }
                    return count.counts.isSeen(number) || count.answered.contains(number)
                })
        }
        return found
    }

    // The longest prefix stands for those below it: one answer about it ends them all.
    private func collect(
        _ counts: VanishedCount.Counts, _ heads: [Int: [Int]], _ begun: VanishedReferences
    ) -> VanishedReferences {
        var found = begun
        var places: [Int: Int] = [:]
        let all = Set(heads.values.joined()).filter { counts.isGone($0) }
        for number in all {
            let prefix = counts.prefix(number)
            found.gone[VanishedPlace(bucket: prefix.bucket, head: prefix.head)] = prefix.dangling
        }
        for (candidate, numbers) in heads.sorted(by: { $0.key < $1.key }) {
            let gone = numbers.filter(all.contains)
            guard let widest = gone.min(by: { counts.length($0) < counts.length($1) }) else {
                continue
            }
            if places[widest] == nil {
                places[widest] = found.prefixes.count
                found.prefixes.append(counts.prefix(widest))
            }
            found.places[candidate] = places[widest]
        }
        return found
    }

    // Each way to end a key's beginning: behind the first part of its path, counted also from the
    // end of a level or of a configured prefix, and behind an identity.
    private func heads(of keys: [ObjectKey], in bucket: Int) -> [[UInt8]] {
        var heads: [[UInt8]] = []
        func add(_ length: Int, of key: ObjectKey) {
            let head = VanishedPlace(bucket: bucket, head: Array(key.bytes[..<length])).name
            if !heads.contains(head) { heads.append(head) }
        }
        for key in keys {
            var starts = [0]
            for level in levels where key.hasPrefix(level.head) {
                starts.append(level.head.count)
                guard let tail = level.tail else { continue }
                if let end = Self.identityEnd(key, level.head.count, tail) { add(end, of: key) }
            }
            starts += buckets[bucket].prefixes.filter { key.hasPrefix($0.bytes) }.map(\.bytes.count)
            for start in starts {
                let slash = key.bytes[start...].firstIndex(of: UInt8(ascii: "/"))
                if let slash { add(slash + 1, of: key) }
            }
        }
        return heads
    }

    private static func identityEnd(_ key: ObjectKey, _ start: Int, _ tail: [UInt8]) -> Int? {
        let rest = key.bytes[start...]
        let segment = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard segment > start else { return nil }
        let end = (start + 1...segment).first { rest[$0...].starts(with: tail) }
        return end.map { $0 + tail.count }
    }
}

extension KeyPattern {
    /// The key where it is one.
    fileprivate var exactKey: ObjectKey? {
        guard case .exact(let key) = self else { return nil }
        return key
    }
}
