import ArgumentParser
import MooringLedger
import MooringModel

/// `mooring runs`: the runs that the ledger holds, newest first.
struct RunsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "List the runs of the ledger, newest first.",
        usage: "mooring runs [<options>]",
        discussion: ExitStatus.help(ExitStatus.ofReading))

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let runs = try session.existingLedger().runs(limit: nil)
            if options.json {
                StandardOutput.document(
                    .members(["runs": .array(runs.map(Self.document))]))
                return .done
            }
            for run in runs { StandardOutput.line(Self.line(run)) }
            return .done
        }
    }

    private static func document(_ run: RunSummary) -> JSONValue {
        .members([
            "id": .string(run.id.text), "command": .string(run.command),
            "startedAt": .moment(run.startedAt), "finishedAt": .moment(run.finishedAt),
            "status": .string(run.status.rawValue), "counts": run.countsJSON,
            "repairs": run.repairs.json,
        ])
    }

    private static func line(_ run: RunSummary) -> String {
        let findings = run.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.key.rawValue) \($0.value.settled + $0.value.explained + $0.value.undecided)"
        }
        let acted = ["repair", "undo", "sweep", "run"].contains(run.command)
        let repairs = acted ? "\(run.repairs.done) done" : nil
        let parts = findings + [repairs].compactMap { $0 }
        return "\(run.id.text)  \(pad(run.command, 7))\(pad(run.status.rawValue, 12))"
            + parts.joined(separator: ", ")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
