package import MooringModel

/// The sentence that stands above everything else of a run: whether anything is wrong, how that
/// changed since the scan before, what was done, and how much needs a person. Plain words, not yet
/// escaped.
package struct Headline: Hashable, Sendable {
    /// How much a reader has to care.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        /// Every reference has its object, and nothing needs a person.
        case ok = "OK"
        /// Users meet something that is broken, or something needs a person.
        case attention = "ATTENTION"
        /// A guard or a limit refused to change anything.
        case refused = "REFUSED"
        /// What was not read proves nothing.
        case incomplete = "INCOMPLETE"
        case failed = "FAILED"
        case interrupted = "INTERRUPTED"
        case running = "RUNNING"
    }

    /// How much a reader has to care.
    package let level: Level
    /// The sentence's parts, most important first; never empty.
    package let clauses: [String]

    /// The headline of a run.
    package init(_ summary: RunSummary) {
        let needs = RunOverview.needs(summary)
        level = Self.level(summary, needs: needs.count)
        var clauses: [String] = []
        if level == .incomplete {
            clauses.append("a side was not read to its end, so nothing is proved")
        }
        if let reason = summary.reason, level == .failed { clauses.append(reason) }
        if level == .interrupted { clauses.append("the run was stopped before its end") }
        if level == .running { clauses.append("the run has not ended") }
        if summary.hasScanned {
            clauses += Self.findings(summary)
        }
        clauses += Self.steps(summary)
        if !needs.isEmpty {
            clauses.append("\(needs.count) need\(needs.count == 1 ? "s" : "") you")
        }
        self.clauses = clauses.isEmpty ? ["nothing was to be done"] : clauses
    }

    /// The whole sentence, its parts held apart by a text.
    package func sentence(_ separator: String = " \u{B7} ") -> String {
        "\(level.rawValue): \(clauses.joined(separator: separator))"
    }

    private static func level(_ summary: RunSummary, needs: Int) -> Level {
        switch summary.status {
        case .failed: .failed
        case .interrupted: .interrupted
        case .running: .running
        case .incomplete: .incomplete
        case .refused: .refused
        case .complete:
            needs > 0 || (summary.counts[.dangling]?.settled ?? 0) > mended(summary)
                ? .attention : .ok
        }
    }

    // The counts are those from before the run's own steps.
    private static func mended(_ summary: RunSummary) -> Int {
        let strategies: Set<Strategy> = [.nullify, .restore, .repoint, .deleteRecord]
        return summary.done.count { $0.outcome == .done && strategies.contains($0.strategy) }
    }

    private static func findings(_ summary: RunSummary) -> [String] {
        var clauses: [String] = []
        if let count = summary.counts[.dangling], count.total > 0 {
            clauses.append(
                references(count, summary.change)
                    + (summary.hasActed ? ", before its repairs" : ""))
        } else if summary.isCompleteScan, summary.counts[.invalidKey] == nil {
            clauses.append("every reference has its object")
        }
        if let count = summary.counts[.orphan], count.total > 0 {
            let new = summary.change?.new[.orphan] ?? 0
            let removable =
                summary.canBePlanned
                ? summary.waiting.filter { $0.kind == .orphan && $0.reason == .ready }
                    .reduce(0) { $0 + $1.findings } : nil
            clauses.append(
                Figures.counted(count.total, "orphan")
                    + (new > 0 ? " (\(Figures.grouped(new)) new)" : "")
                    + ", \(Figures.size(count.bytes))"
                    + (removable.map { ", \(Figures.grouped($0)) removable" } ?? ""))
        }
        let others = summary.counts.filter { $0.key != .dangling && $0.key != .orphan }
            .reduce(0) { $0 + $1.value.total }
        if others > 0 { clauses.append("\(Figures.counted(others, "other finding"))") }
        return clauses
    }

    private static func references(_ count: RunSummary.Count, _ change: RunSummary.Change?)
        -> String
    {
        let new = change?.new[.dangling] ?? 0
        let excuse = count.explained == count.total ? ", all explained" : ""
        guard let change, new > 0 else {
            let since = change.map { ", none new since \(moment(of: $0.since))" } ?? ""
            return Figures.counted(count.total, "dangling reference") + since + excuse
        }
        return Figures.counted(new, "reference") + " broke since \(moment(of: change.since)) "
            + "(\(Figures.grouped(count.total)) in all\(excuse))"
    }

    private static func steps(_ summary: RunSummary) -> [String] {
        let repairs = summary.repairs
        let undone = repairs.stale + repairs.failed
        guard summary.hasActed else { return [] }
        return [
            "\(Figures.counted(repairs.done, "step")) done, \(Figures.grouped(undone)) left undone"
        ]
    }

    /// When a run began, to the minute.
    static func moment(of run: RunID) -> String {
        run.startedAt.map(Figures.minute) ?? run.text
    }
}
