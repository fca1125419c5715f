import MooringDecisions
import MooringModel

/// Turns what was confirmed into findings: evidence from the confirm scan and the ledger, judged by
/// the pure judges, with the policy's action beside each.
struct JudgeStage {
    /// What the stage works with.
    let job: Job
    /// The run whose first sights are kept.
    let run: RunID
    /// The clock difference that was measured; zero when it was not.
    let clock: Duration
    /// What was accepted in words: sightings that were held back for a share may count by it.
    let acceptance: Acceptance

    /// Judges everything; writes first sights to the ledger and nothing else.
    func run(_ confirmed: Confirmed) throws -> Judged {
        try Judging(
            stage: self, confirmed: confirmed, stores: try KnownStores(job), now: job.judgedNow
        ).all()
    }
}
