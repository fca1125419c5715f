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
    /// What to do next, most urgent first; never empty.
    let next: [String]

    /// The overview at a run.
    init(_ summary: RunSummary) {
        status = Self.status(summary)
        found = Self.found(summary)
        refused = Self.refused(summary)
        next = Self.next(summary)
    }

    private static func status(_ summary: RunSummary) -> String {
        let reason = summary.reason.map { ": \($0)" } ?? "."
        return switch summary.status {
        case .complete: "Both sides were read to their end" + reason
        case .incomplete:
            "A side was not read to its end, and proves no absence" + reason
        case .refused:
            "A guard or limit stopped the run; nothing "
                + (summary.repairs.done > 0 ? "more was changed" : "was changed") + reason
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
        return [
            summary.isCompleteScan
                ? "Nothing: every object has a reference, and every reference has its object."
                : "No findings, which a run that is not complete does not prove."
        ]
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
        for answer in summary.guards where answer.refused {
            if let hint = answer.hint { steps.append("\(answer.title): \(hint)") }
        }
        let undone = summary.repairs.stale + summary.repairs.failed
        if undone > 0 {
            steps.append(
                "\(Figures.counted(undone, "step")) left undone: run 'mooring audit', then "
                    + "'mooring plan', which sees what is left.")
        }
        let counts = summary.counts.values
        let isMapped = (summary.counts[.mappingError]?.total ?? 0) == 0
        // A run that carried something out has made that plan itself.
        let hasActed = summary.repairs.done + undone > 0
        if summary.isCompleteScan, isMapped, !hasActed, counts.contains(where: { $0.settled > 0 }) {
            steps.append(
                "Run 'mooring plan \(summary.id.text)' to see which settled findings can be "
                    + "repaired; a plan changes nothing by itself.")
        }
        if counts.contains(where: { $0.undecided > 0 }) {
            steps.append(
                "Undecided findings name their doubt under 'why'; 'mooring explain KEY' tells "
                    + "one's whole story.")
        }
        if summary.isCompleteScan, counts.contains(where: { $0.explained > 0 }) {
            steps.append("Explained findings need nothing: a later run judges them again.")
        }
        return steps.isEmpty ? ["Nothing to do."] : steps
    }
}
