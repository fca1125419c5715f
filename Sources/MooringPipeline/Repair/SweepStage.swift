package import MooringDecisions
import MooringLedger
package import MooringModel

/// Removes from quarantine for good what this run's own audit found free of every reference.
package struct SweepStage {
    private let job: Job
    private let run: RunID
    private let writer: JournalWriter

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
        writer = JournalWriter(job.ledger)
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

    /// Removes objects for good, those of one bucket at once, and tells each result in order: the
    /// owners of each are read once more, then it must still be the version that was judged.
    package func sweep(_ items: [Item], _ tell: (RepairStage.Result) -> Void) async throws {
        var rest = items[...]
        while let first = rest.first, let bucket = first.step.bucket.flatMap(job.bucket) {
            try job.interruption.check()
            let together = StepGroup.prefix(of: rest.map(\.step))
            let work = OrderedWork(width: bucket.sweepsAtOnce, interruption: job.interruption)
            try await work.run(Array(rest.prefix(together)), sweep, tell: tell)
            rest = rest.dropFirst(together)
        }
    }

    /// Removes one object for good.
    package func sweep(_ item: Item) async throws -> RepairStage.Result {
        let journal = ObjectJournal(job, writer, run: run, plan: nil)
        let (outcome, reason) = try await QuarantineExecutor(job: job, journal: journal)
            .sweep(item.step, item.proof)
        return RepairStage.Result(step: item.step, outcome: outcome, reason: reason)
    }
}
