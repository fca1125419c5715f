package import MooringDecisions
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

    /// An object's step and the proof that it waits for nothing more.
    package struct Item: Sendable {
        /// The step.
        package let step: PlanStep
        /// Its proof.
        package let proof: IrreversibleProof
    }

    /// The steps for the objects that wait for nothing more, each with its proof.
    package func items(_ states: [Pipeline.QuarantineState]) -> [Item] {
        states.compactMap { state in
            guard let proof = state.proof, job.bucket(state.bucket)?.isLive == true else {
                return nil
            }
            let finding = FindingIdentity.object(
                .orphan, bucket: state.bucket, key: state.object.key)
            let step = PlanStep(
                id: "sweep-\(finding.prefix(12))-\(state.object.run.text)", hash: "",
                strategy: .delete, finding: finding, bucket: state.bucket,
                key: state.object.key, record: nil,
                precondition: Precondition(
                    object: state.object.version, quarantinedBy: state.object.run,
                    owners: state.owners))
            return Item(step: step.sealed(), proof: proof)
        }
    }

    /// Removes one object for good: its owners are read once more, then the object must still
    /// be the version that was judged.
    package func sweep(_ item: Item) async throws -> RepairStage.Result {
        let journal = StepJournal(ledger: job.ledger, clock: job.clock, run: run, plan: nil)
        let (outcome, reason) = try await QuarantineExecutor(job: job, journal: journal)
            .sweep(item.step, item.proof)
        return RepairStage.Result(step: item.step, outcome: outcome, reason: reason)
    }
}
