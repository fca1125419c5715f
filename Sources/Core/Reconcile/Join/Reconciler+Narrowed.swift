import MooringDecisions
package import MooringModel

// A join of what an engine left of both sides.

extension Reconciler {
    /// Counts what was left out of a model, as if its rows had been read and matched.
    package mutating func add(_ matched: MatchedRecords, model: Int) {
        counts.add(matched, model: model)
        for (field, own) in matched.fields.enumerated() {
            referenceCount += own.references
            fingerprints.replayed += own.references
            fingerprints.matched.listed[model][field] += own.references
            fingerprints.matched.note(forms: own.forms, model, field)
        }
        for (bucket, references) in matched.buckets {
            fingerprints.matched.byBucket[bucket] += references
        }
        for identity in matched.identities {
            identity.withUnsafeBufferPointer { note(identity: $0) }
        }
    }

    /// Has every place noted that is asked for and not known.
    package mutating func watch(_ asked: AskedPlaces) { fingerprints.asked = asked }

    /// Adds that what an engine left out may lie at the places of references that were not matched,
    /// and below every head behind which any identity may stand.
    package func add(to needs: inout NewNeeds) {
        for slot in 0..<states.count where !states[slot].isPresent {
            let (bucket, pattern) = place(of: slot)
            if case .exact(let key) = pattern {
                needs.insert(NarrowingNeed(.key, bucket, key.bytes))
            }
        }
        for head in fingerprints.heads {
            for bucket in buckets.indices where mayLie(in: bucket, below: head) {
                needs.insert(NarrowingNeed(.head, bucket, head))
            }
        }
    }

    // Whether some field may mean an object of a bucket below a level's head.
    private func mayLie(in bucket: Int, below head: [UInt8]) -> Bool {
        models.flatMap(\.mapping.files).contains { file in
            let isThere = file.isComplex || (meaning.names.number(of: file) ?? bucket) == bucket
            switch file.level {
            case .root: return false
            case .any: return isThere
            case .named(let name):
                return isThere && resolver.levels.contains { $0.name == name && $0.head == head }
            }
        }
    }
}
