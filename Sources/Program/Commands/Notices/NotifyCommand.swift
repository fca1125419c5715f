import ArgumentParser
import MooringConfiguration
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring notify`: sends what the end of a run would, to try it.
struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Send a run's notice again, to try ping, webhook and mail.",
        usage: "mooring notify [<run>] [<options>]",
        discussion: """
            Sends what 'notify' of the configuration names, whatever its 'on' says, and tells \
            who took it. A monitor gets it as a log entry, which changes no state there; one \
            with addresses of its own for each event gets none.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The run: its name, the beginning of it, or 'latest'.")
    var run: String = "latest"

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let settings = session.configuration.notify
            guard settings != .init() else {
                throw CommandError(
                    "the configuration names nobody to tell; write ping, webhook or mail under "
                        + "notify: in \(session.configuration.file)")
            }
            let ledger = try session.existingLedger()
            let summary = Notifier.masked(
                try session.find(run, in: ledger).told(by: ledger))
            let notifier = Notifier(session.configuration, command: summary.command)
            let folder = "\(session.reportDirectory)/\(summary.id.text)"
            notifier.keep(summary, report: folder)
            let notice = Notice(
                .run(summary), exitStatus: Self.status(of: summary).rawValue, app: notifier.app,
                report: folder)
            let failures = await notifier.send(notice, .log, isTrial: true)
            for failure in failures { StandardError.report(failure) }
            if options.json {
                StandardOutput.document(
                    .members([
                        "run": .string(summary.id.text), "notice": notice.json,
                        "failures": .texts(failures),
                    ]))
            } else {
                StandardOutput.line("run \(summary.id.text): \(notice.title)")
                for way in notifier.ways { StandardOutput.line("  " + way) }
            }
            return failures.isEmpty ? .done : .error
        }
    }

    // What the run ended with is not kept; its state says nearly as much.
    private static func status(of summary: RunSummary) -> ExitStatus {
        switch summary.status {
        case .complete:
            .gravest([
                summary.repairs.stale + summary.repairs.failed > 0 ? .leftUndone : .done,
                summary.gates.allSatisfy(\.passed) ? .done : .gateFailed,
            ])
        case .incomplete: .incomplete
        case .refused: .refused
        case .interrupted, .running: .interrupted
        case .failed: .error
        }
    }
}
