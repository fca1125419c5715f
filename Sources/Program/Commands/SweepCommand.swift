import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring sweep`: removes from quarantine for good what is past its retention.
struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Remove for good what is past its retention; without --apply a dry run.",
        usage: "mooring sweep [<options>]",
        discussion: """
            Scans everything once more first. An object goes only when nothing references it, its \
            retention is over, earlier complete runs since saw no reference either, and the \
            records that its key names are settled. This cannot be undone.

            \(ExitStatus.help(ExitStatus.ofActing))
            """)

    @Flag(help: "Change the stores.")
    var apply = false

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func validate() throws { try options.refuseAsOf() }

    func run() async throws {
        let acceptance = try accept.acceptance()
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            return try await session.run("sweep") { job, summary in
                var steps = StepLog(options: options, planned: 0)
                var clock: Duration?
                if apply {
                    clock = try await Acting.prepare(
                        job, &summary, &steps, accepting: acceptance)
                }
                let audit = try await Pipeline(job: job)
                    .audit(summary, accepting: acceptance, clock: clock)
                summary = audit.summary
                // A long sweep looks once more, and compares what it finds with this.
                try job.ledger.update(summary)
                let sweep = SweepStage(job: job, run: summary.id)
                let items = sweep.items(audit.quarantine)
                let planned = items.map(\.step)
                try SweepGuards.check(
                    audit, planned, job, accepting: acceptance)
                if apply { try await IdentityCheck.settle(job, &summary, acts: true) }
                steps.plan(planned.count)
                if !options.json { show(audit.quarantine) }
                if apply {
                    try await sweep.sweep(items) {
                        steps.add($0)
                        summary.repairs = steps.repairs
                    }
                } else if !options.json {
                    for item in items {
                        StandardOutput.line("  would remove for good " + PlanText.line(item.step))
                    }
                }
                summary.repairs = steps.repairs
                summary.finish(job)
                let folder = try session.writeReport(summary, audit.findings)
                close(steps, summary, planned, report: folder)
                return steps.status
            }
        }
    }

    private func show(_ states: [Pipeline.QuarantineState]) {
        guard !options.quiet else { return }
        StandardOutput.line("in quarantine: \(Measure.count(states.count, "object"))")
        for state in states {
            guard let need = state.need else { continue }
            let after = need.after.map { " until \($0.iso8601)" } ?? ""
            StandardOutput.line(
                "  waits  " + VisibleText.ascii(state.object.key.bytes, width: 44)
                    + " for \(need.proof)\(after)")
        }
    }

    private func close(
        _ steps: StepLog, _ summary: RunSummary, _ planned: [PlanStep], report: String
    ) {
        if apply {
            steps.close(run: summary, plan: nil, report: report)
        } else if options.json {
            StandardOutput.document(
                StepLog.document(
                    run: summary, plan: nil, applied: false, planned.map(\.json)))
        } else {
            StandardOutput.line(
                "dry run: \(Measure.count(planned.count, "object")) would be removed for good")
        }
    }
}

/// The guards of a sweep: what the scan found, and the limits on steps and bytes.
enum SweepGuards {
    // A sweep has its own of these.
    private static let amounts: Set = ["steps", "bytes"]
    // What a plan would take away is nothing of a sweep's, and yet tells that what was read may be
    // the wrong thing.
    private static let shares: Set = ["orphanShare", "recordShare"]

    /// Refuses an incomplete scan, a loss on either side, more steps or bytes than the limits
    /// allow, and to remove anything for good while a share refuses what the same scan found.
    static func check(
        _ audit: Pipeline.Audit, _ planned: [PlanStep], _ job: Job,
        accepting acceptance: Acceptance
    ) throws {
        if let refusal = Refusal(identities: audit.summary.guards, refused: "the sweep") {
            throw refusal
        }
        var facts = GuardFacts()
        facts.steps = planned.count
        facts.bytesToRemove = planned.reduce(0) { $0 + ($1.precondition.object?.size ?? 0) }
        let guards = job.guards(for: audit.summary.command, of: audit.summary.id)
        let left = planned.isEmpty ? amounts.union(shares) : amounts
        let answers =
            audit.summary.guards.filter { !left.contains($0.name) }
            + guards.plan(facts, accepting: acceptance)
        if let refusal = Refusal(guards: answers, refused: "the sweep", words: guards.words) {
            throw refusal
        }
    }
}
