import MooringModel

/// What a reader must know before anything else: how the run ended, what it found, what it
/// refused and why, and what to do next. Plain sentences, not yet escaped.
struct RunOverview {
    /// How the run ended.
    let status: String
    /// What was found, a line for each kind.
    let found: [String]
    /// What was refused, each with the number that was compared.
    let refused: [String]
    /// What to do next beside what stands in `needs`; never empty.
    let next: [String]
    /// What a person has to see to, most urgent first.
    let needs: [String]
    /// Why no more is repaired, and until when.
    let waits: [String]

    /// The overview at a run.
    init(_ summary: RunSummary) {
        status = Self.status(summary)
        found = Self.found(summary)
        refused = Self.refused(summary)
        next = Self.next(summary)
        needs = Self.needs(summary)
        waits = Self.waits(summary)
    }

    private static func status(_ summary: RunSummary) -> String {
        let reason = summary.reason.map { ": \($0)" } ?? "."
        return switch summary.status {
        case .complete:
            (summary.hasScanned
                ? "Both sides were read to their end" : "The run has ended; it scanned no side")
                + reason
        case .incomplete:
            "A side was not read to its end, and proves no absence" + reason
        case .refused:
            (summary.isCompleteScan
                ? "Both sides were read to their end, but a guard or limit refused the repair; "
                : "A guard or limit stopped the run; ")
                + (summary.repairs.done > 0 ? "nothing more was changed" : "nothing was changed")
                + reason
        case .failed: "An error ended the run" + reason
        case .interrupted: "The run was stopped before its end" + reason
        case .running: "The run has not ended" + reason
        }
    }

    private static func found(_ summary: RunSummary) -> [String] {
        let lines = FindingKind.reportOrder.compactMap { kind -> String? in
            guard let count = summary.counts[kind], count.total > 0 else { return nil }
            let verdicts = [
                (count.settled, "settled"), (count.explained, "explained"),
                (count.undecided, "undecided"),
            ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
            let bytes = count.bytes > 0 ? " (\(Figures.size(count.bytes)))" : ""
            return "\(kind.rawValue): \(verdicts.joined(separator: ", "))\(bytes)"
        }
        if !lines.isEmpty { return lines }
        guard summary.hasScanned else {
            return ["Not looked for: 'mooring audit' tells what is there now."]
        }
        return [
            summary.isCompleteScan
                ? "Nothing: every object has a reference, and every reference has its object."
                : "No findings, which a run that is not complete does not prove."
        ]
    }

    /// What the findings and the run cost; nil where no price is known.
    static func cost(_ summary: RunSummary) -> String? {
        guard let prices = summary.prices, let cost = summary.cost else { return nil }
        func shown(_ amount: Double) -> String { Figures.money(amount, prices.currency) }
        return "the orphans cost \(shown(cost.orphans)) a month"
            + (cost.quarantine > 0 ? ", quarantine \(shown(cost.quarantine))" : "")
            + (cost.requests > 0 ? "; this run's requests at most \(shown(cost.requests))" : "")
            + " (prices: \(prices.source))"
    }

    private static func refused(_ summary: RunSummary) -> [String] {
        summary.guards.filter(\.refused).map {
            "\($0.title): \($0.value) measured, the limit is \($0.limit)"
                + ($0.cause.map { "; likely cause: \($0)" } ?? ".")
        }
    }

    private static func next(_ summary: RunSummary) -> [String] {
        var steps: [String] = []
        let again = "run 'mooring \(summary.command)' again."
        switch summary.status {
        case .failed: steps.append("Remove the cause that is named above, then \(again)")
        case .incomplete: steps.append("Clear the problems named under the scans, then \(again)")
        case .interrupted, .running: steps.append(again.prefix(1).uppercased() + again.dropFirst())
        case .complete, .refused: break
        }
        let counts = summary.counts.values
        let isMapped = (summary.counts[.mappingError]?.total ?? 0) == 0
        // A run that carried something out has made that plan itself.
        if summary.isCompleteScan, isMapped, !summary.hasActed,
            counts.contains(where: { $0.settled > 0 }), summary.mayBeReady
        {
            steps.append(
                "Run 'mooring plan \(summary.id.text)' to see which settled findings can be "
                    + "repaired; a plan changes nothing by itself.")
        }
        if counts.contains(where: { $0.total > 0 }) {
            steps.append("'mooring explain KEY' tells one finding's whole story.")
        }
        guard steps.isEmpty else { return steps }
        return [summary.hasScanned ? "Nothing to do." : "'mooring audit' tells what is there now."]
    }
}
