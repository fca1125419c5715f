import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

extension FindingKind: ExpressibleByArgument {}
extension FindingCause: ExpressibleByArgument {}
extension Verdict: ExpressibleByArgument {}

/// `mooring findings`: the findings of a run, from the ledger.
struct FindingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings",
        abstract: "List the findings of the last audit, or of another run.",
        usage: "mooring findings [--kind <kind>] [--by identity] [<options>]",
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

    @OptionGroup var selection: FindingSelection

    @Option(help: "The run; the last audit by default.")
    var run: String?

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let audited = try session.find(run, in: ledger, commands: Pipeline.auditCommands)
            if by == .identity { return try sum(audited, ledger, session) }
            let outcomes = try ledger.outcomes(in: audited.id)
            let now = SystemClock.now()
            var documents: [JSONValue] = []
            var count = 0
            try ledger.findings(in: audited.id, selection.choice.filter) { batch in
                for finding in try selection.taken(batch, at: now).ended(outcomes) {
                    count += 1
                    guard count <= selection.limit ?? .max else { continue }
                    if options.json {
                        documents.append(finding.json())
                    } else {
                        FindingText.show(finding, at: now, verbose: options.verbose)
                    }
                }
            }
            if options.json {
                StandardOutput.document(
                    .members([
                        "run": .string(audited.id.text), "findings": .array(documents),
                        "count": .whole(count),
                    ]))
                return .done
            }
            let shown = min(count, selection.limit ?? .max)
            StandardOutput.line(
                (shown < count ? "\(shown) of " : "")
                    + "\(Measure.count(count, "finding")) in run \(audited.id.text)")
            return .done
        }
    }

    private func sum(
        _ audited: RunSummary, _ ledger: Ledger, _ session: Session
    ) throws -> ExitStatus {
        var sums = IdentitySums(levels: session.configuration.levels)
        let now = SystemClock.now()
        try ledger.findings(in: audited.id, selection.choice.filter) { batch in
            for finding in try selection.taken(batch, at: now) { sums.add(finding) }
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
    /// Prints a finding: what it is, its bytes, age, and id; below that its key, and the record.
    /// With `verbose` its evidence and what the policy does follow.
    static func show(_ finding: Finding, at now: Instant, verbose: Bool) {
        let cause = finding.cause.map { "/\($0.rawValue)" } ?? ""
        let what = finding.kind.rawValue + cause
        let size = (finding.objects?.bytes ?? finding.object?.size).map(Measure.bytes) ?? ""
        let age = finding.firstSeen.map { "seen for \(max(now - $0, .zero).label)" } ?? ""
        StandardOutput.line(
            (pad(finding.verdict.rawValue, 10) + pad(what, 25) + pad(size, 11) + pad(age, 18)
                + finding.id.prefix(12)).trimmed)
        if let key = finding.key {
            StandardOutput.line("    " + Terminal.key(key.bytes, width: 76))
        } else if let value = finding.value {
            StandardOutput.line("    " + VisibleText.ascii(value, width: 76))
        }
        if let record = finding.record { StandardOutput.line("    of \(place(record))") }
        guard verbose else { return }
        for sentence in finding.evidence {
            StandardOutput.line("    " + VisibleText.ascii(sentence))
        }
        if let action = finding.action {
            StandardOutput.line("    action: \(wanted(finding, action))")
        }
        if let outcome = finding.outcome {
            StandardOutput.line("    outcome: \(outcome.rawValue)")
        }
    }

    /// A place in a record, as one text.
    static func place(_ place: RecordPlace) -> String {
        "\(place.identity.source) \(place.identity.model)/"
            + Terminal.key(place.identity.id.joined, width: 80)
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

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
