import MooringDecisions
package import MooringModel
import MooringText

// What a listing lacks, and a look by name finds.

extension Reconciler {
    /// The keys of a bucket at which nothing was listed and that references mean which fingerprints
    /// did not match, those of tombstones included; behind the replay. A key under an identity that
    /// nobody knows is none of them.
    package func missingKeys(in bucket: Int) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        for slot in 0..<states.count where !states[slot].isPresent {
            let (own, pattern) = place(of: slot)
            if own == bucket, case .exact(let key) = pattern { keys.append(key) }
        }
        return keys
    }

    /// Looks through one batch of a replay for references whose objects were listed and that may
    /// mean orphans, should those be gone by now.
    package func find(
        _ near: inout NearReferences, in batch: RecordBatch, source: String
    ) {
        BatchRows(batch, source: source, of: self).each { rows, row, bytes in
            !near.mayBeOwned(by: rows.model)
                && !row.references.elements.contains {
                    near.mayMean(UnsafeBufferPointer(rebasing: bytes[$0.value]))
                }
        } made: { reading, model, _ in
            guard let reading else { return }
            let isOwner = near.mayBeOwned(by: reading.id, of: model)
            for reference in reading.references
            where isOwner || reference.value.withUnsafeBufferPointer(near.mayMean) {
                let meant = places(of: reference, reading, model)
                guard let bucket = meant.bucket,
                    meant.patterns.contains(where: { fingerprints.isListed($0, bucket: bucket) })
                else { continue }
                near.take(reference, of: reading, model: model, meant)
            }
        }
    }

    /// Takes back that objects of these keys were listed, and gives the places of those that were,
    /// by which `relink` finds the references to them.
    package mutating func unlist(_ keys: Set<WantedKey>) -> OfferedPlaces {
        var gone = OfferedPlaces()
        for key in keys {
            let place = fingerprints.fingerprint(of: .exact(key.key), bucket: key.bucket)
            guard fingerprints.table.marks(of: place).contains(.present) else { continue }
            fingerprints.table.unlist(place)
            _ = gone.insert(place)
            if let slot = slots.number(of: Self.exactSlot(key.bucket, key.key.bytes)) {
                states[slot].isPresent = false
            }
            for slot in slots(of: key.key, bucket: key.bucket) {
                listed[slot]?.removeAll { $0.key == key.key }
            }
        }
        return gone
    }

    /// Joins the references of one batch of a replay by their whole keys that miss their objects
    /// since those of some places were unlisted.
    package mutating func relink(
        _ batch: RecordBatch, source: String, without gone: OfferedPlaces
    ) {
        BatchRows(batch, source: source, of: self).each { _, row, _ in
            !row.slots.elements.contains(where: gone.contains)
        } made: { reading, model, _ in
            if let reading { relink(reading, model, without: gone) }
        }
    }

    private mutating func relink(
        _ reading: RecordReading, _ model: Int, without gone: OfferedPlaces
    ) {
        var record: UInt32?
        for reference in reading.references {
            let meant = places(of: reference, reading, model)
            guard let bucket = meant.bucket else { continue }
            let found = meant.patterns.map { fingerprints.fingerprint(of: $0, bucket: bucket) }
            guard found.contains(where: gone.contains) else { continue }
            let marks = found.map { fingerprints.table.marks(of: $0) }
            let before = zip(found, marks).map { place, marks in
                gone.contains(place) ? marks.union(.present) : marks
            }
            // One that was open has its rows.
            let inList = reference.index != nil
            guard !Fingerprints.isOpen(before[...], inList: inList),
                Fingerprints.isOpen(marks[...], inList: inList)
            else { continue }
            let number = record ?? addRecord(reading, model: model)
            record = number
            add(reference, reading: reading, record: number, model: model)
            for (pattern, marks) in zip(meant.patterns, marks) where marks.contains(.present) {
                markPresent(pattern, bucket)
            }
            guard !reading.isTombstone else { continue }
            fingerprints.matched.listed[model][reference.field] -= 1
            fingerprints.matched.byBucket[bucket] -= 1
        }
    }

    /// Takes note of an object that a look found where nothing was listed.
    package mutating func found(_ object: ListedObject, bucket: Int) {
        for slot in slots(of: object.key, bucket: bucket) { mark(slot, object) }
    }
}
