import MooringModel
import MooringPipeline
import MooringReporting

/// Tells each step as it ends, and adds them up.
struct StepLog {
    private let options: CommonOptions
    private var results: [RepairStage.Result] = []
    /// The steps by how they ended.
    private(set) var repairs = RunSummary.Repairs()
    private var doneBefore = 0
    private var isResumeLeftUndone = false

    /// A log of so many planned steps.
    init(options: CommonOptions, planned: Int) {
        self.options = options
        repairs.planned = planned
    }

    /// Adds so many more planned steps.
    mutating func plan(_ count: Int) { repairs.planned += count }

    /// Whether every step was carried out, those that an earlier run had left open among them.
    var status: ExitStatus {
        repairs.stale + repairs.failed > 0 || isResumeLeftUndone ? .leftUndone : .done
    }

    /// Adds a step's end.
    mutating func add(_ result: RepairStage.Result) {
        results.append(result)
        switch result.outcome {
        case nil: doneBefore += 1
        case .done, .undone, .healed, .confirmed, .changed: repairs.done += 1
        case .stale, .putBack: repairs.stale += 1
        case .failed: repairs.failed += 1
        }
        let outcome = result.outcome?.rawValue ?? "done"
        tell(outcome, result)
    }

    /// Tells of a step that an earlier run had left open. It is none of this run's planned ones,
    /// so it is in no sum; that it failed is in the status.
    mutating func tellResumed(_ result: RepairStage.Result) {
        if result.outcome == .failed { isResumeLeftUndone = true }
        tell("resumed: \(result.outcome?.rawValue ?? "done")", result)
    }

    private func tell(_ outcome: String, _ result: RepairStage.Result) {
        guard !options.json, !options.quiet || result.outcome == .failed else { return }
        let reason = result.reason.map { ": " + VisibleText.ascii($0) } ?? ""
        let padding = String(repeating: " ", count: max(1, 10 - outcome.utf8.count))
        StandardOutput.line("  " + outcome + padding + PlanText.line(result.step) + reason)
    }

    /// Prints the sums, or everything as one JSON document.
    func close(run: RunSummary, plan: String?, report: String?) {
        if options.json {
            StandardOutput.document(
                Self.document(
                    run: run, plan: plan, applied: true, results.map(Self.document)))
            return
        }
        StandardOutput.line(
            "run \(run.id.text): \(repairs.done) done, \(repairs.stale) stale, "
                + "\(repairs.failed) failed of \(repairs.planned)"
                + (doneBefore == 0 ? "" : ", \(doneBefore) done before"))
        guard !options.quiet else { return }
        if let report { StandardOutput.line("report: \(report)") }
        guard run.command == "repair" || run.command == "run" else { return }
        let done = results.filter { $0.outcome == .done }
        if done.contains(where: \.step.canBeUndone) {
            StandardOutput.line("to take it back: mooring undo \(run.id.text) --apply")
        }
        let forGood = done.count(where: \.step.isForGood)
        if forGood > 0 {
            StandardOutput.line("\(Measure.count(forGood, "removal")) cannot be taken back")
        }
    }

    /// Prints the lifecycle rule for what the run tagged, in each bucket.
    func tellLifecycleRule(of run: RunSummary, _ buckets: [any Bucket]) {
        guard !options.json, !options.quiet else { return }
        for bucket in buckets
        where results.contains(where: {
            $0.outcome == .done && $0.step.strategy == .tag && $0.step.bucket == bucket.name
        }) {
            for line in LifecycleRule.lines(for: bucket, run: run.id) {
                StandardOutput.line(line)
            }
        }
    }

    /// What was done, or would be, as one JSON value.
    static func document(
        run: RunSummary?, plan: String?, applied: Bool, _ steps: [JSONValue]
    ) -> JSONValue {
        .members([
            "run": .text(run?.id.text), "plan": .text(plan), "applied": .bool(applied),
            "steps": .array(steps), "repairs": run?.repairs.json,
        ])
    }

    /// How one step ended, as one JSON value.
    static func document(_ result: RepairStage.Result) -> JSONValue {
        .members([
            "id": .string(result.step.id), "strategy": .string(result.step.strategy.rawValue),
            "bucket": .text(result.step.bucket), "key": .text(result.step.key?.text),
            "keyBase64": result.step.key.flatMap { .base64(unlessText: $0.bytes) },
            "record": result.step.record?.json,
            "outcome": .string(result.outcome?.rawValue ?? "done"),
            "reason": .text(result.reason),
        ])
    }
}
