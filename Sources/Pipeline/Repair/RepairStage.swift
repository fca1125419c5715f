import MooringConfiguration
import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

/// Carries plans out: checks each plan, repeats pass B unless its own run has just made it, and
/// drives the repair machines step by step, with the intent in the journal before each act.
package struct RepairStage {
    private let job: Job
    private let run: RunID
    private let writer: JournalWriter
    /// Whether the records are searched once more though this run has just made the plan: it did
    /// not hold the leases then, so that another ledger may have acted since.
    package var looksAgain = false

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
        writer = JournalWriter(job.ledger)
    }

    /// What came of one step.
    package struct Result: Hashable, Sendable {
        /// The step.
        package let step: PlanStep
        /// How it ended; nil when an earlier attempt at the same plan had ended it.
        package let outcome: StepOutcome?
        /// Why, where there is something to say.
        package let reason: String?
    }

    /// How old a confirm scan may be before it is repeated while a plan is carried out.
    package static let confirmationAge = Duration.hours(1)

    /// Refuses a plan that is expired, was made under another configuration, was changed by hand
    /// other than by taking steps out, or that the ledger does not know.
    package func check(_ plan: Plan) throws {
        let refused = "plan \(plan.id)"
        let again = "run mooring audit, then mooring plan"
        guard let saved = try job.ledger.plan(plan.id) else {
            throw Refusal(
                .refused, found: "the ledger knows no such plan", refused: refused, next: again)
        }
        guard plan.configuration == job.configuration.fingerprint else {
            throw Refusal(
                .refused, found: "it was made under another configuration", refused: refused,
                next: again)
        }
        guard saved.expiresAt > job.clock() else {
            throw Refusal(
                .refused, found: "it expired at \(saved.expiresAt.iso8601)", refused: refused,
                next: again)
        }
        let known = Set(saved.steps)
        guard plan.steps.allSatisfy({ $0.isIntact && known.contains($0) }),
            Set(plan.steps.map(\.id)).count == plan.steps.count
        else {
            throw Refusal(
                .refused, found: "a step was changed, added or repeated by hand",
                refused: refused, next: "take steps out only, or \(again)")
        }
        var emptied = (plan, saved)
        emptied.0.steps = []
        emptied.1.steps = []
        guard emptied.0 == emptied.1 else {
            throw Refusal(
                .refused, found: "something beside its steps was changed by hand",
                refused: refused, next: again)
        }
        guard plan.steps.allSatisfy({ !Planner.writesRecord($0) || $0.precondition.namesRow })
        else {
            throw Refusal(
                .refused,
                found: "an older mooring made it, and it does not tell its records as "
                    + "they were judged", refused: refused, next: again)
        }
        try job.refuseMappingError(refused)
        try refuseOutdated(plan)
    }

    // What a later run saw, such as an object that came back, this plan knows nothing of. A repair
    // that goes on with a plan scans nothing, so that it stands in nobody's way.
    private func refuseOutdated(_ plan: Plan) throws {
        let newer = try job.ledger.completeRun(of: Pipeline.auditCommands, behind: plan.run)
        guard let newer, newer.id != run else { return }
        let own =
            newer.configuration == plan.configuration ? "mooring plan \(newer.id.text), or " : ""
        throw Refusal(
            .refused, found: "run \(newer.id.text) has looked at everything since",
            refused: "plan \(plan.id)", next: own + "run mooring audit, then mooring plan")
    }

    /// Carries the steps of a plan out, in order, and tells each result as it comes.
    package func apply(_ plan: Plan, _ tell: (Result) -> Void) async throws {
        try await refuseLimited(plan)
        let emptied = Set(plan.steps.filter(Self.removes).compactMap(\.bucket))
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
            tell(Result(step: step, outcome: nil, reason: "done before"))
        }
        // Between plan and repair any record may have taken up a key; only the run that made the
        // plan has just looked.
        var confirmedAt =
            plan.run == run && !looksAgain ? plan.confirmedAt : .distantPast
        var protected: [String: String] = [:]
        let tags = try TaggedPlaces(of: pending, job.ledger)
        var place = 0
        while place < pending.count {
            try job.interruption.check()
            if place == 0 || Self.removes(pending[place]),
                confirmedAt + Self.confirmationAge < job.clock()
            {
                protected = try await confirmAgain(
                    "plan \(plan.id)", since: plan.run, pending[place...].filter(Self.removes))
                confirmedAt = job.clock()
            }
            let group = Array(pending[place...].prefix(StepGroup.prefix(of: pending[place...])))
            let (until, held) = (confirmedAt + Self.confirmationAge, protected)
            let width = group[0].bucket.flatMap(job.bucket)?.actsAtOnce ?? 1
            place += try await OrderedWork(width: width, interruption: job.interruption).run(
                group, pauses: { Self.removes($0) && until < job.clock() }
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
    ) async throws -> Result {
        guard let place = tags.place(of: step) else { return try await act(step, plan: plan) }
        let executor = TagExecutor(job: job, journal: journal(plan))
        if step.strategy == .restore {
            let result = try await act(step, plan: plan)
            guard result.outcome == .done, let why = try await executor.obstacle(untagging: place)
            else { return result }
            return Result(step: step, outcome: .done, reason: why)
        }
        guard let why = try await executor.obstacle(untagging: place) else {
            return try await act(step, plan: plan)
        }
        return try await end(step, plan, .failed, why)
    }

    private func act(_ step: PlanStep, plan: String) async throws -> Result {
        let journal = journal(plan)
        let told: Told
        switch step.strategy {
        case .quarantine, .delete:
            told = try await OrphanExecutor(job: job, journal: journal).carryOut(step)
        case .tag: told = try await TagExecutor(job: job, journal: journal).carryOut(step)
        case .untag: told = try await TagExecutor(job: job, journal: journal).release(step)
        case .abort: told = try await UploadExecutor(job: job, journal: journal).carryOut(step)
        case .nullify, .relink, .repoint, .deleteRecord,
            .requery where step.key == nil:
            told = try await RecordExecutor(job: job, journal: journal).carryOut(step)
        case .restore where step.precondition.basis.marker != nil:
            told = try await DeletionExecutor(job: job, journal: journal).carryOut(step)
        case .restore:
            told = try await QuarantineExecutor(job: job, journal: journal).carryOut(step)
        case .requery: told = try await RequeryExecutor(job: job, journal: journal).requery(step)
        case .keep: told = (.failed, "nothing is to be done about it")
        }
        return Result(step: step, outcome: told.outcome, reason: told.reason)
    }

    private func end(
        _ step: PlanStep, _ plan: String, _ outcome: StepOutcome, _ reason: String
    ) async throws -> Result {
        _ = try await journal(plan).end(step, nil, .finish(outcome, reason: reason))
        return Result(step: step, outcome: outcome, reason: reason)
    }

    private func journal(_ plan: String) -> StepJournal {
        StepJournal(job, writer, run: run, plan: plan)
    }

    private static func removes(_ step: PlanStep) -> Bool {
        [.quarantine, .delete, .tag].contains(step.strategy)
    }

    /// Repeats pass B for steps that remove objects, and gives what keeps some of them, by their
    /// ids.
    ///
    /// A plan's pass B says nothing about what records gained since: it is repeated against the
    /// plan's own keys before a repair begins, and whenever it grows old while the plan, or a
    /// sweep, is carried out. A source that cannot be read to its end stops everything, and so
    /// does one that lost its references: what it lacks proves nothing.
    func confirmAgain(
        _ refused: String, since run: RunID, _ removals: [PlanStep]
    ) async throws -> [String: String] {
        guard !removals.isEmpty else { return [:] }
        var (steps, wanted): ([String], [WantedKey]) = ([], [])
        var others: [Int: String] = [:]
        // An end of what is made from an object may be one of its own, and says nothing more.
        var sharesEnds: Set<Int> = []
        for step in removals {
            guard let bucket = job.buckets.firstIndex(where: { $0.name == step.bucket }),
                let key = step.key
            else { continue }
            steps.append(step.id)
            wanted.append(WantedKey(bucket: bucket, key: key))
            let patterns = job.bucketMappings[bucket].derived
            for (keys, reason) in [
                (DerivedKey.sources(of: key, patterns: patterns), Self.sourceNeeded),
                (DerivedKey.products(of: key, patterns: patterns), Self.productNeeded),
            ] {
                for other in keys {
                    if other.bytes.suffix(key.bytes.count).elementsEqual(key.bytes) {
                        sharesEnds.insert(wanted.count)
                    }
                    others[wanted.count] = reason
                    steps.append(step.id)
                    wanted.append(WantedKey(bucket: bucket, key: other))
                }
            }
        }
        var scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: wanted, dangling: [])
        for source in job.records {
            var problems = try await ConfirmStage.read(
                source, everything: true, job: job, into: &scan)
            if scan.rowsWithoutID > 0 {
                problems.append(
                    ScanProblem(
                        place: source.name, reason: "\(scan.rowsWithoutID) rows without an id"))
            }
            if let problem = problems.first {
                throw Refusal(
                    .incomplete, found: "the confirm scan could not be repeated: \(problem.text)",
                    refused: refused, next: "mend it, then run the same command again")
            }
        }
        try CarryingGuards(job: job, run: run, refused: refused).refuseDrop(to: scan.counts)
        let held = try await InsideLook(job: job).holding(scan.inside)
            .union(
                scan.unmapped.filter { !$0.isEnd || !sharesEnds.contains($0.wanted) }
                    .map(\.wanted))
        let reasons = Self.reasons(scan, held: held, steps: steps, others: others, removals)
        // A record may reference the link only: that the object goes would show nowhere.
        return reasons.merging(
            try await LinkLook(job: job, refused: refused).holding(removals)
        ) { own, _ in own }
    }

    private static let sourceNeeded = "a record references the object it is derived from"
    private static let productNeeded = "a record references an object that is derived from it"

    // What keeps the objects of some steps; `others` are what those are derived from, and what is
    // derived from them, with the reason.
    private static func reasons(
        _ scan: ConfirmScan, held: Set<Int>, steps: [String], others: [Int: String],
        _ removals: [PlanStep]
    ) -> [String: String] {
        var reasons: [String: String] = [:]
        for number in steps.indices where others[number] == nil {
            if scan.nearOwner(of: number) != nil {
                reasons[steps[number]] = "a record is spelt like its owner"
            } else if scan.named[number] != nil {
                reasons[steps[number]] = "its owner may hold its name"
            }
        }
        for number in held { reasons[steps[number]] = "a record holds the key now" }
        let lasting = Set(
            removals.filter { [.delete, .tag].contains($0.strategy) }.map(\.id))
        for number in scan.remembered where lasting.contains(steps[number]) {
            reasons[steps[number]] = "what says what was names the key"
        }
        for number in scan.referenced {
            reasons[steps[number]] = "a record references the object now"
        }
        for number in scan.referenced.union(held) {
            if let reason = others[number] { reasons[steps[number]] = reason }
        }
        return reasons
    }
}
