import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

extension FindingKind: ExpressibleByArgument {}
extension Verdict: ExpressibleByArgument {}

/// `mooring findings`: the findings of a run, from the ledger.
struct FindingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings",
        abstract: "List the findings of the last audit, or of another run.",
        usage: "mooring findings [--by identity] [<options>]",
        discussion: """
            With --by identity it sums the orphans (count and bytes) of each identity that no \
            record knows: those of the cause unknown-identity.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    /// What findings are summed by.
    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case identity
    }

    @Option(help: "Sum orphans by the identity that no record knows.")
    var by: Grouping?

    @Option(help: "Only findings of this kind; may be repeated.")
    var kind: [FindingKind] = []

    @Option(help: "Only findings of this verdict; may be repeated.")
    var verdict: [Verdict] = []

    @Option(help: "Only findings whose key begins with this.")
    var prefix: String = ""

    @Option(help: "The run; the last audit by default.")
    var run: String?

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let audited = try session.find(run, in: ledger, commands: Pipeline.auditCommands)
            let filter = FindingFilter(
                kinds: Set(kind), verdicts: Set(verdict), keyPrefix: Array(prefix.utf8))
            if by == .identity { return try sum(audited, ledger, session, filter) }
            if options.json {
                var documents: [JSONValue] = []
                try ledger.findings(in: audited.id, filter) { batch in
                    documents += batch.map { $0.json() }
                }
                StandardOutput.document(
                    .members([
                        "run": .string(audited.id.text), "findings": .array(documents),
                    ]))
                return .done
            }
            var count = 0
            try ledger.findings(in: audited.id, filter) { batch in
                for finding in batch { FindingText.show(finding, verbose: options.verbose) }
                count += batch.count
            }
            StandardOutput.line("\(Measure.count(count, "finding")) in run \(audited.id.text)")
            return .done
        }
    }

    private func sum(
        _ audited: RunSummary, _ ledger: Ledger, _ session: Session, _ filter: FindingFilter
    ) throws -> ExitStatus {
        var sums = IdentitySums(levels: session.configuration.levels)
        try ledger.findings(in: audited.id, filter) { batch in
            for finding in batch { sums.add(finding) }
        }
        if options.json {
            StandardOutput.document(
                .members(["run": .string(audited.id.text), "identities": sums.json]))
        } else {
            for line in sums.lines { StandardOutput.line(line) }
        }
        return .done
    }
}

/// A finding on the terminal.
enum FindingText {
    /// Prints a finding on a line, with its evidence below when asked for.
    static func show(_ finding: Finding, verbose: Bool) {
        let cause = finding.cause.map { "/\($0.rawValue)" } ?? ""
        let what = finding.kind.rawValue + cause
        let subject =
            finding.key.map { VisibleText.ascii($0.bytes, width: 60) }
            ?? VisibleText.ascii(finding.value ?? [], width: 60)
        StandardOutput.line("\(pad(finding.verdict.rawValue, 10))\(pad(what, 24))\(subject)")
        guard verbose else { return }
        if let record = finding.record { StandardOutput.line("    record: \(place(record))") }
        for sentence in finding.evidence {
            StandardOutput.line("    " + VisibleText.ascii(sentence))
        }
        if let action = finding.action {
            StandardOutput.line("    action: \(wanted(finding, action))")
        }
    }

    /// A place in a record, as one text.
    static func place(_ place: RecordPlace) -> String {
        "\(place.identity.source) \(place.identity.model)/"
            + VisibleText.ascii(place.identity.id.joined, width: 80)
            + (place.field.map { ".\($0)" } ?? "") + (place.index.map { "[\($0)]" } ?? "")
    }

    /// What the policy would do, and what it waits for.
    static func wanted(_ finding: Finding, _ action: Strategy) -> String {
        guard let needs = finding.needs else { return action.rawValue }
        let after = needs.after.map { ", not before \($0.iso8601)" } ?? ""
        return "\(action.rawValue), waits for \(needs.proof)\(after)"
    }

    /// The text with blanks up to a width, at least one.
    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
