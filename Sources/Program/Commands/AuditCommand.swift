import ArgumentParser
import MooringModel
import MooringPipeline

/// `mooring audit`: scan, reconcile, confirm, judge and report; the stores are only read.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Find and judge every difference between records and objects, and report.",
        usage: "mooring audit [<options>]",
        discussion: """
            Writes the ledger and a report folder, and changes nothing else. What a guard would \
            refuse is reported, and the status is still 0.

            \(ExitStatus.help(ExitStatus.ofScanning))
            """)

    @OptionGroup var accept: AcceptOptions
    @OptionGroup var options: CommonOptions

    func run() async throws {
        let acceptance = try accept.acceptance()
        try await ending {
            let session = try Session(options)
            try accept.refuseUnknown(acceptance, session.configuration)
            return try await session.run("audit") { pipeline, run in
                let (ending, report) = try await session.look(
                    .audit, pipeline, run, accepting: acceptance)
                let summary = try run.summary.told(by: pipeline.job.ledger)
                let folder = try session.writeReport(summary, ending.findings, ahead: report)
                session.show(summary, ending.findings)
                session.showEnd(summary, report: folder)
                return ExitStatus(ending, run)
            }
        }
    }
}
