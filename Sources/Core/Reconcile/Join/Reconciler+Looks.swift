import MooringDecisions
package import MooringModel

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

    /// Takes note of an object that a look found where nothing was listed.
    package mutating func found(_ object: ListedObject, bucket: Int) {
        for slot in slots(of: object.key, bucket: bucket) { mark(slot, object) }
    }
}
