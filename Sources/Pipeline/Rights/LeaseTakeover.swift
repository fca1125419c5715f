import MooringModel

/// The leases that other ledgers hold, told or, where they are lost, taken.
package struct LeaseTakeover {
    /// What works with them.
    let job: Job
    /// Under which run they are taken.
    let run: RunID

    /// A lease that another ledger holds, or that could not be looked at.
    package struct Other: Hashable, Sendable {
        /// The bucket's name.
        package let bucket: String
        /// Who holds it, or why that is not known.
        package let holder: String
        /// Whether it was taken; it is gone then, unless an intent stands open in this ledger.
        package let isTaken: Bool
    }

    /// Finds the leases of others; takes and removes them when they are given up for lost.
    ///
    /// With open intents in this ledger's journal the leases become its own and stay.
    func carryOut(
        _ takesOver: Bool
    ) async throws -> (others: [Other], sentences: [String]) {
        var others: [Other] = []
        for bucket in job.buckets where bucket.isLive {
            guard let holder = try await job.otherHolder(of: bucket) else { continue }
            others.append(Other(bucket: bucket.name, holder: holder, isTaken: takesOver))
        }
        guard takesOver, !others.isEmpty else { return (others, []) }
        _ = try await job.takeLeases(for: "ledger rebuild", run: run, takingOver: true)
        return (others, await job.giveLeasesBack())
    }
}
