import MooringDecisions
import MooringModel
import MooringReconcile

/// Objects made from another one by a bucket's `derived` patterns: they live while it does, and it
/// lives while a record needs one of them, since an app may name the one by the other.
struct DerivedObjects {
    private let candidates: Candidates
    private let buckets: [BucketMapping]
    private let orphanKeys: Set<WantedKey>
    private let sourceKeys: Set<WantedKey>
    private let needed: Set<WantedKey>

    /// The derived objects among what a scan observed; `needed` are the orphan candidates that
    /// pass B found a record to hold.
    init(candidates: Candidates, buckets: [BucketMapping], needed: Set<WantedKey> = []) {
        self.candidates = candidates
        self.buckets = buckets
        let isUsed = buckets.contains { !$0.derived.isEmpty }
        self.orphanKeys =
            isUsed
            ? Set(candidates.orphans.map { WantedKey($0) }) : []
        self.needed = needed
        sourceKeys =
            isUsed
            ? Set(
                candidates.orphans.flatMap { orphan in
                    DerivedKey.sources(
                        of: orphan.object.key, patterns: buckets[orphan.bucket].derived
                    ).map { WantedKey(bucket: orphan.bucket, key: $0) }
                })
            : []
    }

    /// Whether an object is there that is derived from the one that a reference misses.
    func isSource(_ candidate: DanglingCandidate) -> Bool {
        guard let bucket = candidate.bucket, !sourceKeys.isEmpty else { return false }
        return candidate.patterns.contains { pattern in
            guard case .exact(let key) = pattern else { return false }
            return sourceKeys.contains(WantedKey(bucket: bucket, key: key))
        }
    }

    /// Whether the object is there, and no record references it, from which the one would be made
    /// that a reference misses.
    func isProduct(_ candidate: DanglingCandidate) -> Bool {
        guard let bucket = candidate.bucket, !orphanKeys.isEmpty else { return false }
        return candidate.patterns.contains { pattern in
            guard case .exact(let key) = pattern else { return false }
            return sources(of: key, bucket: bucket).contains {
                orphanKeys.contains(WantedKey(bucket: bucket, key: $0))
            }
        }
    }

    // Whether a record needs an object that is made from the one of this key.
    private func livesWithProduct(
        _ key: ObjectKey, bucket: Int, alive: Set<WantedKey> = []
    ) -> Bool {
        DerivedKey.products(of: key, patterns: buckets[bucket].derived).contains { product in
            let wanted = WantedKey(bucket: bucket, key: product)
            return needed.contains(wanted) || alive.contains(wanted)
                || candidates.join.isReferenced(product, bucket: bucket)
        }
    }

    /// Whether a record references the object from which this orphan candidate was made, or needs
    /// one that is made from it.
    func keeps(_ candidate: OrphanCandidate) -> Bool {
        livesWithSource(candidate)
            || livesWithProduct(candidate.object.key, bucket: candidate.bucket)
    }

    /// Whether a record references the object from which this orphan candidate was made.
    func livesWithSource(_ candidate: OrphanCandidate) -> Bool {
        sources(of: candidate).contains {
            candidates.join.isReferenced($0, bucket: candidate.bucket)
        }
    }

    /// The key of an unreferenced object that is there and from which this one was made.
    func source(of candidate: OrphanCandidate) -> ObjectKey? {
        sources(of: candidate).first {
            orphanKeys.contains(WantedKey(bucket: candidate.bucket, key: $0))
        }
    }

    /// Whether the object from which one in quarantine was made is there, or a record holds its
    /// key or that of one made from it: `alive` are keys in quarantine that a record holds.
    func lives(_ object: QuarantinedObject, bucket: Int, alive: Set<WantedKey>) -> Bool {
        let hasSource = sources(of: object.key, bucket: bucket).contains { source in
            let wanted = WantedKey(bucket: bucket, key: source)
            return orphanKeys.contains(wanted) || alive.contains(wanted)
                || candidates.join.isReferenced(source, bucket: bucket)
        }
        return hasSource || livesWithProduct(object.key, bucket: bucket, alive: alive)
    }

    private func sources(of candidate: OrphanCandidate) -> [ObjectKey] {
        sources(of: candidate.object.key, bucket: candidate.bucket)
    }

    private func sources(of object: ObjectKey, bucket: Int) -> [ObjectKey] {
        DerivedKey.sources(of: object, patterns: buckets[bucket].derived)
    }
}
