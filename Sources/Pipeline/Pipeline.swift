import MooringConfiguration
package import MooringDecisions
import MooringLedger
package import MooringModel

/// The pipeline: scan → reconcile → confirm → judge → guards → remember, and behind the ledger plan
/// → repair; and what each command runs of it, in order. One noun crosses each border: observations
/// → candidates → confirmed → judged → guarded → audit; saved run → guarded plan → step results. A
/// report is rendered from what a run ends with.
package struct Pipeline: Sendable {
    /// What the pipeline works with.
    package let job: Job
    /// Is told what an audit found, and the run as its guards left it, before the ledger keeps it
    /// and while nothing of it may be seen: the findings are those that the audit ends with.
    package var found: (@Sendable ([Finding], RunSummary) -> Void)?

    /// A pipeline over a job.
    package init(job: Job) {
        self.job = job
    }

    /// What a command asks for; each is a row of stages.
    package enum Operation {
        /// Looks at both sides and judges; changes nothing but the ledger.
        case audit
        /// The same, held to the configuration's gates; findings that a baseline lets pass do not
        /// count there.
        case check(FindingBaseline?)
        /// The same, and restores, repairs and sweeps where the policy says `apply: true`.
        case nightly
        /// Carries out a plan.
        case repair(Plan)
        /// Removes from quarantine for good what waits for nothing more, or only says what.
        case sweep(applies: Bool)
        /// Takes back a run's repairs, or the one of this id.
        case undo(of: RunID, step: String?)
        /// Carries out a deletion request, or only looks what it means.
        case erase(ErasureRequest)
    }

    /// How an operation ended.
    package struct Ending: Sendable {
        /// What was seen; nil of an operation that scans nothing.
        package var audit: Audit?
        /// What is, or would be, carried out: in a sweep what goes for good, else all but that.
        package var steps: [PlanStep] = []
        /// The plan that a nightly run made; nil where it came to none.
        package var plan: Plan?
        /// What came of a deletion request; nil of any other operation.
        package var erasure: Erasure?
        /// What a check compared.
        package var gates: [GateAnswer] = []
        /// What a check made of its baseline; nil where it had none.
        package var baseline: BaselineAnswers?
        /// Why nothing more was changed; nil where nothing was refused.
        package var refusal: Refusal?
        /// Whether a side was not read to its end.
        package var isIncomplete = false

        /// The findings in report order; none of an operation that scans nothing.
        package var findings: [Finding] { audit?.findings ?? [] }
    }

    /// Runs an operation; what becomes of each step is told as it comes, and stands in the run
    /// whatever happens. Throws a `Refusal` where nothing at all may be done.
    package func run(
        _ operation: Operation, as run: CurrentRun, accepting acceptance: Acceptance = Acceptance()
    ) async throws -> Ending {
        var ending: Ending
        switch operation {
        case .audit, .check: ending = Ending(audit: try await look(run, accepting: acceptance))
        case .nightly: ending = try await nightly(run, accepting: acceptance)
        case .repair(let plan): ending = try await repair(plan, run)
        case .sweep(let applies): ending = try await sweep(run, applies, accepting: acceptance)
        case .undo(let repaired, let step): ending = try await undo(repaired, step, run)
        case .erase(let request): ending = try await erase(request, run, accepting: acceptance)
        }
        switch operation {
        case .audit: break
        case .check(let baseline):
            hold(&ending, to: baseline)
            run.summary.gates = ending.gates.map(\.answer)
            // What a side that was not read to its end leaves out passes nothing.
            if !run.summary.isCompleteScan {
                for place in run.summary.gates.indices { run.summary.gates[place].passed = false }
            }
        default: run.summary.repairs = run.repairs
        }
        // What scans has said it already; here a report is still to be written.
        if run.summary.status == .running { run.summary.status = .complete }
        ending.isIncomplete = run.summary.status == .incomplete
        run.finish(job)
        return ending
    }

    // MARK: Courses

    private func nightly(
        _ run: CurrentRun, accepting acceptance: Acceptance
    ) async throws -> Ending {
        var rights: PromisedRights?
        if job.configuration.repair.apply {
            rights = try await Rights(job: job, run: run).takeWhereDue(accepting: acceptance)
        }
        let audit = try await look(run, rights?.clock, accepting: acceptance)
        try job.ledger.update(run.summary)
        var ending = Ending(audit: audit)
        do {
            ending.steps = try await act(on: audit, run, &rights, accepting: acceptance)
        } catch let refusal as Refusal {
            // What was seen, and done until here, is reported all the same.
            run.refuse(refusal)
            ending.refusal = refusal
        }
        ending.plan = try job.ledger.lastPlan(of: run.summary.id)
        return ending
    }

    // Without rights nothing is applied. The watch comes first: what a record references is given
    // back before anything is planned, and also where something else could not be read.
    private func act(
        on audit: Audit, _ run: CurrentRun, _ rights: inout PromisedRights?,
        accepting acceptance: Acceptance
    ) async throws -> [PlanStep] {
        // On another store nothing is given back either.
        if let refusal = Refusal(identities: run.summary.guards, refused: "every change") {
            throw refusal
        }
        let watch = GuardedPlan(
            WatchStage(run: run.summary.id, configuration: run.summary.configuration), audit,
            at: job.clock())
        run.plan(watch.steps.count)
        try await apply(watch, run, &rights)
        guard run.summary.status == .complete else { return watch.steps }
        let sweep = SweepStage(job: job, run: run.summary.id)
        // What became due while this run looked waits: a sweep wants its scan under the lease.
        let isLate = rights.map { $0.acting?.cameLate != false } ?? false
        let due = isLate ? [] : sweep.items(audit.quarantine)
        let plan = try plan(run.summary, audit, sweeping: due, accepting: acceptance)
        run.plan(plan.steps.count + due.count)
        guard rights != nil else {
            run.report(
                .dry(
                    watch.steps + plan.steps, swept: due.map(\.step),
                    notes: try notes(on: plan.steps)))
            return watch.steps + plan.steps
        }
        try await Rights(job: job, run: run).adoptIdentities(by: rights?.acting)
        try await apply(plan, run, &rights)
        if !due.isEmpty, let acting = rights?.acting {
            try await sweep.run(due, by: acting) { run.add($0) }
        }
        return watch.steps + plan.steps
    }

    // What the watch gave back, or took the tag off, stands in the plan too, and is left out.
    private func plan(
        _ summary: RunSummary, _ audit: Audit, sweeping due: [SweepStage.Item],
        accepting acceptance: Acceptance
    ) throws -> GuardedPlan {
        let plan = try PlanStage(job: job).run(summary, accepting: acceptance)
        try SweepGuards.check(audit, due.map(\.step), job, accepting: acceptance)
        return plan.without(\.isOfWatch)
    }

    private func apply(
        _ plan: GuardedPlan, _ run: CurrentRun, _ promised: inout PromisedRights?
    ) async throws {
        guard !plan.steps.isEmpty, var rights = promised else { return }
        let acting = try await Rights(job: job, run: run).fulfil(&rights)
        promised = rights
        try await RepairStage(acting, run: run.summary.id).run(plan) { run.add($0) }
    }

    private func repair(_ plan: Plan, _ run: CurrentRun) async throws -> Ending {
        let guarded = try GuardedPlan(checking: plan, job, except: run.summary.id)
        run.plan(plan.steps.count)
        let rights = Rights(job: job, run: run)
        let acting = try await rights.take()
        // The plan's guards have passed.
        try await rights.adoptIdentities(by: acting)
        try await RepairStage(acting, run: run.summary.id).run(guarded) { run.add($0) }
        return Ending(steps: plan.steps)
    }

    private func sweep(
        _ run: CurrentRun, _ applies: Bool, accepting acceptance: Acceptance
    ) async throws -> Ending {
        let rights = Rights(job: job, run: run)
        let acting = applies ? try await rights.take(accepting: acceptance) : nil
        let audit = try await look(run, acting?.clock, accepting: acceptance)
        // A long sweep looks once more, and compares what it finds with this.
        try job.ledger.update(run.summary)
        let stage = SweepStage(job: job, run: run.summary.id)
        let due = stage.items(audit.quarantine)
        try SweepGuards.check(audit, due.map(\.step), job, accepting: acceptance)
        if let acting { try await rights.adoptIdentities(by: acting) }
        run.plan(due.count)
        run.report(.held(audit.quarantine))
        if let acting { try await stage.run(due, by: acting) { run.add($0) } }
        return Ending(audit: audit, steps: due.map(\.step))
    }

    private func undo(_ repaired: RunID, _ step: String?, _ run: CurrentRun) async throws -> Ending
    {
        // What a crash left open is ended first: it may be a repair to take back.
        let rights = try await Rights(job: job, run: run).take()
        let stage = UndoStage(job: job, run: run.summary.id)
        let items = try stage.items(of: repaired, onlyStep: step)
        let staying = items.filter { $0.obstacle != nil && $0.isNoFailure }
        run.plan(items.count - staying.count)
        for item in staying { run.report(.stays(item)) }
        try await stage.run(items.filter { !staying.contains($0) }, by: rights) { run.add($0) }
        return Ending()
    }

    // Without `applies` only the survey is made.
    private func erase(
        _ request: ErasureRequest, _ run: CurrentRun, accepting acceptance: Acceptance
    ) async throws -> Ending {
        let rights = request.applies ? try await Rights(job: job, run: run).take() : nil
        let stage = EraseStage(job: job, run: run.summary.id, scope: request.scope)
        let survey = try await stage.survey()
        run.summary.markUnread(survey.incomplete)
        run.report(.surveyed(survey))
        run.summary.guards += try EraseGuards.check(
            survey, request.scope, job.configuration, accepting: acceptance)
        let rest = EraseRemains(job: job, run: run.summary.id, scope: request.scope)
        guard let rights else {
            let remains = try await rest.survey()
            return Ending(erasure: Erasure(survey: survey, remains: remains, done: nil))
        }
        run.plan(survey.items.count)
        run.report(.erasing)
        var done = Erasure.Done()
        try await stage.run(survey.items, by: rights) {
            done.results.append($0)
            run.add($0)
        }
        let remains = try await rest.remove(by: rights)
        for failure in remains.failures { run.report(.failure(failure)) }
        try forget(request, survey, remains, run, &done)
        return Ending(erasure: Erasure(survey: survey, remains: remains, done: done))
    }

    private func hold(_ ending: inout Ending, to baseline: FindingBaseline?) {
        guard let audit = ending.audit else { return }
        ending.baseline = baseline.map {
            BaselineAnswers(
                $0, audit.findings, at: job.clock(), isComplete: audit.summary.isCompleteScan)
        }
        let tally = ending.baseline?.tally ?? audit.tally
        ending.gates = job.configuration.gates.map { gate in
            GateAnswer(
                gate: gate, measured: tally.value(of: gate),
                whole: gate.share == nil ? 0 : gate.whole(in: audit.summary))
        }
    }

    private func look(
        _ run: CurrentRun, _ clock: Duration? = nil, accepting acceptance: Acceptance
    ) async throws -> Audit {
        let audit = try await audit(run.summary, accepting: acceptance, clock: clock)
        run.summary = audit.summary
        return audit
    }
}

// MARK: Looking without acting

extension Pipeline {
    /// Scans, reconciles, confirms, judges and asks the guards; writes the ledger and nothing else.
    package func audit(
        _ run: RunSummary, accepting acceptance: Acceptance = Acceptance(),
        clock: Duration? = nil
    ) async throws -> Audit {
        if let narrowing = job.narrowing {
            return try await narrowedAudit(run, by: narrowing, accepting: acceptance, clock: clock)
        }
        let acceptance = try job.reviewed(acceptance, in: run.id)
        let observations = try await ScanStage(job: job).run()
        // Behind the scan: what was read is then what the marker stands for.
        let identity = IdentityStage(job: job, run: run.id)
        let stores = try await identity.check(accepting: acceptance)
        let candidates = try await ReconcileStage(job: job, run: run.id)
            .run(observations, accepting: acceptance)
        let confirmed = try await ConfirmStage(job: job).run(candidates)
        let judge = JudgeStage(
            job: job, run: run.id, clock: clock ?? .zero, acceptance: acceptance)
        let guards = GuardStage(
            job: job, run: run, stores: stores.map(\.answer.answer), acceptance: acceptance,
            clock: clock)
        var guarded = try self.guarded(confirmed, by: judge, guards)
        found?(guarded.judged.findings, guarded.summary)
        let quarantine = try keep(guarded)
        if guarded.passed { guarded.summary.notes += try await identity.adoptNew(stores) }
        return try ended(guarded, quarantine)
    }

    // The three below are kept out of their asynchronous caller: inlined into it, they crash Swift
    // 6.3.1's optimiser. `make test-release` would notice.
    @inline(never)
    private func guarded(
        _ confirmed: Confirmed, by judge: JudgeStage, _ guards: GuardStage
    ) throws -> Guarded {
        let mapping = MappingStage(job: job, confirmed: confirmed)
        let judged = try mapping.run(try judge.run(confirmed))
        return try guards.run(judged)
    }

    @inline(never)
    private func keep(_ guarded: Guarded) throws -> [QuarantineState] {
        let quarantine = try QuarantineStage(job: job).run(guarded)
        try RememberStage(job: job).run(guarded, quarantine)
        return quarantine
    }

    @inline(never)
    private func ended(_ guarded: Guarded, _ quarantine: [QuarantineState]) throws -> Audit {
        var summary = guarded.summary
        let candidates = guarded.judged.confirmed.candidates
        if guarded.passed {
            try VanishedStage(job: job, run: summary.id).forgetEnded(candidates.vanished)
        }
        let untagging = try TaggedObjects(job, guarded.judged).untagging(&summary)
        summary.change = try job.change(in: summary)
        return Audit(
            summary: summary, findings: guarded.judged.findings, tally: guarded.tally,
            quarantine: quarantine, untagging: untagging, order: candidates.order)
    }

    /// The plan of a run that has ended.
    package func plan(
        _ audited: RunSummary, accepting acceptance: Acceptance
    ) async throws -> Plan {
        try await adoptAccepted(acceptance, in: audited)
        return try PlanStage(job: job).run(audited, accepting: acceptance).plan
    }

    // Whoever accepts another store in words may do so behind the audit. The ledger takes the new
    // store at once, and the guard of the run, which refused it, is then left out.
    private func adoptAccepted(_ acceptance: Acceptance, in audited: RunSummary) async throws {
        _ = try await IdentityStage(job: job, run: audited.id).check(accepting: acceptance)
    }

    /// The steps that a plan of a run would hold, for people to decide on; nothing is saved.
    package func steps(
        for audited: RunSummary, accepting acceptance: Acceptance
    ) async throws -> [PlannedStep] {
        try await adoptAccepted(acceptance, in: audited)
        return try PlanStage(job: job).steps(of: audited, accepting: acceptance)
    }

    /// The plan of a run with what people approved of it.
    package func plan(
        _ audited: RunSummary, accepting acceptance: Acceptance, holdingTo words: ReviewWords
    ) async throws -> ReviewedPlan {
        try await adoptAccepted(acceptance, in: audited)
        return try PlanStage(job: job).run(audited, accepting: acceptance, holdingTo: words)
    }

    /// Refuses a plan that may not be carried out as it is.
    package func check(_ plan: Plan) throws {
        _ = try GuardedPlan(checking: plan, job, except: plan.run)
    }

    /// What is to be said of a plan's steps beside them, a line each.
    package func notes(on steps: [PlanStep]) throws -> [String] {
        PlanNotes(steps, job.buckets, try KnownStores(job)).lines(run: nil)
    }

    /// What a plan's removals cost in storage, by the terms of classes; nil where none of them
    /// removes an object of a store that has classes. Looks at each object once.
    package func cost(of plan: Plan, by terms: StorageTerms) async throws -> PlanCost? {
        try await PlanCosts(job: job, terms: terms).cost(of: plan.steps)
    }

    /// A run's repairs, newest first, and which of them stay; or the one of this id, which must be
    /// there.
    package func undoable(
        of repaired: RunID, onlyStep step: String?
    ) throws -> [UndoStage.Item] {
        try UndoStage(job: job, run: repaired).items(of: repaired, onlyStep: step)
    }

    /// Takes old runs out of the ledger, and gives them, so that their reports go too. The journal
    /// stays, and so does every run whose objects lie in quarantine.
    package func prune() throws -> [RunID] {
        var held: Set<RunID> = []
        for bucket in job.buckets {
            held.formUnion(
                try job.ledger.quarantineWatch(bucket: bucket.name).map(\.object.run))
        }
        return try job.ledger.removeRuns(
            before: job.clock() - job.configuration.report.keep, keeping: held)
    }
}
