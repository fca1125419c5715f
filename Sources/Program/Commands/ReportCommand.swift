import ArgumentParser
import MooringModel

/// `mooring report RUN`: renders a run again from the ledger.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Render a run again, in any format.",
        usage: "mooring report <run> [<options>]",
        discussion: """
            Reads the ledger and writes report files; --format chooses them, --output where.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The run: its name, the beginning of it, or 'latest'.")
    var run: String

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let summary = try session.find(run, in: ledger)
            let folder = try session.writeReport(summary, from: ledger)
            session.showAnnotations(of: summary.id)
            if options.json {
                StandardOutput.document(summary.json)
            } else {
                StandardOutput.line("report: \(folder)")
            }
            return .done
        }
    }
}
