import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Carries plans out: checks each plan, repeats pass B unless its own run has just made it, and
/// drives the repair machines step by step, with the intent in the journal before each act.
package struct RepairStage {
    private let rights: ActingRights
    private let run: RunID
    private let writer: JournalWriter
    private var job: Job { rights.job }

    /// A stage that acts in a run.
    init(_ rights: ActingRights, run: RunID) {
        self.rights = rights
        self.run = run
        writer = JournalWriter(rights.job.ledger)
    }

    /// How old a confirm scan may be before it is repeated while a plan is carried out.
    package static let confirmationAge = Duration.hours(1)

    /// Carries the steps of a plan out, in order, and tells each result as it comes.
    func run(_ guarded: GuardedPlan, _ tell: (StepResult) -> Void) async throws {
        let plan = guarded.plan
        try await refuseLimited(plan)
        let emptied = Set(plan.steps.filter(\.takesObject).compactMap(\.bucket))
        for bucket in emptied { try job.rememberQuarantine(of: bucket) }
        if !emptied.isEmpty {
            try job.ledger.remember(sources: job.configuration.sourceStores, of: run)
        }
        let ended = Dictionary(
            try job.ledger.journal(plan: plan.id).compactMap { entry in
                entry.outcome == .done ? (entry.step.id, entry) : nil
            }, uniquingKeysWith: { first, _ in first })
        let pending = plan.steps.filter { ended[$0.id] == nil }
        try CarryingGuards(
            job: job, run: plan.run, refused: "plan \(plan.id)", accepted: plan.accepted
        ).refuseTooMuch(pending)
        for step in plan.steps where ended[step.id] != nil {
            tell(StepResult(step: step, outcome: nil, reason: "done before"))
        }
        // Between plan and repair any record may have taken up a key; only the run that made the
        // plan has just looked, and not where it got its rights behind that: another ledger may
        // have acted since. What an inventory lists may be gone, and then a text that seems to name
        // it may mean one of these.
        let isFresh = plan.run == run && !rights.cameLate && !job.hasInventory
        var confirmedAt = isFresh ? plan.confirmedAt : .distantPast
        var protected: [String: String] = [:]
        let tags = try TaggedPlaces(of: pending, job.ledger)
        var place = 0
        while place < pending.count {
            try job.interruption.check()
            if place == 0 || pending[place].takesObject,
                confirmedAt + Self.confirmationAge < job.clock()
            {
                protected = try await ConfirmAgain(job: job, since: plan.run).keeping(
                    pending[place...].filter(\.takesObject), refused: "plan \(plan.id)")
                confirmedAt = job.clock()
            }
            let group = Array(pending[place...].prefix(StepGroup.prefix(of: pending[place...])))
            let (until, held) = (confirmedAt + Self.confirmationAge, protected)
            let width = group[0].bucket.flatMap(rights.bucket)?.actsAtOnce ?? 1
            place += try await OrderedWork(width: width, interruption: job.interruption).run(
                group, pauses: { $0.takesObject && until < job.clock() }
            ) { step in
                guard let reason = held[step.id] else {
                    return try await carryOut(step, plan: plan.id, tags)
                }
                return try await end(step, plan.id, .stale, reason)
            } tell: {
                tell($0)
            }
        }
    }

    // What a source was when the plan was made, it need not be now.
    private func refuseLimited(_ plan: Plan) async throws {
        for source in job.records where !plan.steps.isEmpty {
            guard let reason = try await source.limits().proofs else { continue }
            throw Refusal(
                .refused, found: "records '\(source.name)': \(reason)",
                refused: "plan \(plan.id)", next: "mend that, and run mooring audit again")
        }
    }

    // What was tagged loses its tag before a record is made to mean it, before it goes into
    // quarantine, where a copy would be tagged too, and once it is back at its key.
    private func carryOut(
        _ step: PlanStep, plan: String, _ tags: TaggedPlaces
    ) async throws -> StepResult {
        guard let place = tags.place(of: step) else { return try await act(step, plan: plan) }
        let executor = TagExecutor(journal: journal(plan))
        if step.strategy == .restore {
            let result = try await act(step, plan: plan)
            guard result.outcome == .done, let why = try await executor.obstacle(untagging: place)
            else { return result }
            return StepResult(step: step, outcome: .done, reason: why)
        }
        guard let why = try await executor.obstacle(untagging: place) else {
            return try await act(step, plan: plan)
        }
        return try await end(step, plan, .failed, why)
    }

    private func act(_ step: PlanStep, plan: String) async throws -> StepResult {
        let journal = journal(plan)
        let told: StepEnding
        switch step.strategy {
        case .quarantine, .delete:
            told = try await OrphanExecutor(journal: journal).carryOut(step)
        case .tag: told = try await TagExecutor(journal: journal).carryOut(step)
        case .untag: told = try await TagExecutor(journal: journal).release(step)
        case .abort: told = try await UploadExecutor(journal: journal).carryOut(step)
        case .nullify, .relink, .repoint, .deleteRecord,
            .requery where step.key == nil:
            told = try await RecordExecutor(journal: journal).carryOut(step)
        case .restore where step.undeletes:
            told = try await UndeleteExecutor(journal: journal).carryOut(step)
        case .restore:
            told = try await HeldObjectExecutor(journal: journal).carryOut(step)
        case .requery: told = try await RequeryExecutor(journal: journal).requery(step)
        case .keep: told = (.failed, "nothing is to be done about it")
        }
        return StepResult(step: step, outcome: told.outcome, reason: told.reason)
    }

    private func end(
        _ step: PlanStep, _ plan: String, _ outcome: StepOutcome, _ reason: String
    ) async throws -> StepResult {
        _ = try await journal(plan).end(step, nil, .finish(outcome, reason: reason))
        return StepResult(step: step, outcome: outcome, reason: reason)
    }

    private func journal(_ plan: String) -> StepJournal {
        StepJournal(rights, writer, run: run, plan: plan)
    }
}
