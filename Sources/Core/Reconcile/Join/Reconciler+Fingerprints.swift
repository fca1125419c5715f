package import MooringDecisions
package import MooringModel

// The two looks of the join: fingerprints of both sides, then a replay of the records, of which
// only those references are joined by their whole keys that fingerprints did not match.

extension Reconciler {
    /// Reads one batch of a source's rows, and gives how many of them name no record.
    package mutating func read(
        _ batch: RecordBatch, source: String, forms: inout FieldForms
    ) -> Int {
        var withoutID = 0
        let look = FirstLook(counts: ReferenceCounts(models), said: liveMarks)
        BatchRows(batch, source: source, of: self).look(look) { answer, bytes in
            note(answer, bytes)
            forms.add(plain: answer.counts)
        } made: { reading, model, row in
            guard let reading else { return withoutID += 1 }
            note(reading, model)
            forms.add(reading, model: model, row: row, columns: batch.columns)
        }
        return withoutID
    }

    /// Takes one batch of a replay, and joins the references that fingerprints did not match.
    package mutating func replay(_ batch: RecordBatch, source: String) {
        let look = SecondLook(
            table: fingerprints.table, none: MatchedReferences(like: fingerprints.matched),
            isWatched: fingerprints.asked != nil)
        BatchRows(batch, source: source, of: self).look(look) { answer, _ in
            fingerprints.matched.add(answer.matched)
            fingerprints.replayed += answer.references
            fingerprints.sums.replayed &+= answer.sum
        } made: { reading, model, _ in
            if let reading { link(reading, model) }
        }
    }

    /// Ends the replay; false where the sources did not tell the same as before.
    package mutating func endReplay() -> Bool {
        let kept = fingerprints.kept
        fingerprints.kept = []
        for (bucket, object) in kept {
            for slot in slots(of: object.key, bucket: bucket) { mark(slot, object) }
        }
        return !fingerprints.isChanged && fingerprints.replayed == referenceCount
            && fingerprints.sums.read == fingerprints.sums.replayed
    }

    /// Begins to match objects: all references were read.
    package mutating func beginListing() { fingerprints.table.endInsertions() }

    /// Begins the replay: all objects were matched.
    package mutating func beginReplay() { fingerprints.table.close() }

    /// Why references beyond the room are held in memory all the same; nil where none are.
    package var unspilled: String? { fingerprints.table.unspilled }

    /// How many of the places that records reference lie beyond the room.
    package var spilledPlaces: Int { fingerprints.table.run?.count ?? 0 }

    /// Why what lies beyond the room could not be read, so that nothing is told of references and
    /// objects that should be; nil where it could.
    package var scratchFailure: String? { fingerprints.table.failure }

    /// Drops what is left over of a source of which both looks did not see the same: nothing is
    /// said of its references then, as if all its records were marked as deleted.
    package mutating func forgetReferences(of source: String) {
        foreign.removeAll { models[$0.model].source == source }
        for number in records.indices where models[Int(records[number].model)].source == source {
            records[number].isTombstone = true
        }
    }

    /// Matches one object as `match` does, of which no value was made.
    package mutating func match(
        _ key: UnsafeBufferPointer<UInt8>, bucket: Int, isEmpty: Bool
    ) -> (isReferenced: Bool, isKept: Bool) {
        var look = Fingerprints.ListedLook(isEmpty: isEmpty)
        if restrictsReaders {
            look.readers = ExposureRule.readers(of: ObjectKey(Array(key)), resolver)
        }
        let found = fingerprints.list(key, bucket: bucket, look)
        if found.isRepeated { repeatedObjects[bucket] += 1 }
        return (found.isReferenced, found.isKept)
    }

    /// Keeps an object that `match` said has to be kept.
    package mutating func keep(_ object: ListedObject, bucket: Int) {
        fingerprints.kept.append((bucket, object))
    }

    /// Has the references to this key, if an object was listed there, joined by their whole keys,
    /// so that `presentReference` finds them.
    package mutating func keepReferences(to key: ObjectKey, bucket: Int) {
        fingerprints.keep(fingerprints.fingerprint(of: .exact(key), bucket: bucket))
    }

    /// Gives every set of places of one batch that `eachReference` does not, since the fingerprints
    /// matched it, until one is refused; whether none was.
    package func eachMatched(
        in batch: RecordBatch, source: String,
        _ receive: (_ bucket: Int, _ patterns: [KeyPattern]) -> Bool
    ) -> Bool {
        var goesOn = true
        BatchRows(batch, source: source, of: self).each { _, _, _ in
            false
        } made: { reading, model, _ in
            guard goesOn, let reading, !reading.isTombstone else { return }
            for reference in reading.references where goesOn {
                let meant = places(of: reference, reading, model)
                guard let bucket = meant.bucket else { continue }
                let marks = meant.patterns.map {
                    fingerprints.table.marks(
                        ofReferenced: fingerprints.fingerprint(of: $0, bucket: bucket))
                }
                if Fingerprints.isOpen(marks[...], inList: reference.index != nil) { continue }
                goesOn = receive(bucket, meant.patterns)
            }
        }
        return goesOn
    }
}

/// Places whose objects were compared with what references miss.
package struct OfferedPlaces {
    private var places: Set<Fingerprint> = []

    /// None.
    package init() {}

    /// Notes a place; whether it is a new one.
    mutating func insert(_ place: Fingerprint) -> Bool { places.insert(place).inserted }

    /// Whether a place was noted.
    func contains(_ place: Fingerprint) -> Bool { places.contains(place) }
}

// MARK: - The first look

extension Reconciler {
    // Notes the plain rows of a part of a batch.
    private mutating func note(
        _ answer: borrowing FirstLook.Answer, _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        counts.add(answer.counts)
        referenceCount += answer.references
        fingerprints.add(answer.places, sum: answer.sum)
        fingerprints.heads.formUnion(answer.heads)
        for range in answer.identities {
            note(identity: UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Notes the fingerprints of a record's references.
    mutating func note(_ reading: RecordReading, _ model: Int) {
        noteRecord(reading, model: model)
        for reference in reading.references {
            referenceCount += 1
            let meant = places(of: reference, reading, model)
            guard let bucket = meant.bucket else {
                noteForeign(reference, reading, model)
                continue
            }
            for pattern in meant.patterns {
                if case .anyIdentity(let head, _) = pattern { fingerprints.heads.insert(head) }
                fingerprints.add(
                    fingerprints.fingerprint(of: pattern, bucket: bucket),
                    reading.isTombstone ? [] : liveMarks[model])
            }
        }
    }
}

// MARK: - The second look

extension Reconciler {
    /// Joins those of a record's references by their whole keys that fingerprints did not match.
    mutating func link(_ reading: RecordReading, _ model: Int) {
        var record: UInt32?
        fingerprints.replayed += reading.references.count
        for reference in reading.references {
            let meant = places(of: reference, reading, model)
            guard let bucket = meant.bucket else { continue }
            let found = meant.patterns.map { fingerprints.fingerprint(of: $0, bucket: bucket) }
            for place in found { fingerprints.sums.replayed &+= place.low }
            let marks = found.map(fingerprints.table.marks(ofReferenced:))
            // What was not read at first was compared with no listing. A closed table does not tell
            // that; the sums do.
            guard !marks.contains(SlotMarks()) else {
                fingerprints.isChanged = true
                continue
            }
            if Fingerprints.isOpen(marks[...], inList: reference.index != nil) {
                let number = record ?? addRecord(reading, model: model)
                record = number
                add(reference, reading: reading, record: number, model: model)
                for (pattern, marks) in zip(meant.patterns, marks) where marks.contains(.present) {
                    markPresent(pattern, bucket)
                }
                continue
            }
            fingerprints.askAbout(meant.patterns, marks, bucket: bucket)
            if !reading.isTombstone {
                let isFirst = marks.first?.contains(.present) == true
                reference.value.withUnsafeBufferPointer {
                    fingerprints.matched.note(
                        model, reference.field, bucket: bucket, isFirst ? $0 : nil)
                }
            }
        }
    }
}
