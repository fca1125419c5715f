package import MooringDecisions
package import MooringModel

/// Joins references with objects by key bytes: first all references, then the listing batch by
/// batch, then what is left over.
///
/// This engine holds every referenced key in memory, about 100 bytes and the key for each; the
/// listing is never held. A reference that may mean several keys protects all of them.
package struct Reconciler: Sendable {
    /// The models, over all sources.
    let models: [SourceModel]
    private let buckets: [BucketMapping]
    /// Turns values into keys and back.
    let resolver: KeyResolver
    private let meaning: ReferenceRule
    /// Tells records from their copies.
    let originals: Originals

    // Every place where a referenced object may lie has a slot: its key with the bucket's number
    // and the pattern's kind before it.
    /// The bytes of each slot.
    private(set) var slots = ByteTable()
    /// What is known of each slot.
    private(set) var states: [SlotState] = []
    /// The places of all references, those of one reference side by side.
    private(set) var rows: [ReferenceRow] = []
    /// The records that hold references.
    private(set) var records: [RecordRow] = []
    private var recordIDs = ByteTable()
    private var foreign: [DanglingCandidate] = []
    /// Objects that may be shared, empty or exposed, by slot; a slot of any identity may hold
    /// several.
    private(set) var listed: [Int: [ListedObject]] = [:]
    // The identities that records know, tombstones included.
    private var identities = ByteTable()
    // Whether a user was read whose identity no map tells.
    private var hasUntoldIdentity = false
    private var anyIdentityHeads: Set<[UInt8]> = []

    /// The keys of what lies in quarantine: their references are judged whatever is left out.
    package var held = QuarantinedKeys()
    /// The keys of what is ignored: missing references may mean them all the same.
    package var ignored = IgnoredKeys()
    /// References that were added.
    package private(set) var referenceCount = 0
    /// The same by field.
    private(set) var counts: ReferenceCounts
    /// Values that are no keys.
    package private(set) var invalid: [InvalidCandidate] = []

    /// A join of these models and buckets under a resolver.
    package init(models: [SourceModel], buckets: [BucketMapping], resolver: KeyResolver) {
        self.models = models
        self.buckets = buckets
        self.resolver = resolver
        meaning = ReferenceRule(buckets: buckets, resolver: resolver)
        originals = Originals(models)
        counts = ReferenceCounts(models)
    }

    /// How many buckets there are.
    var bucketCount: Int { buckets.count }

    /// Adds the references of one record.
    package mutating func add(_ reading: RecordReading, model: Int) {
        counts.add(reading, model: model)
        if !reading.isTombstone {
            for value in reading.unusable { addInvalid(value, reading, model) }
        }
        if let identity = reading.identity, !identity.isEmpty {
            _ = identities.insert(identity)
        } else if models[model].mapping.identities != nil {
            hasUntoldIdentity = true
        }
        guard !reading.references.isEmpty else { return }
        let record = UInt32(records.count)
        let idBytes = RecordIDCoding.encode(reading.id, model: model)
        let id = UInt32(recordIDs.insert(idBytes))
        let original = originals.model(of: model)
        records.append(
            RecordRow(
                version: reading.version, changed: reading.changed,
                isTombstone: reading.isTombstone, model: UInt16(model), id: id,
                original: original == model
                    ? id
                    : UInt32(
                        recordIDs.insert(RecordIDCoding.encode(reading.id, model: original)))))
        for reference in reading.references {
            referenceCount += 1
            add(reference, reading: reading, record: record, model: model)
        }
    }

    /// Matches one batch of a bucket's listing and gives the objects that nobody references.
    package mutating func match(_ objects: [ListedObject], bucket: Int) -> [OrphanCandidate] {
        var orphans: [OrphanCandidate] = []
        for object in objects {
            var isReferenced = false
            if let slot = slots.number(of: Self.exactSlot(bucket, object.key.bytes)) {
                mark(slot, object)
                isReferenced = true
            }
            if !anyIdentityHeads.isEmpty {
                for slot in anyIdentitySlots(object.key, bucket) {
                    mark(slot, object)
                    isReferenced = true
                }
            }
            if !isReferenced { orphans.append(OrphanCandidate(bucket: bucket, object: object)) }
        }
        return orphans
    }

    /// The references none of whose places was listed, after all listings; foreign ones included.
    /// References to places outside the bucket's prefixes, or to ignored keys, are not judged.
    package func dangling(_ receive: (DanglingCandidate) throws -> Void) rethrows {
        for candidate in foreignOnce() { try receive(candidate) }
        // An invalid key is a finding of its own and not also dangling.
        try leftOver(where: { KeyRule.fault(in: $0) == nil }, receive)
    }

    /// The references of fitting values none of whose places was listed, each value once in a
    /// field of a record; without foreign ones.
    func leftOver(
        where fits: ([UInt8]) -> Bool, _ receive: (DanglingCandidate) throws -> Void
    ) rethrows {
        var seen: Set<ValuePlace> = []
        var indexes = ListIndexes()
        var start = 0
        while start < rows.count {
            let end = start + Int(rows[start].alternatives)
            defer { start = end }
            let group = rows[start..<end]
            let record = records[Int(rows[start].record)]
            if record.isTombstone || group.contains(where: { states[Int($0.slot)].isPresent }) {
                continue
            }
            guard let candidate = candidate(group, record, &indexes, where: fits) else { continue }
            let place = ValuePlace(
                record: record.id, field: rows[start].field, value: candidate.value)
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
        !slots(of: key, bucket: bucket).isEmpty
    }

    /// Whether an object of this key was listed that a record references by its whole key.
    package func isListed(_ key: ObjectKey, bucket: Int) -> Bool {
        slots.number(of: Self.exactSlot(bucket, key.bytes)).map { states[$0].isPresent } ?? false
    }

    /// The identities that records know, in the order in which they were read, at most so many.
    package func knownIdentities(atMost limit: Int) -> [[UInt8]] {
        (0..<min(limit, identities.count)).map { Array(identities.bytes($0)) }
    }

    /// Whether records know any identity at all, and whether one of them knows this one. A user
    /// whose identity the map does not tell may have any.
    package func knows(identity: [UInt8]) -> (any: Bool, this: Bool) {
        (identities.count > 0 && !hasUntoldIdentity, identities.number(of: identity) != nil)
    }
}

// MARK: - References

extension Reconciler {
    private mutating func add(
        _ reference: StoredReference, reading: RecordReading, record: UInt32, model: Int
    ) {
        let field = models[model].mapping.files[reference.field]
        let places = meaning.places(of: reference, in: field, identity: reading.identity)
        guard let bucket = places.bucket else {
            if !reading.isTombstone, KeyRule.fault(in: reference.value) == nil {
                addForeign(reference, reading, model)
            }
            return
        }
        for (offset, pattern) in places.patterns.enumerated() {
            let slot = slotNumber(pattern, bucket)
            let row = ReferenceRow(
                record: record, slot: UInt32(slot), next: states[slot].first,
                index: reference.index.map { Int32(clamping: $0) } ?? -1,
                valueLength: UInt32(reference.value.count), field: UInt16(reference.field),
                alternatives: UInt16(offset == 0 ? places.patterns.count : 0))
            states[slot].add(row: rows.count, record: records[Int(record)])
            if !reading.isTombstone {
                states[slot].restrict(to: models[model].mapping.visibility)
            }
            rows.append(row)
        }
    }

    private mutating func slotNumber(_ pattern: KeyPattern, _ bucket: Int) -> Int {
        let bytes: [UInt8]
        switch pattern {
        case .exact(let key): bytes = Self.exactSlot(bucket, key.bytes)
        case .anyIdentity(let head, let rest):
            anyIdentityHeads.insert(head)
            bytes = Self.anyIdentitySlot(bucket, head, rest)
        }
        let slot = slots.insert(bytes)
        if slot == states.count { states.append(SlotState()) }
        return slot
    }

    private mutating func addForeign(
        _ reference: StoredReference, _ reading: RecordReading, _ model: Int
    ) {
        let source = models[model]
        let name = reference.bucket.map { String(decoding: $0, as: UTF8.self) }
        foreign.append(
            DanglingCandidate(
                model: model,
                place: RecordPlace(
                    identity: RecordIdentity(
                        source: source.source, model: source.mapping.model, id: reading.id),
                    field: source.mapping.files[reference.field].field, index: reference.index,
                    version: reading.version),
                field: reference.field, bucket: nil, foreignBucket: name ?? "",
                value: reference.value, patterns: [], indexes: [], changed: reading.changed))
    }

    private mutating func addInvalid(
        _ value: UnusableValue, _ reading: RecordReading, _ model: Int
    ) {
        let source = models[model]
        invalid.append(
            InvalidCandidate(
                model: model,
                place: RecordPlace(
                    identity: RecordIdentity(
                        source: source.source, model: source.mapping.model, id: reading.id),
                    field: source.mapping.files[value.field].field, index: value.index,
                    version: reading.version),
                value: value.value, reason: value.reason,
                hidesReferences: value.hidesReferences))
    }
}

// MARK: - Slots

extension Reconciler {
    private static func exactSlot(_ bucket: Int, _ key: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket), 0] + key
    }

    private static func anyIdentitySlot(_ bucket: Int, _ head: [UInt8], _ rest: [UInt8]) -> [UInt8]
    {
        [
            UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket), 1,
            UInt8(truncatingIfNeeded: head.count >> 8), UInt8(truncatingIfNeeded: head.count),
        ] + head + rest
    }

    // A key lies in the slot of every way to cut one segment out of it behind a level's head.
    private func anyIdentitySlots(_ key: ObjectKey, _ bucket: Int) -> [Int] {
        var found: [Int] = []
        for head in anyIdentityHeads where key.hasPrefix(head) {
            let rest = key.bytes[head.count...]
            let segmentEnd = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            for split in rest.startIndex..<segmentEnd {
                let tail = Array(key.bytes[(split + 1)...])
                let slot = Self.anyIdentitySlot(bucket, head, tail)
                if let number = slots.number(of: slot) { found.append(number) }
            }
        }
        return found
    }

    private mutating func mark(_ slot: Int, _ object: ListedObject) {
        states[slot].isPresent = true
        if states[slot].isShared || object.version.size == 0 || isExposed(object.key, slot) {
            listed[slot, default: []].append(object)
        }
    }
}

// MARK: - What is left over

extension Reconciler {
    private func candidate(
        _ group: ArraySlice<ReferenceRow>, _ record: RecordRow, _ indexes: inout ListIndexes,
        where fits: ([UInt8]) -> Bool
    ) -> DanglingCandidate? {
        guard let first = group.first else { return nil }
        let (bucket, patterns) = patterns(of: group)
        let mapping = buckets[bucket]
        let keys = patterns.map(\.shown)
        let isJudged =
            keys.contains { key in mapping.covers(key) }
            && !keys.allSatisfy { key in mapping.ignore.contains { $0.matches(key) } }
        guard isJudged || held.holds(patterns, bucket) else { return nil }
        let value = Array(value(of: first))
        guard fits(value) else { return nil }
        var candidate = DanglingCandidate(
            model: Int(record.model), place: place(of: first), field: Int(first.field),
            bucket: bucket, foreignBucket: nil, value: value, patterns: patterns,
            indexes: indexes.several(first, in: self), changed: record.changed)
        candidate.isOnlyHeld = !isJudged
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
            candidate.standing(at: Array(Set(indexes)).sorted())
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
