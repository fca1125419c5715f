import ArgumentParser
import MooringLedger
import MooringModel
import MooringReporting

extension RunSummary.Status: ExpressibleByArgument {}

/// `mooring runs`: the runs that the ledger holds, newest first.
struct RunsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "List the runs of the ledger, newest first.",
        usage: "mooring runs [<options>]",
        discussion: ExitStatus.help(ExitStatus.ofReading))

    // The commands whose work is a run of the ledger.
    private static let commands = ["audit", "check", "repair", "run", "sweep", "undo", "erase"]

    @Option(help: "Only runs of this command; may be repeated.")
    var command: [String] = []

    @Option(help: "Only runs that ended so; may be repeated.")
    var status: [RunSummary.Status] = []

    @Option(help: "The newest so many alone.")
    var limit: Int?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is 0 at least") }
        for name in command where !Self.commands.contains(name) {
            throw ValidationError(
                "--command knows \(Self.commands.joined(separator: ", ")); not '\(name)'")
        }
    }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let all = try session.existingLedger().runs(limit: nil).filter {
                (command.isEmpty || command.contains($0.command))
                    && (status.isEmpty || status.contains($0.status))
            }
            let runs = all.prefix(limit ?? .max)
            if options.json {
                StandardOutput.document(
                    .members(["runs": .array(runs.map(Self.document))]))
                return .done
            }
            for line in runs.flatMap(Self.lines) { StandardOutput.line(line) }
            return .done
        }
    }

    /// A run as lists of runs have it.
    static func document(_ run: RunSummary) -> JSONValue {
        .members([
            "id": .string(run.id.text), "command": .string(run.command),
            "startedAt": .moment(run.startedAt), "finishedAt": .moment(run.finishedAt),
            "status": .string(run.status.rawValue), "counts": run.countsJSON,
            "repairs": run.repairs.json,
        ])
    }

    // On a terminal lines of at most 80 columns: the run, and below it what it found and did.
    // Otherwise one line.
    private static func lines(_ run: RunSummary) -> [String] {
        let findings = run.counts.filter { $0.value.total > 0 }
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue) \($0.value.total)" }
        let repairs = run.repairs
        let acted = ["repair", "undo", "sweep", "run"].contains(run.command)
        let steps = acted ? ["\(repairs.done) done"] : []
        let undone = repairs.stale + repairs.failed
        let parts = findings + steps + (undone > 0 ? ["\(undone) left undone"] : [])
        let end = run.finishedAt.map { " in \(($0 - run.startedAt).label)" } ?? ""
        let mark = run.isJudgedAsOf ? ", judged as of another moment" : ""
        let head =
            "\(run.id.text)  \(pad(run.command, 9))\(run.status.rawValue)\(end)\(mark)"
        let reason = run.reason.map { ["    why: " + VisibleText.ascii($0)] } ?? []
        let lines = [head] + (parts.isEmpty ? [] : folded(parts)) + reason
        return Terminal.isThere ? lines : [lines.joined()]
    }

    private static func folded(_ parts: [String]) -> [String] {
        var lines = ["    "]
        for (place, part) in parts.enumerated() {
            let text = part + (place + 1 < parts.count ? "," : "")
            if lines[lines.count - 1].utf8.count + text.utf8.count > 79 { lines.append("    ") }
            let isFirst = lines[lines.count - 1] == "    "
            lines[lines.count - 1] += (isFirst ? "" : " ") + text
        }
        return lines
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
