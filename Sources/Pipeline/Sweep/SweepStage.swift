package import MooringDecisions
import MooringLedger
package import MooringModel

/// Removes from quarantine for good what this run's own audit found free of every reference.
package struct SweepStage {
    private let job: Job
    private let run: RunID
    private let writer: JournalWriter

    /// A stage that acts in a run, once it has the rights.
    init(job: Job, run: RunID) {
        self.job = job
        self.run = run
        writer = JournalWriter(job.ledger)
    }

    /// An object's step and the proof that it waits for nothing more.
    package struct Item: Sendable {
        /// The step that removes it.
        package let step: PlanStep
        /// The proof that it waits for nothing more.
        package let proof: IrreversibleProof
        /// When the pass B ended that the proof rests on.
        let confirmedAt: Instant
        /// Whether records reference its key, and mean the object that is there again.
        let livesAgain: Bool
    }

    /// The steps for the objects that wait for nothing more, each with its proof.
    func items(_ states: [Pipeline.QuarantineState]) -> [Item] {
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
                    owners: state.livesAgain ? [] : state.owners))
            return Item(
                step: step.sealed(), proof: proof, confirmedAt: state.confirmedAt,
                livesAgain: state.livesAgain)
        }
    }

    /// Removes objects for good, those of one bucket at once, and tells each result in order: the
    /// owners of each are read once more, then it must still be the version that was judged.
    ///
    /// A pass B that is older than an hour is repeated first, also in the midst of a long sweep; so
    /// is one that knew objects by an inventory, whatever its age.
    func run(
        _ items: [Item], by rights: ActingRights, _ tell: (StepResult) -> Void
    ) async throws {
        var rest = items[...]
        var confirmedAt =
            job.hasInventory
            ? .distantPast : items.map(\.confirmedAt).min() ?? job.clock()
        var referenced = try await LinkLook(job: job, refused: "the sweep").holding(
            items.filter { !$0.livesAgain }.map(\.step))
        while let first = rest.first, let bucket = first.step.bucket.flatMap(rights.bucket) {
            try job.interruption.check()
            if confirmedAt + RepairStage.confirmationAge < job.clock() {
                referenced = try await confirmAgain(rest)
                confirmedAt = job.clock()
            }
            let (until, held) = (confirmedAt + RepairStage.confirmationAge, referenced)
            let together = StepGroup.prefix(of: rest.map(\.step))
            let work = OrderedWork(width: bucket.sweepsAtOnce, interruption: job.interruption)
            let begun = try await work.run(
                Array(rest.prefix(together)), pauses: { _ in until < job.clock() }
            ) { item in
                guard let reason = held[item.step.id] else {
                    return try await sweep(item, by: rights)
                }
                return try await keep(item, reason, rights)
            } tell: {
                tell($0)
            }
            rest = rest.dropFirst(begun)
        }
    }

    /// Removes one object for good.
    func sweep(_ item: Item, by rights: ActingRights) async throws -> StepResult {
        let (outcome, reason) = try await HeldObjectExecutor(
            journal: journal(rights), sweep: item
        ).carryOut(item.step)
        if reason == QuarantineMove.referenced { try forgetLooks(item) }
        return StepResult(step: item.step, outcome: outcome, reason: reason)
    }

    // What lives again is referenced, and is looked at by itself.
    private func confirmAgain(_ items: ArraySlice<Item>) async throws -> [String: String] {
        try await ConfirmAgain(job: job, since: run).keeping(
            items.filter { !$0.livesAgain }.map(\.step), refused: "the sweep")
    }

    private func keep(
        _ item: Item, _ reason: String, _ rights: ActingRights
    ) async throws -> StepResult {
        try forgetLooks(item)
        let (outcome, reason) = try await journal(rights).end(
            item.step, nil, .finish(.stale, reason: reason))
        return StepResult(step: item.step, outcome: outcome, reason: reason)
    }

    // A reference counts against the looks before it, whoever saw it.
    private func forgetLooks(_ item: Item) throws {
        guard let bucket = item.step.bucket, let key = item.step.key,
            let held = item.step.precondition.quarantinedBy,
            let version = item.step.precondition.object
        else { return }
        let object = QuarantinedObject(key: key, run: held, version: version)
        try job.ledger.watch(
            [(bucket: bucket, object: object, referenced: true)], at: job.clock(), run: run)
    }

    private func journal(_ rights: ActingRights) -> StepJournal {
        StepJournal(rights, writer, run: run, plan: nil)
    }
}
