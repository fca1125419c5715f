import MooringDecisions
import MooringModel
import MooringReconcile
import MooringText

/// What a bucket's listing tells, batch by batch: the objects that count, and those of them that
/// no record references.
struct BucketListing {
    /// What of the objects belongs to others.
    private(set) var foreign: ForeignQuarantine
    /// What the guards compare.
    private(set) var judged = JudgedObjects()
    /// Objects that the bucket's prefixes cover.
    private(set) var objects = 0
    /// Their bytes.
    private(set) var bytes: Int64 = 0

    private let mapping: BucketMapping
    private let number: Int
    private let plain: PlainObjects
    private var waiting = WaitingObjects()
    private let listings: Int

    /// The listing of a bucket, by its number and its mapping, one of so many at once.
    init(_ mapping: BucketMapping, number: Int, holdsFolders: Bool, beside listings: Int = 1) {
        self.listings = listings
        self.mapping = mapping
        self.number = number
        foreign = ForeignQuarantine(mapping, holdsFolders: holdsFolders)
        plain = PlainObjects(mapping, holdsFolders: holdsFolders)
    }

    /// Counts what an engine left out.
    mutating func add(_ matched: MatchedObjects) {
        objects += matched.objects
        judged.count += matched.objects
        bytes = bytes.adding(matched.bytes)
    }

    /// Takes one batch.
    mutating func take(_ batch: ObjectBatch, into observations: inout Observations) {
        guard let slab = batch.slab, !plain.isOff else {
            return take(batch.objects, into: &observations)
        }
        let room = observations.join.waitingRoom / listings
        guard room == 0 else {
            let others = observations.join.add(
                slab, bucket: number, to: &waiting, where: plain.holds)
            count(slab, without: others)
            if !others.isEmpty { take(others.map(slab.object), into: &observations) }
            if waiting.bytes >= room { matchWaiting(&observations) }
            return
        }
        let match = observations.join.match(slab, bucket: number, where: plain.holds)
        count(slab, without: match.others)
        var others = match.others[...]
        for own in match.found {
            // In the order of the listing.
            while let other = others.first, other < own.number {
                take([slab.object(other)], into: &observations)
                others.removeFirst()
            }
            let object = slab.object(own.number)
            if own.isKept { observations.join.keep(object, bucket: number) }
            if !own.isReferenced {
                observations.orphans.append(OrphanCandidate(bucket: number, object: object))
            }
        }
        for other in others { take([slab.object(other)], into: &observations) }
    }

    // Counts the objects of a slab but for some of its numbers, which are in their order.
    private mutating func count(_ slab: ObjectSlab, without others: [Int]) {
        objects += slab.count - others.count
        judged.count += slab.count - others.count
        slab.withEntries { _, entries in
            var others = others[...]
            for (number, entry) in entries.enumerated() {
                if number == others.first {
                    others.removeFirst()
                } else {
                    bytes = bytes.adding(entry.size)
                }
            }
        }
    }

    /// Ends the listing: what still waits is matched. Gives what is wrong with what belongs to
    /// others.
    mutating func end(into observations: inout Observations) -> [ScanProblem] {
        if !waiting.isEmpty { matchWaiting(&observations) }
        return foreign.problems
    }

    private mutating func matchWaiting(_ observations: inout Observations) {
        var (kept, orphans): ([ListedObject], [OrphanCandidate]) = ([], [])
        observations.join.match(&waiting, bucket: number) { object, isReferenced, isKept in
            if isKept { kept.append(object) }
            if !isReferenced { orphans.append(OrphanCandidate(bucket: number, object: object)) }
        }
        for object in kept { observations.join.keep(object, bucket: number) }
        observations.orphans += orphans
    }

    private mutating func take(_ batch: [ListedObject], into observations: inout Observations) {
        // Also a link outside the prefixes leads to something that is needed.
        for object in batch where object.isLink {
            let isReferenced = observations.join.isReferenced(object.key, bucket: number)
            observations.links.add(object, bucket: number, isReferenced: isReferenced)
        }
        let own = foreign.others(batch).filter { mapping.covers($0.key) }
        objects += own.count
        for object in own { bytes = bytes.adding(object.version.size) }
        let orphans = observations.join.match(own, bucket: number)
        let kept = observations.keep(orphans, besides: isIgnored)
        let ignored = own.count(where: isIgnored)
        judged.count += own.count - ignored
        judged.ignoredReferenced += ignored - (orphans.count - kept)
    }

    private func isIgnored(_ object: ListedObject) -> Bool {
        object.isIgnored || mapping.ignores(object.key)
    }
}

/// Tells of most keys of a bucket, by a few bytes, that no rule but the join speaks of them: they
/// are covered, not ignored, and lie in no quarantine of anybody's.
struct PlainObjects {
    // The first bytes of keys that take a closer look.
    private var heads = [Bool](repeating: false, count: 256)
    // Asked of its own module it is a call, for every part of every key.
    private let runLength = RunID.length
    /// Whether it can tell it of none, since some rule may speak of any key.
    let isOff: Bool

    private static let slash = UInt8(ascii: "/")

    /// Those of a bucket.
    init(_ mapping: BucketMapping, holdsFolders: Bool) {
        let special = mapping.quarantines + OwnKey.all
        isOff =
            holdsFolders || !mapping.ignore.isEmpty || !mapping.prefixes.contains(ObjectKey(""))
            || special.contains { $0.bytes.isEmpty }
        for key in special where !isOff { heads[Int(key.bytes[0])] = true }
    }

    /// Whether it can tell it of a key.
    func holds(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isOff, !key.isEmpty, !heads[Int(key[0])] else { return false }
        // A part as long as a run's name may be one.
        var (start, place) = (0, 0)
        let raw = UnsafeRawBufferPointer(key)
        while place + 8 <= raw.count {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            var slashes = ByteWord.places(of: Self.slash, in: word)
            while slashes != 0 {
                let next = place + slashes.trailingZeroBitCount / 8
                if next - start == runLength { return false }
                start = next + 1
                slashes &= slashes - 1
            }
            place += 8
        }
        while place < raw.count {
            if raw[place] == Self.slash {
                if place - start == runLength { return false }
                start = place + 1
            }
            place += 1
        }
        return raw.count - start != runLength
    }
}

extension Int64 {
    /// The sum, held at the end of the range: a listing may make sizes up.
    func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
