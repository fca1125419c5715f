package import MooringDecisions
package import MooringModel

/// Joins references with objects by key bytes: first fingerprints of all references, then the
/// listing batch by batch, then the references once more, as they were read.
///
/// It holds sixteen bytes and some room of each reference, as far as its room goes, the others in
/// a scratch file, and whole keys of what is left over alone. The listing is never held. A
/// reference that may mean several keys protects all of them.
package struct Reconciler: Sendable {
    /// The models, over all sources.
    let models: [SourceModel]
    /// The buckets, in the configuration's order.
    let buckets: [BucketMapping]
    /// Turns values into keys and back.
    let resolver: KeyResolver
    /// What references mean.
    let meaning: ReferenceRule
    /// Tells records from their copies.
    let originals: Originals

    // Every place where the object of a reference may lie that fingerprints did not match has a
    // slot: its key with the bucket's number and the pattern's kind before it.
    /// The bytes of each slot.
    var slots = ByteTable()
    /// What is known of each slot, by its number in `slots`.
    var states: [SlotState] = []
    /// The places of those references, those of one reference side by side.
    var rows: [ReferenceRow] = []
    /// The records that hold them.
    var records: [RecordRow] = []
    /// Their identifiers.
    var recordIDs = ByteTable()
    /// References to buckets that are not configured.
    var foreign: [DanglingCandidate] = []
    /// Objects that may be shared, empty or exposed, by slot; a slot of any identity may hold
    /// several.
    var listed: [Int: [ListedObject]] = [:]
    /// The identities that records know, tombstones included.
    var identities = ByteTable()
    /// Whether a user was read whose identity no map tells.
    var hasUntoldIdentity = false
    /// Whether an identity holds a slash, so that it is more than one part of a key.
    var hasSlashedIdentity = false
    /// The heads behind which any identity may stand.
    var anyIdentityHeads: Set<[UInt8]> = []

    /// The keys of what lies in quarantine: their references are judged whatever is left out.
    package var held = QuarantinedKeys()
    /// The keys of what is ignored: missing references may mean them all the same.
    package var ignored = IgnoredKeys()
    /// References that were added.
    package internal(set) var referenceCount = 0
    /// By bucket, the referenced objects that were listed once more, which is passed over.
    package internal(set) var repeatedObjects: [Int]
    /// References as they were read, by model and field.
    var counts: ReferenceCounts
    /// What is known of both sides by fingerprints.
    var fingerprints: Fingerprints
    /// By model, what a record that is no tombstone says of the places that it references.
    let liveMarks: [SlotMarks]
    /// Whether any model lets fewer than anyone read its objects.
    let restrictsReaders: Bool
    /// Values that are no keys.
    package internal(set) var invalid: [InvalidCandidate] = []

    /// A join of these models and buckets under a resolver, in a room.
    package init(
        models: [SourceModel], buckets: [BucketMapping], resolver: KeyResolver,
        room: JoinRoom = .unbounded
    ) {
        self.models = models
        self.buckets = buckets
        self.resolver = resolver
        meaning = ReferenceRule(buckets: buckets, resolver: resolver)
        originals = Originals(models)
        counts = ReferenceCounts(models)
        repeatedObjects = Array(repeating: 0, count: buckets.count)
        fingerprints = Fingerprints(models, buckets: buckets.count, room: room)
        liveMarks = models.map { model in
            switch model.mapping.visibility {
            case .owner: [.live, .ownerOnly]
            case .signedIn: [.live, .signedInOnly]
            case .anyone, nil: .live
            }
        }
        restrictsReaders = liveMarks.contains { $0 != .live }
    }

    /// How many buckets there are.
    var bucketCount: Int { buckets.count }

    /// Matches one batch of a bucket's listing and gives the objects that nobody references.
    package mutating func match(_ objects: [ListedObject], bucket: Int) -> [OrphanCandidate] {
        var orphans: [OrphanCandidate] = []
        for object in objects {
            let found = object.key.bytes.withUnsafeBufferPointer {
                match($0, bucket: bucket, isEmpty: object.version.size == 0)
            }
            if found.isKept { keep(object, bucket: bucket) }
            if !found.isReferenced {
                orphans.append(OrphanCandidate(bucket: bucket, object: object))
            }
        }
        return orphans
    }

    /// The references none of whose places was listed, after all listings; foreign ones included.
    /// References to places outside the bucket's prefixes, or to ignored keys, are not judged.
    package func dangling(_ receive: (DanglingCandidate) throws -> Void) rethrows {
        for candidate in foreignOnce() { try receive(candidate) }
        // An invalid key is a finding of its own and not also dangling.
        try leftOver(where: { $1.fault(in: $0) == nil }, orHeld: true, receive)
    }

    /// The references of fitting values none of whose places was listed, each value once for each
    /// bucket in a field of a record; without foreign ones. With `orHeld`, those of other values
    /// too where an object that they may mean lies in quarantine.
    func leftOver(
        where fits: (_ value: [UInt8], _ field: FileField) -> Bool, orHeld: Bool = false,
        _ receive: (DanglingCandidate) throws -> Void
    ) rethrows {
        var seen: Set<ValuePlace> = []
        var indexes = ListIndexes()
        try eachLive { group, record, isPresent in
            guard !isPresent, let first = group.first,
                let candidate = candidate(group, record, &indexes, where: fits, orHeld)
            else { return }
            let place = ValuePlace(
                record: record.id, field: first.field, value: candidate.value,
                bucket: candidate.bucket)
            if seen.insert(place).inserted { try receive(candidate) }
        }
    }

    /// The listed objects that several records reference. Records whose identity is not known may
    /// mean different objects by one value, so they share nothing.
    package func shared() -> [ReferencedObject] {
        listed.keys.sorted().flatMap { slot -> [ReferencedObject] in
            guard states[slot].isShared, isExact(slot) else { return [] }
            return referencedObjects(slot: slot).filter {
                $0.places.count > 1
            }
        }
    }

    /// About how many there are, had without looking at each.
    package var sharedCount: Int { listed.keys.count { states[$0].isShared } }

    /// The listed objects that are referenced and empty, each once.
    package func empty() -> [ReferencedObject] {
        var seen: Set<WantedKey> = []
        return listed.keys.sorted().flatMap { referencedObjects(slot: $0) }.filter {
            $0.object.version.size == 0 && !$0.places.isEmpty
                && seen.insert(WantedKey(bucket: $0.bucket, key: $0.object.key)).inserted
        }
    }

    /// Whether a record references this key, tombstones included: they protect their objects.
    package func isReferenced(_ key: ObjectKey, bucket: Int) -> Bool {
        !fingerprints.marks(of: key, bucket: bucket).isEmpty
    }

    /// Whether an object of this key was listed that a record references by its whole key.
    package func isListed(_ key: ObjectKey, bucket: Int) -> Bool {
        fingerprints.isListed(.exact(key), bucket: bucket)
    }

    /// The identities that records know, at most so many: the first by their bytes, in whatever
    /// order they were read.
    package func knownIdentities(atMost limit: Int) -> [[UInt8]] {
        var known: [[UInt8]] = []
        for number in 0..<identities.count {
            let identity = identities.bytes(number)
            if known.count == limit {
                guard let last = known.last, identity.lexicographicallyPrecedes(last) else {
                    continue
                }
                known.removeLast()
            }
            let place = known.firstIndex { identity.lexicographicallyPrecedes($0) }
            known.insert(Array(identity), at: place ?? known.count)
        }
        return known
    }

    /// Whether records know any identity at all, and whether one of them knows this one. A user
    /// whose identity the map does not tell may have any.
    package func knows(identity: [UInt8]) -> (any: Bool, this: Bool) {
        (identities.count > 0 && !hasUntoldIdentity, identities.number(of: identity) != nil)
    }
}

// MARK: - What is left over

extension Reconciler {
    /// What a reference is as a candidate; nil where its value does not fit, or nobody judges it,
    /// and no object that it may mean lies in quarantine or, of a value that does not fit, nobody
    /// asks for that.
    func candidate(
        _ group: ArraySlice<ReferenceRow>, _ record: RecordRow, _ indexes: inout ListIndexes,
        where fits: (_ value: [UInt8], _ field: FileField) -> Bool, _ orHeld: Bool = false
    ) -> DanglingCandidate? {
        guard let first = group.first else { return nil }
        let (bucket, patterns) = patterns(of: group)
        let mapping = buckets[bucket]
        let keys = patterns.map(\.shown)
        let isJudged =
            keys.contains { key in mapping.covers(key) }
            && !keys.allSatisfy { key in mapping.ignores(key) }
        guard isJudged || held.holds(patterns, bucket) else { return nil }
        let (value, field) = (value(of: first), field(of: first))
        let isFit = fits(value, field)
        guard isFit || orHeld && held.holds(patterns, bucket) else { return nil }
        var candidate = DanglingCandidate(
            model: Int(record.model), place: place(of: first), field: Int(first.field),
            bucket: bucket, foreignBucket: nil, value: value, stored: field.stored,
            patterns: patterns,
            indexes: indexes.several(first, in: self), changed: record.changed)
        candidate.isOnlyHeld = !isJudged || !isFit
        return candidate
    }

    // One finding for a value in a field of a record, with every index at which a list holds it.
    private func foreignOnce() -> [DanglingCandidate] {
        var numbers: [DanglingPlace: Int] = [:]
        var once: [DanglingCandidate] = []
        var indexes: [[Int]] = []
        for candidate in foreign {
            let place = DanglingPlace(candidate)
            let number = numbers[place] ?? once.count
            if number == once.count {
                numbers[place] = number
                once.append(candidate)
                indexes.append([])
            }
            if let index = candidate.place.index { indexes[number].append(index) }
        }
        return zip(once, indexes).map { candidate, indexes in
            candidate.with(indexes: Array(Set(indexes)).sorted())
        }
    }

    private func patterns(of group: ArraySlice<ReferenceRow>) -> (Int, [KeyPattern]) {
        var bucket = 0
        let patterns = group.map { row -> KeyPattern in
            let place = place(of: Int(row.slot))
            bucket = place.bucket
            return place.pattern
        }
        return (bucket, patterns)
    }

    /// The bucket and the key, or keys, that a slot stands for.
    func place(of slot: Int) -> (bucket: Int, pattern: KeyPattern) {
        let bytes = Array(slots.bytes(slot))
        let bucket = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes[2] == 1 else { return (bucket, .exact(ObjectKey(Array(bytes[3...])))) }
        let head = Int(bytes[3]) << 8 | Int(bytes[4])
        let pattern = KeyPattern.anyIdentity(
            head: Array(bytes[5..<5 + head]), rest: Array(bytes[(5 + head)...]))
        return (bucket, pattern)
    }

    /// The slots in which a key lies, whether a record references it there or not.
    func slots(of key: ObjectKey, bucket: Int) -> [Int] {
        var found = anyIdentityHeads.isEmpty ? [] : anyIdentitySlots(key, bucket)
        if let slot = slots.number(of: Self.exactSlot(bucket, key.bytes)) { found.append(slot) }
        return found
    }

    /// The place in a record that a row stands for.
    func place(of row: ReferenceRow) -> RecordPlace {
        let record = records[Int(row.record)]
        let source = models[Int(record.model)]
        return RecordPlace(
            identity: RecordIdentity(
                source: source.source, model: source.mapping.model,
                id: RecordIDCoding.decode(recordIDs.bytes(Int(record.id)))),
            field: source.mapping.files[Int(row.field)].field,
            index: row.index < 0 ? nil : Int(row.index), version: record.version)
    }

    /// The bucket that a slot lies in.
    func bucket(of slot: Int) -> Int {
        let bytes = slots.bytes(slot)
        return Int(bytes[bytes.startIndex]) << 8 | Int(bytes[bytes.startIndex + 1])
    }

    private func isExact(_ slot: Int) -> Bool {
        let bytes = slots.bytes(slot)
        return bytes[bytes.startIndex + 2] == 0
    }
}
