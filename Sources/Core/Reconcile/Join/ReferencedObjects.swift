import MooringDecisions
import MooringModel

extension Reconciler {
    /// The objects listed at a slot that is referenced, with one place for each record that is no
    /// tombstone, in the order in which they were read; the copies of a record are no further ones.
    func referencedObjects(slot: Int) -> [ReferencedObject] {
        guard let objects = listed[slot] else { return [] }
        var places: [RecordPlace] = []
        var row = states[slot].last
        while row >= 0 {
            let reference = rows[Int(row)]
            if !records[Int(reference.record)].isTombstone { places.append(place(of: reference)) }
            row = reference.previous
        }
        let distinct = originals.distinct(places.reversed())
        let bucket = bucket(of: slot)
        return objects.map { ReferencedObject(bucket: bucket, object: $0, places: distinct) }
    }
}
