import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReporting

/// A ledger that does not know what lies in quarantine gets it back from there.
extension Pipeline {
    /// What a rebuild wrote, and who else acts on the buckets.
    package struct Rebuilt: Sendable {
        /// What the ledger did not know.
        package let missing: [RebuildStage.Missing]
        /// The leases that other ledgers hold, taken or not.
        package let leases: [LeaseTakeover.Other]
        /// What people have to know of those that were taken.
        package let sentences: [String]
    }

    /// Lists the quarantine of every live bucket; writes nothing. Throws a `Refusal` where one
    /// cannot be listed to its end.
    package static func quarantine(
        of buckets: [any Bucket], _ interruption: Interruption
    ) async throws -> RebuildStage.Quarantine {
        let quarantine = try await RebuildStage.list(buckets, interruption)
        guard !quarantine.isComplete else { return quarantine }
        let first = quarantine.problems.first.map { VisibleText.ascii($0.text) }
        throw Refusal(
            .incomplete,
            found: "the quarantine could not be listed to its end"
                + (first.map { ": \($0)" } ?? ""),
            refused: "the rebuild, and nothing was written",
            next: "mend it, then run the same command again")
    }

    /// Writes what the ledger does not know of it, once the stores are those that it knows; tells
    /// the leases of other ledgers, and takes them where they are given up for lost.
    package func rebuild(
        from quarantine: RebuildStage.Quarantine, as run: RunID, takingOver: Bool
    ) async throws -> Rebuilt {
        let identity = IdentityStage(job: job, run: run)
        let stores = try await known(identity)
        let stage = RebuildStage(job: job)
        let missing = try stage.missing(quarantine)
        try job.interruption.check()
        try stage.write(missing)
        _ = try await identity.adoptNew(stores)
        let leases = try await LeaseTakeover(job: job, run: run).carryOut(takingOver)
        return Rebuilt(missing: missing, leases: leases.others, sentences: leases.sentences)
    }

    private func known(_ identity: IdentityStage) async throws -> [IdentityStage.Result] {
        do {
            return try await identity.refuseOthers(
                refused: "the rebuild, and nothing was written")
        } catch let error as IdentityRefusal {
            throw error.refusal
        }
    }
}
