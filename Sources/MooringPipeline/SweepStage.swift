import MooringDecisions
import MooringLedger
package import MooringModel

/// Removes from quarantine for good what this run's own audit found free of every reference.
package struct SweepStage {
    private let job: Job
    private let run: RunID

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
    }

    /// The steps for the objects that wait for nothing more.
    package func steps(_ states: [Pipeline.QuarantineState]) -> [PlanStep] {
        states.filter { $0.need == nil && job.bucket($0.bucket)?.isLive == true }.map { state in
            let finding = FindingIdentity.object(
                .orphan, bucket: state.bucket, key: state.object.key)
            return PlanStep(
                id: "sweep-\(finding.prefix(12))-\(state.object.run.text)", hash: "",
                strategy: .delete, finding: finding, bucket: state.bucket,
                key: state.object.key, record: nil,
                precondition: Precondition(
                    object: state.object.version, quarantinedBy: state.object.run,
                    owners: state.owners)
            ).sealed()
        }
    }

    /// Removes one object for good: its owners are read once more, then the object must still
    /// be the version that was judged.
    package func sweep(_ step: PlanStep) async throws -> RepairStage.Result {
        let journal = StepJournal(ledger: job.ledger, clock: job.clock, run: run, plan: nil)
        guard let bucket = job.bucket(step.bucket), let version = step.precondition.object,
            let held = step.precondition.quarantinedBy
        else {
            return RepairStage.Result(step: step, outcome: .failed, reason: "not configured")
        }
        let owners = await OwnerReader(job: job).answer(
            step.precondition.owners, bucket: step.bucket, key: step.key)
        guard owners == .unreferenced else {
            let reason = "a record references the object, or could not be read"
            try journal.conclude(step, .stale, reason)
            return RepairStage.Result(step: step, outcome: .stale, reason: reason)
        }
        let intent = try journal.intend(step)
        let (outcome, reason): (StepOutcome, String?)
        do {
            switch try await bucket.sweep(step.key, run: held, expecting: version) {
            case .done: (outcome, reason) = (.done, nil)
            case .stale(let why): (outcome, reason) = (.stale, why)
            }
        } catch {
            let lost = LostAnswer(bucket: bucket, key: step.key, run: held)
            guard let isHeld = await lost.isHeld() else {
                return RepairStage.Result(
                    step: step, outcome: .failed, reason: "\(error); \(LostAnswer.nextRun)")
            }
            (outcome, reason) = isHeld ? (.failed, "\(error)") : (.done, nil)
        }
        try journal.conclude(intent, outcome, reason)
        return RepairStage.Result(step: step, outcome: outcome, reason: reason)
    }
}
