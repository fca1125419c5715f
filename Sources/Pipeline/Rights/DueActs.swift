import MooringConfiguration
import MooringLedger
import MooringModel

/// What is known of the acts of a run before it scans anything.
struct DueActs {
    /// The stores and the ledger.
    let job: Job

    /// Whether there is a lease that has to be respected or taken over, an act to be ended, a
    /// store of which too little is known, or something in quarantine past its retention.
    func areKnown() async throws -> Bool {
        if try !job.ledger.openIntents().isEmpty { return true }
        let known = try KnownStores(job.buckets, job.ledger)
        for bucket in job.buckets where bucket.isLive {
            if bucket.needsTrial, isUncertain(known[bucket.name], bucket.name) { return true }
            if try sweeps(bucket.name) { return true }
            if try await bucket.lease?.readLease() != nil { return true }
        }
        return false
    }

    // A store that lacked something may have learnt it.
    private func isUncertain(_ store: StoreCapabilities?, _ bucket: String) -> Bool {
        guard let store, store.versionsDoubt == nil else { return true }
        return !StoreSentences.lacks(of: store, bucket, job.configuration.repair).isEmpty
    }

    private func sweeps(_ bucket: String) throws -> Bool {
        let ended = job.clock() - job.configuration.repair.retention
        return try job.ledger.quarantineWatch(bucket: bucket).contains {
            ($0.object.run.startedAt ?? .distantPast) <= ended
        }
    }
}
