import MooringConfiguration
import MooringDecisions
import MooringLedger
package import MooringModel

/// Tries out what the live stores can do, once before the first act, and keeps it in the ledger for
/// plans and for `doctor --policy`.
package struct CapabilityStage {
    private let job: Job

    /// A stage over a job.
    package init(job: Job) {
        self.job = job
    }

    /// Tries every live store; gives what is refused for what they lack, in sentences for people.
    ///
    /// A store whose trial failed is named, and every act that needs it fails later.
    package func tryOut() async throws -> [String] {
        var sentences: [String] = []
        for bucket in job.actingBuckets where bucket.needsTrial {
            try job.interruption.check()
            do {
                let found = try await bucket.capabilities()
                try job.ledger.keep(
                    KnownCapabilities(capabilities: found, triedAt: job.clock()),
                    bucket: bucket.name, store: bucket.storeIdentity)
                if let doubt = found.versionsDoubt {
                    sentences.append(
                        "bucket \(bucket.name) says that it keeps versions, and they cannot be "
                            + "relied on: \(doubt); it is treated as one that keeps none")
                }
                sentences += StoreSentences.lacks(
                    of: found, bucket.name, job.configuration.repair)
            } catch let error as StoreError {
                sentences.append(
                    "what bucket \(bucket.name) can do could not be tried, so nothing is changed "
                        + "in it: \(error)")
            }
        }
        return sentences
    }
}

extension Bucket {
    /// What a trial of it shows now. Throws `StoreError` where it could not be made.
    package func tryOut() async throws -> StoreCapabilities {
        guard let bucket = self as? any ActingBucket else {
            throw StoreError(place: name, reason: "a copy is not tried", isRefusal: true)
        }
        return try await bucket.capabilities()
    }
}

/// What a policy asks of a store that it cannot do, in words.
package enum StoreSentences {
    /// One sentence for each strategy of a policy that a store lacks something for.
    package static func lacks(
        of store: StoreCapabilities, _ bucket: String, _ policy: RepairPolicy
    ) -> [String] {
        let asked = Set(policy.strategies.values).union(
            policy.overrides.flatMap(\.strategies.values))
        return Strategy.allCases.filter(asked.contains).compactMap { strategy in
            let some = StoreRule.lack(of: store, for: strategy, neverReused: false)
            let all = StoreRule.lack(of: store, for: strategy, neverReused: true)
            return (all ?? some).map {
                "\(strategy.rawValue) is refused in bucket \(bucket)"
                    + (all == nil ? Self.usedOnce : "") + ": \($0)"
            }
        }
    }

    // Both ways out, since neither is in the store's answer.
    private static let usedOnce =
        ", but for keys that are used once, since every template that fits them holds {uuid} "
        + "(with versioning on, it would be for all)"

    /// That nobody knows what a store can do; nil where that is known.
    package static func untried(_ bucket: any Bucket, _ known: KnownStores) -> String? {
        guard bucket.needsTrial, known[bucket.name] == nil else { return nil }
        return "the store of bucket \(bucket.name) has not been tried; mooring doctor --probe "
            + "tells what it can do"
    }
}
