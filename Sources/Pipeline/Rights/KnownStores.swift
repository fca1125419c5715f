import MooringDecisions
package import MooringLedger
package import MooringModel

/// What the stores of a job are known to do, from earlier trials; nothing is asked for it.
package struct KnownStores: Sendable {
    private let known: [String: StoreCapabilities]

    /// What the ledger knows of these buckets.
    package init(_ buckets: [any Bucket], _ ledger: Ledger?) throws {
        var known: [String: StoreCapabilities] = [:]
        for bucket in buckets where bucket.isLive {
            known[bucket.name] =
                bucket.needsTrial
                ? try ledger?.capabilities(bucket: bucket.name, store: bucket.storeIdentity)?
                    .capabilities : .folder
        }
        self.known = known
    }

    /// What the ledger of a job knows of its buckets.
    init(_ job: Job) throws { try self.init(job.buckets, job.ledger) }

    /// What the store of a bucket can do; nil where it was never tried.
    package subscript(bucket: String) -> StoreCapabilities? { known[bucket] }

    /// Whether a bucket is known to keep the versions of an object, as it was listed.
    package func keepsVersions(
        _ bucket: String?, _ key: ObjectKey, _ version: ObjectVersion?
    ) -> Bool {
        bucket.flatMap { known[$0] }?.concerning(key, listed: version).versioning == .enabled
    }
}

extension Job {
    /// Why a store that can do this cannot carry a strategy out on a key of a bucket so that
    /// nothing is lost; nil where it can. Whether the key is used once is asked only where that
    /// decides.
    func lack(
        of store: StoreCapabilities, for strategy: Strategy, key: ObjectKey, in bucket: String
    ) -> String? {
        if let lack = lackOfPlace(for: strategy, key: key, in: bucket) { return lack }
        guard StoreRule.lack(of: store, for: strategy, neverReused: false) != nil else {
            return nil
        }
        let reuse = configuration.keyReuse(of: bucket)
        return StoreRule.lack(of: store, for: strategy, neverReused: reuse.isNeverReused(key))
    }

    /// Why a key has no place in its bucket's quarantine; nil where it has one.
    func lackOfPlace(for strategy: Strategy, key: ObjectKey, in bucket: String) -> String? {
        bucketMappings.first { $0.name == bucket }
            .flatMap { StoreRule.lack(ofPlaceFor: key, in: $0, for: strategy) }
    }
}
