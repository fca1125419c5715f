import MooringDecisions
package import MooringModel

/// A referenced object under a level that more can read than one of its records allows.
package struct ExposedObject: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// The object as it was listed.
    package let object: ListedObject
    /// Who can read it.
    package let readers: Visibility
    /// What its strictest record allows.
    package let visibility: Visibility
    /// The first such record that was read.
    package let place: RecordPlace
}

extension Reconciler {
    /// Whether an object lies open to more than the records of a slot allow.
    func isExposed(_ key: ObjectKey, _ slot: Int) -> Bool {
        guard let visibility = states[slot].visibility, visibility != .anyone,
            let readers = ExposureRule.readers(of: key, resolver)
        else { return false }
        return ExposureRule.isExposed(readers, allowing: visibility)
    }

    /// The listed objects that are open to more than their strictest record allows, each once, in
    /// the order of buckets and keys. A reference that may mean several objects that are there
    /// tells of none of them.
    package func exposed() -> [ExposedObject] {
        var found: [WantedKey: ExposedObject] = [:]
        for (slot, objects) in listed {
            let (bucket, pattern) = place(of: slot)
            if case .anyIdentity = pattern, objects.count > 1 { continue }
            for object in objects where isExposed(object.key, slot) {
                guard let exposed = exposed(object, bucket, slot) else { continue }
                let key = WantedKey(bucket: bucket, key: object.key)
                if let other = found[key], other.precedes(exposed) { continue }
                found[key] = exposed
            }
        }
        return found.values.sorted { ($0.bucket, $0.object.key) < ($1.bucket, $1.object.key) }
    }

    private func exposed(_ object: ListedObject, _ bucket: Int, _ slot: Int) -> ExposedObject? {
        guard let readers = ExposureRule.readers(of: object.key, resolver) else { return nil }
        var strictest: (visibility: Visibility, row: Int)?
        var row = Int(states[slot].last)
        // The chain runs from the last row to the first, so that of equals the first one stays.
        while row >= 0 {
            let reference = rows[row]
            let record = records[Int(reference.record)]
            if !record.isTombstone, let visibility = models[Int(record.model)].mapping.visibility,
                ExposureRule.isExposed(readers, allowing: visibility), meansOnly(slot, row),
                visibility.openness <= strictest?.visibility.openness ?? visibility.openness
            {
                strictest = (visibility, row)
            }
            row = Int(reference.previous)
        }
        return strictest.map { strictest in
            ExposedObject(
                bucket: bucket, object: object, readers: readers,
                visibility: strictest.visibility, place: place(of: rows[strictest.row]))
        }
    }

    // Whether of all places that a row's reference may mean, only this slot was listed.
    private func meansOnly(_ slot: Int, _ row: Int) -> Bool {
        var first = row
        while rows[first].alternatives == 0 { first -= 1 }
        return rows[first..<first + Int(rows[first].alternatives)].allSatisfy {
            Int($0.slot) == slot || !states[Int($0.slot)].isPresent
        }
    }

    /// A record that references an object which was listed, and what it holds for it; nil when
    /// none does, or `keepReferences` was not asked for the key before the rows were had again.
    /// Tombstones are left out, and so are records that do not say under which identity.
    package func presentReference(
        to key: ObjectKey, bucket: Int
    ) -> (place: RecordPlace, value: [UInt8])? {
        for slot in slots(of: key, bucket: bucket) where states[slot].isPresent {
            // Of several identities nothing tells whose object was listed.
            guard case .exact = place(of: slot).pattern else { continue }
            var row = Int(states[slot].last)
            while row >= 0 {
                let reference = rows[row]
                if !records[Int(reference.record)].isTombstone {
                    return (place(of: reference), value(of: reference, in: key.bytes[...]))
                }
                row = Int(reference.previous)
            }
        }
        return nil
    }
}

extension ExposedObject {
    // Of two findings about one object the one with the stricter record stands, then the one whose
    // record comes first.
    fileprivate func precedes(_ other: ExposedObject) -> Bool {
        if visibility != other.visibility {
            return visibility.openness < other.visibility.openness
        }
        let ids = (place.identity.id.joined, other.place.identity.id.joined)
        if ids.0 == ids.1 { return place.precedes(other.place) }
        return ids.0.lexicographicallyPrecedes(ids.1)
    }
}
