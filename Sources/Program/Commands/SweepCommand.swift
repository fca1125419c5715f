import ArgumentParser
import MooringModel
import MooringPipeline

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
            let log = StepLog(options)
            return try await session.run("sweep", telling: log) { pipeline, run in
                let ending = try await pipeline.run(
                    .sweep(applies: apply), as: run, accepting: acceptance)
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let folder = try session.writeReport(summary, ending.findings, isDry: !apply)
                close(log, summary, ending.steps, report: folder)
                return ExitStatus(ending, run)
            }
        }
    }

    private func close(
        _ log: StepLog, _ summary: RunSummary, _ due: [PlanStep], report: String
    ) {
        if apply {
            log.close(run: summary, plan: nil, report: report)
        } else if options.json {
            StandardOutput.document(
                StepLog.document(run: summary, plan: nil, applied: false, due.map(\.json)))
        } else {
            for step in due {
                StandardOutput.line("  would remove for good " + PlanText.line(step))
            }
            StandardOutput.line(
                "dry run: \(Measure.count(due.count, "object")) would be removed for good")
        }
    }
}
