import ArgumentParser
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringPipeline

/// `mooring check`: an audit that fails when a gate of the configuration does.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Audit, and hold the findings to the configuration's gates; for CI.",
        usage: "mooring check [<options>]",
        discussion: """
            A gate compares a count, as in: dangling.settled == 0, orphan.settled.bytes < 1GiB, \
            new.dangling == 0. Without gates the command only audits.

            \(ExitStatus.help([.done, .gateFailed] + ExitStatus.ofScanning.dropFirst()))
            """)

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            return try await session.run("check") { job, summary in
                let audit = try await Pipeline(job: job).audit(summary)
                summary = audit.summary
                summary.finishedAt = SystemClock.now()
                var failed = 0
                var lines: [String] = []
                for gate in session.configuration.gates {
                    let measured = audit.tally.value(of: gate)
                    let passes = gate.passes(measured)
                    if !passes { failed += 1 }
                    let shown = gate.countsBytes ? Measure.bytes(measured) : "\(measured)"
                    lines.append("gate \(passes ? "passed" : "FAILED"): \(gate.text) (is \(shown))")
                }
                summary.notes += lines
                let folder = try session.writeReport(summary, audit.findings)
                session.show(summary, audit.findings, report: folder)
                if !options.json { for line in lines { StandardOutput.line(line) } }
                return ExitStatus.gravest([
                    summary.status == .incomplete ? .incomplete : .done,
                    failed > 0 ? .gateFailed : .done,
                ])
            }
        }
    }
}
