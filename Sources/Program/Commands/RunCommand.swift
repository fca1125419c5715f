import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring run`: the nightly job.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The nightly job: audit, restore, repair, sweep, report, prune old runs.",
        usage: "mooring run [<options>]",
        discussion: """
            Changes the stores only when the policy says apply: true; otherwise it says what it \
            would do. Objects in quarantine that a record references come back first, and tags \
            come off objects that are no orphans any more.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        let acceptance = try accept.acceptance()
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            return try await session.run("run") { job, summary in
                let applies = job.configuration.repair.apply
                var steps = StepLog(options: options, planned: 0)
                var rights: ActingRights?
                if applies {
                    rights = try await Acting.begin(
                        job, &summary, &steps, accepting: acceptance)
                }
                let audit = try await Pipeline(job: job)
                    .audit(summary, accepting: acceptance, clock: rights?.clock)
                summary = audit.summary
                try job.ledger.update(summary)
                let turn = Turn(job: job, audit: audit, acceptance: acceptance)
                let status = try await act(turn, &summary, &rights, steps: &steps)
                summary.repairs = steps.repairs
                summary.finish(job)
                let plan = try job.ledger.lastPlan(of: summary.id)
                let folder = try session.writeReport(summary, audit.findings, plan: plan)
                if !options.json { session.show(summary, audit.findings, report: nil) }
                steps.close(run: summary, plan: nil, report: folder)
                steps.tellLifecycleRule(of: summary, job.buckets)
                try prune(session, job)
                return status
            }
        }
    }

    /// What one run saw, and what was accepted of it.
    private struct Turn {
        let job: Job
        let audit: Pipeline.Audit
        let acceptance: Acceptance
    }

    // Without rights nothing is applied. The watch comes first: what a record references is given
    // back before anything is planned, and also where something else could not be read.
    private func act(
        _ turn: Turn, _ summary: inout RunSummary, _ rights: inout ActingRights?,
        steps: inout StepLog
    ) async throws -> ExitStatus {
        let (job, audit, acceptance) = (turn.job, turn.audit, turn.acceptance)
        // On another store nothing is given back either.
        if let refusal = Refusal(identities: summary.guards, refused: "every change") {
            return refuse(&summary, refusal, steps)
        }
        let watch = WatchStage(run: summary.id, configuration: summary.configuration)
            .plan(audit, at: SystemClock.now())
        steps.plan(watch.steps.count)
        try await apply(watch, job, &summary, &rights, &steps)
        guard summary.status == .complete else {
            return ExitStatus.gravest([.incomplete, steps.status])
        }
        let sweep = SweepStage(job: job, run: summary.id)
        // What became due while this run looked waits: a sweep wants its scan under the lease.
        let isLate = rights.map { $0.cameLate || !$0.areHeld } ?? false
        let items = isLate ? [] : sweep.items(audit.quarantine)
        let swept = items.map(\.step)
        let plan: Plan
        do {
            plan = try PlanStage(job: job).plan(summary, accepting: acceptance).plan
            try SweepGuards.check(audit, swept, job, accepting: acceptance)
        } catch let refusal as Refusal {
            return refuse(&summary, refusal, steps)
        }
        var rest = plan
        // What the watch gave back, or took the tag off, stands in the plan too.
        rest.steps.removeAll {
            $0.strategy == .restore && $0.precondition.quarantinedBy != nil
                || $0.strategy == .untag
        }
        steps.plan(rest.steps.count + swept.count)
        guard rights != nil else {
            let notes = PlanNotes(
                rest.steps, job.buckets, try KnownStores(job.buckets, job.ledger))
            tellDry(watch.steps + rest.steps, swept, notes.lines(run: nil))
            return .done
        }
        try await IdentityCheck.settle(job, &summary, acts: rights?.areHeld == true)
        try await apply(rest, job, &summary, &rights, &steps)
        try await sweep.sweep(items) {
            steps.add($0)
            summary.repairs = steps.repairs
        }
        return steps.status
    }

    private func apply(
        _ plan: Plan, _ job: Job, _ summary: inout RunSummary, _ rights: inout ActingRights?,
        _ steps: inout StepLog
    ) async throws {
        guard !plan.steps.isEmpty, rights != nil else { return }
        try await rights?.take(job, &summary)
        var stage = RepairStage(job: job, run: summary.id)
        stage.looksAgain = rights?.cameLate == true
        try await stage.apply(plan) {
            steps.add($0)
            // An interrupted run tells in the ledger how far it came.
            summary.repairs = steps.repairs
        }
    }

    private func refuse(
        _ summary: inout RunSummary, _ refusal: Refusal, _ steps: StepLog
    ) -> ExitStatus {
        summary.status = .refused
        summary.reason = refusal.description
        StandardError.report(refusal.description)
        return ExitStatus.gravest([
            refusal.kind == .incomplete ? .incomplete : .refused, steps.status,
        ])
    }

    private func tellDry(_ steps: [PlanStep], _ swept: [PlanStep], _ notes: [String]) {
        guard !options.json, !options.quiet else { return }
        StandardOutput.line("repair.apply is false: nothing is changed")
        for step in steps { StandardOutput.line("  would " + PlanText.line(step)) }
        for line in notes { StandardOutput.line(line) }
        for step in swept {
            StandardOutput.line("  would remove for good " + PlanText.line(step))
        }
    }

    // Old runs go with their report folders; the journal stays, and so does every run whose
    // objects lie in quarantine.
    private func prune(_ session: Session, _ job: Job) throws {
        var held: Set<RunID> = []
        for bucket in job.buckets {
            held.formUnion(
                try job.ledger.quarantineWatch(bucket: bucket.name).map(\.object.run))
        }
        let removed = try job.ledger.removeRuns(
            before: SystemClock.now() - job.configuration.report.keep, keeping: held)
        for run in removed {
            try ReportFolders.remove("\(session.reportDirectory)/\(run.text)")
        }
    }
}
