import ArgumentParser
import Foundation
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// `mooring baseline`: writes the findings of a run as known, for `check --baseline`.
struct BaselineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Write the findings of a run into a file, so that check fails only for others.",
        usage: "mooring baseline [<run>] [--expires <duration>] [<options>]",
        discussion: """
            The file is made to be committed: a header, then one finding a line, sorted by id: \
            mooring.baseline.jsonl, or --output. Each is a debt: check --baseline lets it pass \
            while its kind is the same, its cause no \
            worse, and the file not expired. A line with "accepted": true needs a "reason", and \
            may have an "until" of its own; such lines are kept when the file is written again. \
            A run that did not read both sides to their end, or where a guard saw a store lose \
            much, can write none.

            \(ExitStatus.help([
                .done, .error, .refused, .incomplete, .usage, .configuration, .interrupted,
            ]))
            """)

    @Argument(help: "The run; the last complete audit by default.")
    var run: String?

    @Option(
        help: ArgumentHelp("When the file passes no longer: 90d, or never.", valueName: "duration"))
    var expires: String = "90d"

    @OptionGroup var options: CommonOptions

    func validate() throws {
        _ = try lifetime()
    }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let audited = try audit(session, ledger)
            try KnownFindings.refuse(audited)
            let path = options.output ?? BaselineFile.name
            let old =
                try FileManager.default.fileExists(atPath: path)
                ? BaselineFile.read(path) : nil
            var entries: [FindingBaseline.Entry] = []
            try ledger.findings(in: audited.id, FindingFilter()) { batch in
                for finding in batch {
                    let entry = FindingBaseline.Entry(finding)
                    let kept = old?.entry(finding.id)
                    entries.append(kept?.isAccepted == true ? kept ?? entry : entry)
                }
            }
            let now = SystemClock.now()
            try BaselineFile.write(
                BaselineFile.Header(
                    run: audited.id, configuration: audited.configuration, createdAt: now,
                    expires: try lifetime().map { now + $0 }),
                entries, to: path)
            tell(entries, old, of: audited, path)
            return .done
        }
    }

    private func lifetime() throws -> Duration? {
        guard expires != "never" else { return nil }
        do {
            return try Quantity.duration(expires)
        } catch {
            throw ValidationError("--expires \(error), or 'never'")
        }
    }

    private func audit(_ session: Session, _ ledger: Ledger) throws -> RunSummary {
        let commands = Pipeline.auditCommands
        if let run { return try session.find(run, in: ledger, commands: commands) }
        let own = session.configuration.fingerprint
        let complete = try ledger.runs(limit: nil).filter(Pipeline.isWholeAudit)
        guard let last = complete.first(where: { $0.configuration == own }) ?? complete.first
        else {
            throw CommandError(
                "the ledger holds no complete audit, and nothing else can be a baseline; run "
                    + "mooring audit first")
        }
        return last
    }

    private func tell(
        _ entries: [FindingBaseline.Entry], _ old: FindingBaseline?, of audited: RunSummary,
        _ path: String
    ) {
        let ids = Set(entries.map(\.id))
        let known = old.map { old in ids.count { old.entry($0) != nil } } ?? 0
        let healed = old?.healed(besides: ids).count ?? 0
        let accepted = entries.count(where: \.isAccepted)
        if options.json {
            StandardOutput.document(
                .members([
                    "run": .string(audited.id.text), "file": .string(path),
                    "entries": .integer(Int64(entries.count)),
                    "accepted": .integer(Int64(accepted)),
                    "added": .integer(Int64(entries.count - known)),
                    "healed": .integer(Int64(healed)),
                ]))
            return
        }
        if options.quiet { return }
        StandardOutput.line(
            "\(Measure.count(entries.count, "finding")) of run \(audited.id.text) in \(path): "
                + "\(entries.count - known) added, \(healed) healed, \(accepted) accepted")
        StandardOutput.line("next: commit it, and run mooring check --baseline \(path)")
    }
}
