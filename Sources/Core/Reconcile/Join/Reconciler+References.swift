import MooringDecisions
import MooringModel

// MARK: - References

extension Reconciler {
    /// Where the object of a reference may lie.
    func places(
        of reference: StoredReference, _ reading: RecordReading, _ model: Int
    ) -> MeantPlaces {
        meaning.places(
            of: reference, in: models[model].mapping.files[reference.field],
            identity: reading.identity)
    }

    /// Takes note of what a record says beside its references.
    mutating func noteRecord(_ reading: RecordReading, model: Int) {
        counts.add(reading, model: model)
        if !reading.isTombstone {
            for value in reading.unusable { addInvalid(value, reading, model) }
        }
        if let identity = reading.identity, !identity.isEmpty {
            identity.withUnsafeBufferPointer { note(identity: $0) }
        } else if models[model].mapping.identities != nil {
            hasUntoldIdentity = true
        }
    }

    /// Takes note of an identity that a record knows.
    mutating func note(identity: UnsafeBufferPointer<UInt8>) {
        if identity.contains(UInt8(ascii: "/")) { hasSlashedIdentity = true }
        _ = identities.insert(identity)
    }

    /// Whether some record may mean an object under an identity that no place of its key shows: an
    /// identity is looked for in one part of a path, and records hold one with a slash.
    package var hidesIdentities: Bool {
        hasSlashedIdentity && !fingerprints.heads.isEmpty
    }

    /// Adds a record that holds references, and gives its number.
    mutating func addRecord(_ reading: RecordReading, model: Int) -> UInt32 {
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
        return UInt32(records.count - 1)
    }

    /// Takes note of a reference that names a bucket which is not configured.
    mutating func noteForeign(
        _ reference: StoredReference, _ reading: RecordReading, _ model: Int
    ) {
        let field = models[model].mapping.files[reference.field]
        if !reading.isTombstone, field.fault(in: reference.value) == nil {
            addForeign(reference, reading, model)
        }
    }

    /// Adds the places of a record's reference; one that names a bucket which is not configured
    /// has none.
    mutating func add(
        _ reference: StoredReference, reading: RecordReading, record: UInt32, model: Int
    ) {
        let places = places(of: reference, reading, model)
        guard let bucket = places.bucket else { return }
        let stored = models[model].mapping.files[reference.field].stored
        for (offset, pattern) in places.patterns.enumerated() {
            let slot = slotNumber(pattern, bucket)
            let row = ReferenceRow(
                record: record, slot: UInt32(slot), previous: states[slot].last,
                index: reference.index.map { Int32(clamping: $0) } ?? -1,
                valueLength: UInt32(stored.key(of: reference.value).count),
                field: UInt16(reference.field),
                alternatives: UInt16(offset == 0 ? places.patterns.count : 0))
            states[slot].add(row: rows.count, record: records[Int(record)])
            if !reading.isTombstone {
                states[slot].restrict(to: models[model].mapping.visibility)
            }
            rows.append(row)
        }
    }

    // The number of a place's slot.
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

    /// Takes note that an object was listed at a place that records reference.
    mutating func markPresent(_ pattern: KeyPattern, _ bucket: Int) {
        states[slotNumber(pattern, bucket)].isPresent = true
    }

    private mutating func addForeign(
        _ reference: StoredReference, _ reading: RecordReading, _ model: Int
    ) {
        let name = reference.bucket.map { String(decoding: $0, as: UTF8.self) }
        foreign.append(
            DanglingCandidate(
                model: model, place: place(reading, model, reference.field, reference.index),
                field: reference.field, bucket: nil, foreignBucket: name ?? "",
                value: reference.value,
                stored: models[model].mapping.files[reference.field].stored, patterns: [],
                indexes: [], changed: reading.changed))
    }

    private mutating func addInvalid(
        _ value: UnusableValue, _ reading: RecordReading, _ model: Int
    ) {
        invalid.append(
            InvalidCandidate(
                model: model, place: place(reading, model, value.field, value.index),
                value: value.value, reason: value.reason,
                hidesReferences: value.hidesReferences))
    }

    private func place(
        _ reading: RecordReading, _ model: Int, _ field: Int, _ index: Int?
    ) -> RecordPlace {
        let (source, mapping) = (models[model].source, models[model].mapping)
        return RecordPlace(
            identity: RecordIdentity(source: source, model: mapping.model, id: reading.id),
            field: mapping.files[field].field, index: index, version: reading.version)
    }
}

// MARK: - References that fingerprints did not match

extension Reconciler {
    /// Gives each reference that is held, but for those of tombstones: its rows, one for each place
    /// that it may mean, its record, and whether an object was listed at one of the places.
    func eachLive(
        _ receive: (
            _ group: ArraySlice<ReferenceRow>, _ record: RecordRow, _ isPresent: Bool
        ) throws -> Void
    ) rethrows {
        try each { group, record in
            guard !record.isTombstone else { return }
            try receive(group, record, group.contains { states[Int($0.slot)].isPresent })
        }
    }

    // Gives each reference that is held, by its rows, and its record.
    private func each(
        _ receive: (_ group: ArraySlice<ReferenceRow>, _ record: RecordRow) throws -> Void
    ) rethrows {
        var start = 0
        while start < rows.count {
            let group = rows[start..<start + Int(rows[start].alternatives)]
            start = group.endIndex
            try receive(group, records[Int(rows[group.startIndex].record)])
        }
    }

    /// Gives each reference of a tombstone none of whose places was listed, by its rows, and its
    /// record.
    func eachBuried(_ receive: (_ group: ArraySlice<ReferenceRow>, _ record: RecordRow) -> Void) {
        each { group, record in
            guard record.isTombstone, !group.contains(where: { states[Int($0.slot)].isPresent })
            else { return }
            receive(group, record)
        }
    }
}

// MARK: - Slots

extension Reconciler {
    /// The bytes of the slot of one key.
    static func exactSlot(_ bucket: Int, _ key: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket), 0] + key
    }

    /// The bytes of the slot of keys under any identity.
    static func anyIdentitySlot(_ bucket: Int, _ head: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket), 1,
            UInt8(truncatingIfNeeded: head.count >> 8), UInt8(truncatingIfNeeded: head.count),
        ] + head + rest
    }

    /// A key lies in the slot of every way to cut one segment out of it behind a level's head.
    func anyIdentitySlots(_ key: ObjectKey, _ bucket: Int) -> [Int] {
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

    /// Takes note that an object was listed in a slot.
    mutating func mark(_ slot: Int, _ object: ListedObject) {
        states[slot].isPresent = true
        if states[slot].isShared || object.version.size == 0 || isExposed(object.key, slot) {
            listed[slot, default: []].append(object)
        }
    }
}
