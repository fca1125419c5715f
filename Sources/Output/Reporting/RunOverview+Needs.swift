import MooringModel

// What a person has to see to, and what the rest waits for.
extension RunOverview {
    /// What a person has to see to, each with what is known of it and the next step; most urgent
    /// first.
    static func needs(_ summary: RunSummary) -> [String] {
        var needs = unread(summary)
        needs += summary.guards.filter(\.refused).map { answer in
            "\(answer.title) refuses: \(answer.value) measured, the limit is \(answer.limit)"
                + (answer.cause.map { "; likely cause: \($0)" } ?? "")
                + (answer.hint.map { "; \($0)" } ?? "")
        }
        let undone = summary.repairs.stale + summary.repairs.failed
        if undone > 0 {
            needs.append(
                "\(Figures.counted(undone, "step")) left undone: 'mooring audit', then "
                    + "'mooring plan', see what is left")
        }
        needs += summary.gates.filter { !$0.passed && summary.judges($0) }.map(\.line)
        if summary.status == .complete || summary.status == .refused {
            needs += byHand(summary)
        }
        return needs
    }

    /// Why no more is repaired: what the findings wait for that time or the policy decides.
    static func waits(_ summary: RunSummary) -> [String] {
        RunSummary.Waiting.Reason.allCases.flatMap { reason -> [String] in
            let rows = summary.waiting.filter { $0.reason == reason }
            guard !rows.isEmpty, reason != .ready || summary.canBePlanned else { return [] }
            let total = Figures.grouped(rows.reduce(0) { $0 + $1.findings })
            switch reason {
            case .ready:
                return ["\(total) can be repaired now (\(kinds(rows)))"]
            case .proof: return proofs(rows)
            case .explained:
                return [
                    "\(total) explained: a device may still be the reason" + until(rows)
                        + " (\(kinds(rows)))"
                ]
            case .policy: return ["\(total) kept by the policy (\(kinds(rows)))"]
            case .undecided, .hand: return []
            }
        }
    }

    /// The same of a plan, which takes what is ready, and leaves doubts and other kinds.
    static func leftOut(_ summary: RunSummary) -> [String] {
        var planned = summary
        planned.waiting.removeAll { $0.reason == .ready }
        return waits(planned) + byHand(planned)
    }

    private static func unread(_ summary: RunSummary) -> [String] {
        let sides =
            summary.records.map { ("record source \($0.name)", $0.scan) }
            + summary.buckets.map { ("bucket \($0.name)", $0.scan) }
        return sides.filter { !$0.1.complete }.map { name, scan in
            "\(name) was not read to its end"
                + (scan.problems.first.map { ": \($0)" } ?? "")
        }
    }

    // What time does not settle and no policy decides.
    private static func byHand(_ summary: RunSummary) -> [String] {
        let rows = summary.waiting.filter {
            $0.reason == .undecided || $0.reason == .hand && $0.kind.severity > .note
        }
        return RunSummary.Waiting.Reason.allCases.flatMap { reason -> [String] in
            let some = rows.filter { $0.reason == reason }
            guard !some.isEmpty else { return [] }
            let total = Figures.grouped(some.reduce(0) { $0 + $1.findings })
            let list = "'mooring findings --run \(summary.id.text)"
            if reason == .undecided {
                return [
                    "\(total) undecided, with the doubt beside each: "
                        + "\(list) --verdict undecided --verbose' (\(kinds(some)))"
                ]
            }
            let options = some.map { " --kind \($0.kind.rawValue)" }.joined()
            return ["\(total) for a person to mend: \(list)\(options)' (\(kinds(some)))"]
        }
    }

    private static func proofs(_ rows: [RunSummary.Waiting]) -> [String] {
        var names: [String] = []
        for row in rows where !names.contains(row.proof ?? "") { names.append(row.proof ?? "") }
        return names.map { name in
            let some = rows.filter { ($0.proof ?? "") == name }
            let total = Figures.grouped(some.reduce(0) { $0 + $1.findings })
            return "\(total) wait for \(name.isEmpty ? "other proofs" : name)" + until(some)
                + " (\(kinds(some)))"
        }
    }

    private static func until(_ rows: [RunSummary.Waiting]) -> String {
        // Of one that time alone does not bring nothing is promised.
        guard rows.allSatisfy({ $0.last != nil }), let last = rows.compactMap(\.last).max(),
            let first = rows.compactMap(\.first).min()
        else { return "" }
        let end = Figures.minute(last)
        return Figures.minute(first) == end
            ? ", until \(end)" : ", the first until \(Figures.minute(first)), the last until \(end)"
    }

    private static func kinds(_ rows: [RunSummary.Waiting]) -> String {
        FindingKind.reportOrder.compactMap { kind in
            let count = rows.filter { $0.kind == kind }.reduce(0) { $0 + $1.findings }
            return count == 0 ? nil : "\(Figures.grouped(count)) \(kind.rawValue)"
        }.joined(separator: ", ")
    }
}

extension RunSummary {
    /// Whether it could hold a gate to what is there: a side that was not read to its end proves
    /// nothing of findings.
    func judges(_ gate: Gate) -> Bool { isCompleteScan || gate.counted == nil }

    /// The steps that a report tells; what was left undone comes first, as a reader looks for it.
    var stepsUndoneFirst: [EndedStep] {
        done.filter(\.isLeftUndone) + done.filter { !$0.isLeftUndone }
    }

    /// Whether it looked at any store, to its end or not.
    var hasScanned: Bool { !records.isEmpty || !buckets.isEmpty }

    /// Whether a plan may hold a step; a run of an earlier version does not say.
    var mayBeReady: Bool { waiting.isEmpty || waiting.contains { $0.reason == .ready } }

    /// Whether a plan of it may take what was ready when it looked: a run that has acted has taken
    /// that, and of one that a guard refused, or that judged another moment, none is made.
    var canBePlanned: Bool {
        isCompleteScan && !hasActed && !isJudgedAsOf && !guards.contains(where: \.refused)
    }
}

extension RunSummary.EndedStep {
    /// What it was about: its key, else its record, else its finding.
    var subject: [UInt8] {
        key?.bytes ?? record.map { FindingFacts.text($0) } ?? Array(finding.utf8)
    }
}
