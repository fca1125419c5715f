import MooringDecisions
import MooringModel
import MooringReconcile

/// Objects made from another one by a bucket's `derived` patterns: they live while it does.
struct DerivedObjects {
    private let observations: Observations
    private let buckets: [BucketMapping]
    private let orphanKeys: Set<WantedKey>
    private let sourceKeys: Set<WantedKey>

    /// The derived objects among what a scan observed.
    init(observations: Observations, buckets: [BucketMapping]) {
        self.observations = observations
        self.buckets = buckets
        let isUsed = buckets.contains { !$0.derived.isEmpty }
        self.orphanKeys =
            isUsed
            ? Set(
                observations.orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) })
            : []
        sourceKeys =
            isUsed
            ? Set(
                observations.orphans.flatMap { orphan in
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

    /// Whether a record references the object from which this orphan candidate was made.
    func livesWithSource(_ number: Int) -> Bool {
        let candidate = observations.orphans[number]
        return sources(of: candidate).contains {
            observations.reconciler.isReferenced($0, bucket: candidate.bucket)
        }
    }

    /// The key of an unreferenced object that is there and from which this one was made.
    func source(of number: Int) -> ObjectKey? {
        let candidate = observations.orphans[number]
        return sources(of: candidate).first {
            orphanKeys.contains(WantedKey(bucket: candidate.bucket, key: $0))
        }
    }

    /// Whether the object from which one in quarantine was made is there, or a record holds its
    /// key: `alive` are keys in quarantine that a record holds.
    func livesWithSource(
        _ object: QuarantinedObject, bucket: Int, alive: Set<WantedKey>
    ) -> Bool {
        sources(of: object.key, bucket: bucket).contains { source in
            let wanted = WantedKey(bucket: bucket, key: source)
            return orphanKeys.contains(wanted) || alive.contains(wanted)
                || observations.reconciler.isReferenced(source, bucket: bucket)
        }
    }

    private func sources(of candidate: OrphanCandidate) -> [ObjectKey] {
        sources(of: candidate.object.key, bucket: candidate.bucket)
    }

    private func sources(of object: ObjectKey, bucket: Int) -> [ObjectKey] {
        DerivedKey.sources(of: object, patterns: buckets[bucket].derived)
    }
}
