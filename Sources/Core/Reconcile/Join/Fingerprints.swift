import MooringDecisions
import MooringModel

/// What is known of both sides by fingerprints alone: which places records reference, and at which
/// of them objects were listed.
///
/// A reference whose object was listed, and which nothing else speaks of, is matched by it, and no
/// row of it is made; all others are joined by their whole keys in a replay of the records.
struct Fingerprints: Sendable {
    /// Makes the fingerprints, under the secrets of this run.
    let maker: FingerprintMaker
    /// The places that records reference.
    var table: SlotTable
    /// The heads behind which any identity may stand.
    var heads: Set<[UInt8]> = []
    /// Listed objects that may be part of a finding, with their buckets.
    var kept: [(bucket: Int, object: ListedObject)] = []
    /// The references that were matched.
    var matched: MatchedReferences
    /// The places of all references that were read at first, added up, and those of a replay.
    var sums = (read: UInt64(0), replayed: UInt64(0))
    /// References that a replay gave.
    var replayed = 0
    /// Whether a replay gave a reference that was not there before.
    var isChanged = false
    /// Where unknown places are noted; nil where nothing was left out.
    var asked: AskedPlaces?

    /// Those of nothing yet.
    init(
        _ models: [SourceModel], buckets: Int, maker: FingerprintMaker = FingerprintMaker(),
        room: JoinRoom = .unbounded
    ) {
        self.maker = maker
        table = SlotTable(room)
        matched = MatchedReferences(models, buckets: buckets)
    }

    /// Notes a reference to a place, and what its record says.
    mutating func add(_ place: Fingerprint, _ said: SlotMarks) {
        table.insert(place, said)
        sums.read &+= place.low
    }

    /// Notes references to many places, each with what its record says as its marks, of whose
    /// places, without marks, this is the sum.
    mutating func add(_ places: [Fingerprint], sum: UInt64) {
        table.insert(places)
        sums.read &+= sum
    }

    /// The fingerprint of a place.
    func fingerprint(of pattern: KeyPattern, bucket: Int) -> Fingerprint {
        switch pattern {
        case .exact(let key):
            key.bytes.withUnsafeBufferPointer { maker.make($0, tag: SlotTag.exact(bucket)) }
        case .anyIdentity(let head, let rest):
            (head + rest).withUnsafeBufferPointer {
                maker.make($0, tag: SlotTag.anyIdentity(bucket, head: head.count))
            }
        }
    }

    /// The places in which a key lies: its own, and those of any identity.
    func places(
        of key: UnsafeBufferPointer<UInt8>, bucket: Int, _ visit: (Fingerprint) -> Void
    ) {
        visit(maker.make(key, tag: SlotTag.exact(bucket)))
        for head in heads where key.starts(with: head) {
            let rest = key[head.count...]
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            for split in rest.startIndex..<end {
                let place = head + key[(split + 1)...]
                place.withUnsafeBufferPointer {
                    visit(maker.make($0, tag: SlotTag.anyIdentity(bucket, head: head.count)))
                }
            }
        }
    }

    /// What is known of the places in which a key lies, all together.
    func marks(of key: ObjectKey, bucket: Int) -> SlotMarks {
        var marks: SlotMarks = []
        key.bytes.withUnsafeBufferPointer { key in
            places(of: key, bucket: bucket) { marks.formUnion(table.marks(of: $0)) }
        }
        if marks.isEmpty { asked?.note(.exact(key), bucket: bucket) }
        return marks
    }

    /// Whether an object was listed at a place that records reference.
    func isListed(_ pattern: KeyPattern, bucket: Int) -> Bool {
        let marks = table.marks(of: fingerprint(of: pattern, bucket: bucket))
        if marks.isEmpty { asked?.note(pattern, bucket: bucket) }
        return marks.contains(.present)
    }

    /// Asks about those places of a matched reference where no object was listed: one that was left
    /// out with another reference is shared with this one.
    func askAbout(_ patterns: [KeyPattern], _ marks: [SlotMarks], bucket: Int) {
        guard let asked else { return }
        for (pattern, marks) in zip(patterns, marks) where !marks.contains(.present) {
            asked.note(pattern, bucket: bucket)
        }
    }

    /// What of a listed object may be part of a finding beside its key.
    struct ListedLook {
        /// Whether it is empty.
        let isEmpty: Bool
        /// Who can read it; nil where nothing tells, or no record says who may.
        var readers: Visibility?

        /// Whether more can read it than a record at its place allows.
        func isExposed(_ marks: SlotMarks) -> Bool {
            guard let readers else { return false }
            if marks.contains(.ownerOnly) {
                return ExposureRule.isExposed(readers, allowing: .owner)
            }
            return marks.contains(.signedInOnly)
                && ExposureRule.isExposed(readers, allowing: .signedIn)
        }
    }

    /// What a listed object is to the join.
    struct Listed {
        /// Whether any record references it.
        var isReferenced = false
        /// Whether it has to be kept, since it may be part of a finding.
        var isKept = false
        /// Whether it was listed before, at a place that records reference by its whole key.
        var isRepeated = false
    }

    /// Notes a listed object.
    mutating func list(
        _ key: UnsafeBufferPointer<UInt8>, bucket: Int, _ look: ListedLook
    ) -> Listed {
        guard heads.isEmpty else { return listAny(key, bucket, look) }
        let place = maker.make(key, tag: SlotTag.exact(bucket))
        return listed(place, table.mark(place, .present), look)
    }

    /// What an object is to the join that was listed at a place of its own, of which this was known
    /// before.
    mutating func listed(
        _ place: Fingerprint, _ marks: SlotMarks, _ look: ListedLook
    ) -> Listed {
        if marks.contains(.present) { return Listed(isReferenced: true, isRepeated: true) }
        let isKept = Self.isKept(marks, look)
        if isKept { _ = table.mark(place, .kept) }
        return Listed(isReferenced: !marks.isEmpty, isKept: isKept)
    }

    private mutating func listAny(
        _ key: UnsafeBufferPointer<UInt8>, _ bucket: Int, _ look: ListedLook
    ) -> Listed {
        var found: [Fingerprint] = []
        places(of: key, bucket: bucket) { found.append($0) }
        // The first is the key's own.
        if table.marks(of: found[0]).contains(.present) {
            return Listed(isReferenced: true, isRepeated: true)
        }
        var marks: SlotMarks = []
        for place in found { marks.formUnion(table.mark(place, .present)) }
        let isKept = Self.isKept(marks, look)
        if isKept { for place in found { _ = table.mark(place, .kept) } }
        return Listed(isReferenced: !marks.isEmpty, isKept: isKept)
    }

    private static func isKept(_ marks: SlotMarks, _ look: ListedLook) -> Bool {
        !marks.isEmpty && (look.isEmpty || marks.contains(.mayBeShared) || look.isExposed(marks))
    }

    /// Has every reference to an object that was listed at a place joined by its whole key.
    mutating func keep(_ place: Fingerprint) {
        if table.marks(of: place).contains(.present) { _ = table.mark(place, .kept) }
    }

    /// Whether a reference has to be joined by its whole key, by what is known of all its places:
    /// one that misses its object, those of tombstones too, which tell where else a list of their
    /// record holds a key, and one whose object is kept.
    ///
    /// A reference in a list is so joined where one of its places is empty: others of its record
    /// may miss their object there.
    static func isOpen(_ places: some Sequence<SlotMarks>, inList: Bool) -> Bool {
        var (isPresent, isWhole) = (false, true)
        for marks in places {
            if marks.contains(.kept) { return true }
            if marks.contains(.present) { isPresent = true } else { isWhole = false }
        }
        return !isPresent || inList && !isWhole
    }
}
