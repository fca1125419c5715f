import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel

/// Which findings of a run the ledger is asked for.
struct FindingChoice: ParsableArguments {
    @Option(help: "Only findings of this kind; may be repeated.")
    var kind: [FindingKind] = []

    @Option(help: "Only findings of this verdict; may be repeated.")
    var verdict: [Verdict] = []

    @Option(help: "Only findings whose key begins with this.")
    var prefix: String = ""

    /// What the ledger looks for.
    var filter: FindingFilter {
        FindingFilter(
            kinds: Set(kind), verdicts: Set(verdict), keyPrefix: Array(prefix.utf8))
    }
}

/// Which of these are wanted.
struct FindingSelection: ParsableArguments {
    @OptionGroup var choice: FindingChoice

    @Option(help: "Only findings of this cause; may be repeated.")
    var cause: [FindingCause] = []

    @Option(help: "Only findings that name a record of this model; may be repeated.")
    var model: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only findings first seen since a time, or for at most so long, as in 7d.",
            valueName: "time|duration"))
    var since: String?

    @Option(help: "Show at most so many; the rest is counted.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is 0 at least") }
        _ = try firstMoment(at: .distantPast)
    }

    /// Those of the ledger's findings that are wanted.
    func taken(_ findings: [Finding], at now: Instant) throws -> [Finding] {
        let first = try firstMoment(at: now)
        return findings.filter { finding in
            (cause.isEmpty || finding.cause.map(cause.contains) ?? false)
                && (model.isEmpty || !models(of: finding).isDisjoint(with: model))
                && (first.map { (finding.firstSeen ?? .distantPast) >= $0 } ?? true)
        }
    }

    private func models(of finding: Finding) -> Set<String> {
        Set(([finding.record].compactMap { $0 } + finding.records).map(\.identity.model))
    }

    private func firstMoment(at now: Instant) throws -> Instant? {
        guard let since else { return nil }
        if let moment = Instant(iso8601: since) { return moment }
        do {
            return now - (try Quantity.duration(since))
        } catch {
            throw ValidationError(
                "--since needs a time such as 2026-11-21T02:00:00Z, or a duration such as 7d; "
                    + "'\(since)' is neither")
        }
    }
}
