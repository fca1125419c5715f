import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline

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
            let log = StepLog(options)
            return try await session.run("run", telling: log) { pipeline, run in
                let ending = try await pipeline.run(.nightly, as: run, accepting: acceptance)
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let outcomes = try pipeline.job.ledger.outcomes(in: summary.id)
                let folder = try session.writeReport(
                    summary, ending.findings.ended(outcomes), plan: ending.plan)
                if !options.json { session.show(summary, ending.findings, toldSteps: true) }
                log.close(
                    run: summary, plan: ending.plan?.id,
                    applied: session.configuration.repair.apply, report: folder)
                log.tellLifecycleRule(of: summary, pipeline.job.buckets)
                session.showEnd(summary, report: nil)
                for old in try pipeline.prune() {
                    try ReportFolders.remove("\(session.reportDirectory)/\(old.text)")
                }
                return ExitStatus(ending, run)
            }
        }
    }
}
