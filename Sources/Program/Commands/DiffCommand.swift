import ArgumentParser
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring diff`: new, gone and changed findings between two runs, from the ledger.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Tell which findings are new, gone or changed between two runs.",
        usage: "mooring diff [<run>] [<run>] [<options>]",
        discussion: """
            Without a RUN, the last two complete audits; with one, the complete audit before it \
            and itself; with two, from the first to the second. Findings are told apart by their \
            id. One is changed where its verdict, cause, action, needed proof or object version \
            is; a line beginning with '+' is new, with '-' gone, with '~' changed. A filter fits \
            where either run's finding does.

            The status is 0 whether or not anything differs.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The runs: names, beginnings of them, or 'latest'.")
    var runs: [String] = []

    @OptionGroup var choice: FindingChoice

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if runs.count > 2 { throw ValidationError("diff compares two runs; \(runs.count) given") }
    }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let (from, to) = try ComparedRuns(ledger, session).choose(runs)
            for run in [from, to] where !run.isCompleteScan {
                StandardError.report(
                    "run \(run.id.text) is \(run.status.rawValue): what it did not see may still "
                        + "be there")
            }
            let difference = FindingDifference(
                ledger, from: from.id, to: to.id, filter: choice.filter)
            if options.json {
                try DifferenceDocument(difference, from: from.id, to: to.id).write()
                return .done
            }
            let totals = try difference.compare { change in
                guard !options.quiet else { return }
                for line in DifferenceText.lines(change, verbose: options.verbose) {
                    StandardOutput.line(line)
                }
            }
            StandardOutput.line(
                "\(totals.new) new, \(totals.gone) gone, \(totals.changed) changed, "
                    + "\(totals.unchanged) unchanged")
            StandardOutput.line("from run \(from.id.text) to run \(to.id.text)")
            return .done
        }
    }
}

/// Which two runs are compared.
private struct ComparedRuns {
    private let ledger: Ledger
    private let session: Session
    private let audits: [RunSummary]

    /// The choice among a ledger's runs.
    init(_ ledger: Ledger, _ session: Session) throws {
        self.ledger = ledger
        self.session = session
        audits = try ledger.runs(limit: nil).filter {
            Pipeline.auditCommands.contains($0.command) && $0.status != .running
        }
    }

    /// The earlier and the later run; throws where there is none or its findings are gone.
    func choose(_ names: [String]) throws -> (from: RunSummary, to: RunSummary) {
        let chosen: (from: RunSummary, to: RunSummary)
        if names.count == 2 {
            chosen = (try find(names[0]), try find(names[1]))
        } else {
            let later = try find(names.first ?? "latest")
            // In the ledger's own order, which no clock moves.
            let before = audits.drop { $0.id != later.id }.dropFirst().first(
                where: \.isCompleteScan)
            guard let before else {
                throw CommandError(
                    "the ledger holds no complete audit before run \(later.id.text); run mooring "
                        + "audit, then mooring diff")
            }
            chosen = (before, later)
        }
        for run in [chosen.from, chosen.to] { try refuseEmptied(run) }
        return chosen
    }

    private func find(_ name: String) throws -> RunSummary {
        if name == "latest" {
            guard let last = audits.first(where: \.isCompleteScan) else {
                throw CommandError(
                    "the ledger holds no complete audit yet; run mooring audit first")
            }
            return last
        }
        do {
            return try session.find(name, in: ledger, commands: Pipeline.auditCommands)
        } catch {
            throw try pruned(name) ?? error
        }
    }

    // A run that was removed is known by the journal, or by being older than all that are left.
    private func pruned(_ name: String) throws -> CommandError? {
        guard let id = RunID(name), try ledger.run(id) == nil else { return nil }
        let isOld = audits.last.map { id < $0.id } ?? false
        guard try isOld || !ledger.journal(run: id).isEmpty else { return nil }
        return CommandError(
            "run \(name) is no longer in the ledger: old runs are pruned with their findings "
                + "after report.keep; mooring runs lists those that are left")
    }

    private func refuseEmptied(_ run: RunSummary) throws {
        let counted = run.counts.values.contains { $0.settled + $0.explained + $0.undecided > 0 }
        var stream = FindingStream(ledger, run: run.id)
        if counted, try stream.next() == nil {
            throw CommandError(
                "the findings of run \(run.id.text) were pruned; mooring report renders what is "
                    + "left of it")
        }
    }
}

/// A change on the terminal: one line of at most 80 columns.
enum DifferenceText {
    /// The line, and where more is asked for, what changed below it.
    static func lines(_ change: FindingDifference.Change, verbose: Bool) -> [String] {
        switch change {
        case .new(let finding): [line("+", finding)]
        case .gone(let finding): [line("-", finding)]
        case .changed(let before, let after, let members):
            [changed(after, members)]
                + (verbose ? members.map { detail($0, before, after) } : [])
        }
    }

    /// A finding behind a sign.
    static func line(_ sign: String, _ finding: Finding) -> String {
        let cause = finding.cause.map { "/\($0.rawValue)" } ?? ""
        let head =
            "\(sign) " + FindingText.pad(finding.verdict.rawValue, 10)
            + FindingText.pad(finding.kind.rawValue + cause, 24)
        return head + Terminal.key(subject(finding), width: 80 - head.utf8.count)
    }

    private static func changed(
        _ finding: Finding, _ members: [FindingDifference.Member]
    ) -> String {
        let head = "~ " + FindingText.pad(finding.kind.rawValue, 19)
        let tail = "  " + members.map(\.rawValue).joined(separator: ", ")
        let room = 80 - head.utf8.count - tail.utf8.count
        return head + Terminal.key(subject(finding), width: room) + tail
    }

    private static func detail(
        _ member: FindingDifference.Member, _ before: Finding, _ after: Finding
    ) -> String {
        let text = "\(member.rawValue): \(value(member, before)) -> \(value(member, after))"
        return "    " + Terminal.key(Array(text.utf8), width: 76)
    }

    private static func value(_ member: FindingDifference.Member, _ finding: Finding) -> String {
        switch member {
        case .verdict: finding.verdict.rawValue
        case .cause: finding.cause?.rawValue ?? "none"
        case .action: finding.action?.rawValue ?? "none"
        case .needs: finding.needs?.proof ?? "none"
        case .object:
            finding.object.map { "\(Measure.bytes($0.size)) of \($0.lastModified.iso8601)" }
                ?? "none"
        }
    }

    private static func subject(_ finding: Finding) -> [UInt8] {
        finding.key?.bytes
            ?? finding.record.map { Array("\($0.identity.model)/".utf8) + $0.identity.id.joined }
            ?? finding.value
            ?? Array((finding.bucket ?? finding.id).utf8)
    }
}

/// The difference as one JSON document, written while it is found: each list is a pass of its own.
private struct DifferenceDocument {
    private let difference: FindingDifference
    private let runs: (from: RunID, to: RunID)

    /// The document of a difference between two runs.
    init(_ difference: FindingDifference, from: RunID, to: RunID) {
        self.difference = difference
        runs = (from, to)
    }

    /// Writes it to stdout.
    func write() throws {
        let names = JSONValue.members([
            "from": .string(runs.from.text), "to": .string(runs.to.text),
        ])
        var head = Self.text(names)
        head.removeLast()
        StandardOutput.write(head)
        try writeList("new") { change in
            if case .new(let finding) = change { finding.json() } else { nil }
        }
        try writeList("gone") { change in
            if case .gone(let finding) = change { finding.json() } else { nil }
        }
        let totals = try writeList("changed") { change in
            guard case .changed(let before, let after, let members) = change else { return nil }
            return .members([
                "id": .string(after.id), "changed": .texts(members.map(\.rawValue)),
                "before": before.json(), "after": after.json(),
            ])
        }
        let counts = JSONValue.members([
            "new": .whole(totals.new), "gone": .whole(totals.gone),
            "changed": .whole(totals.changed), "unchanged": .whole(totals.unchanged),
        ])
        StandardOutput.line(",\n\"totals\":" + Self.text(counts) + "}")
    }

    @discardableResult
    private func writeList(
        _ name: String, _ element: (FindingDifference.Change) -> JSONValue?
    ) throws -> FindingDifference.Totals {
        var separator = ",\n\"\(name)\":[\n"
        var isEmpty = true
        let totals = try difference.compare { change in
            guard let value = element(change) else { return }
            StandardOutput.write(separator + Self.text(value))
            separator = ",\n"
            isEmpty = false
        }
        StandardOutput.write(isEmpty ? ",\n\"\(name)\":[]" : "]")
        return totals
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: value.rendered, as: UTF8.self)
    }
}
