// A tombstone protects its object however that is spelled: what it misses may be a twin's.

extension Reconciler {
    /// Of wanted keys those that a tombstone may mean by another spelling, since nothing was listed
    /// at its own; each with one reference that does. What else it may mean, another level or
    /// another identity, it does not protect: a common name would be protected for ever.
    package func buriedTwins(of wanted: [WantedKey]) -> [WantedKey: DanglingCandidate] {
        var found: [WantedKey: DanglingCandidate] = [:]
        var indexes = ListIndexes()
        var twins: TwinPlaces?
        eachBuried { group, record in
            guard let candidate = candidate(group, record, &indexes, where: { _, _ in true }),
                let bucket = candidate.bucket
            else { return }
            // Most apps have no such reference.
            let places = twins ?? TwinPlaces(wanted, buckets: buckets, resolver: resolver)
            twins = places
            for number in places.numbers(of: candidate.patterns, bucket: bucket) {
                found[wanted[number]] = found[wanted[number]] ?? candidate
            }
        }
        return found
    }
}
