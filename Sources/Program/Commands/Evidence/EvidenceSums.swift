import MooringDecisions
import MooringModel
import MooringPipeline

/// What an archive's report counts, and what of it is there: pure.
struct EvidenceSums {
    /// The report of the run.
    var report: RunSummary?
    /// Findings by kind and verdict.
    private var findings: [FindingKind: [Verdict: Int]] = [:]
    private var ended: [StepOutcome: Int] = [:]

    // Those whose steps all stand in the journal, each once.
    private static let acting: Set<String> = ["repair", "run", "sweep", "undo"]

    /// Adds a finding of the run.
    mutating func add(_ finding: Finding) {
        findings[finding.kind, default: [:]][finding.verdict, default: 0] += 1
    }

    /// Adds an entry of the journal. One that ended behind its run was taken up by another; that
    /// it was taken back later changes nothing of how it ended.
    mutating func add(_ entry: JournalExcerptEntry) {
        guard let report, entry.run == report.id.text,
            let outcome = entry.outcome.flatMap(StepOutcome.init(rawValue:))
        else { return }
        let isOwn =
            entry.endedAt.map { Instant(nanoseconds: $0) } ?? .distantPast
            <= report.finishedAt ?? .distantFuture
        if isOwn || outcome == .undone { ended[outcome, default: 0] += 1 }
    }

    /// Where the report says something else than the members, in words.
    func faults(isOfRun: Bool) -> [String] {
        guard let report, isOfRun else { return [] }
        return findingFaults(report) + repairFaults(report)
    }

    // What was erased on request is counted still, and nothing is left of it.
    private func findingFaults(_ report: RunSummary) -> [String] {
        guard Pipeline.auditCommands.contains(report.command), report.isCompleteScan else {
            return []
        }
        let isErased = report.notes.contains { $0.contains("erased on request") }
        return FindingKind.allCases.compactMap { kind in
            let count = report.counts[kind] ?? RunSummary.Count()
            let told = [
                Verdict.settled: count.settled, .explained: count.explained,
                .undecided: count.undecided,
            ]
            let differs = Verdict.allCases.contains { verdict in
                let (own, there) = (told[verdict] ?? 0, findings[kind]?[verdict] ?? 0)
                return isErased ? there > own : there != own
            }
            return differs
                ? "findings.jsonl: it does not hold the findings of \(kind.rawValue) that "
                    + "report.json counts" : nil
        }
    }

    // A run that was interrupted may have ended a step that it had no time to count.
    private func repairFaults(_ report: RunSummary) -> [String] {
        guard Self.acting.contains(report.command), report.status == .complete else { return [] }
        let sum = { (outcomes: [StepOutcome]) in outcomes.reduce(0) { $0 + (ended[$1] ?? 0) } }
        let done = sum([.done, .undone, .healed, .confirmed, .changed])
        let pairs = [
            ("done", report.repairs.done, done),
            ("stale", report.repairs.stale, sum([.stale, .putBack])),
            ("failed", report.repairs.failed, sum([.failed])),
        ]
        return pairs.compactMap { name, told, there in
            told == there
                ? nil
                : "journal.jsonl: report.json counts \(Measure.count(told, "step")) as \(name), "
                    + "and it tells of \(there)"
        }
    }
}
