import MooringDecisions
import MooringModel
import MooringReconcile

/// Reconcile: what is left of the join once both sides were read.
struct ReconcileStage {
    /// What the stage works with.
    let job: Job
    /// The run under which an acceptance of what vanished is kept.
    let run: RunID

    /// Lists the references without an object, and finds what vanished of them at once.
    func run(
        _ observations: Observations, accepting acceptance: Acceptance
    ) async throws -> Candidates {
        let dangling = dangling(observations)
        return Candidates(
            observations: observations, join: observations.join, orphans: observations.orphans,
            dangling: dangling,
            vanished: try await VanishedStage(job: job, run: run)
                .find(dangling, observations, accepting: acceptance),
            quarantined: observations.quarantined,
            order: try job.order(of: observations.quarantined.map(\.object)))
    }

    // Of a bucket that was not listed to its end, nothing is known to be missing.
    private func dangling(_ observations: Observations) -> [DanglingCandidate] {
        let incomplete = Set(observations.incompleteBuckets)
        var dangling: [DanglingCandidate] = []
        observations.join.dangling { candidate in
            let isUnread = candidate.bucket.map { incomplete.contains(job.buckets[$0].name) }
            if isUnread != true { dangling.append(candidate) }
        }
        return dangling
    }
}
