import MooringModel
import MooringPipeline
import MooringReporting

/// Tells what a run does while it goes on, and how its steps ended.
final class StepLog {
    private let options: CommonOptions
    private let isErasing: Bool
    private var results: [StepResult] = []
    private var dry: [PlanStep] = []
    private var doneBefore: Int { results.count { $0.outcome == nil } }

    /// A log that tells nothing yet.
    init(_ options: CommonOptions, isErasing: Bool = false) {
        self.options = options
        self.isErasing = isErasing
    }

    /// Tells an event of the run.
    func take(_ event: CurrentRun.Event) {
        switch event {
        case .note(let sentence): StandardError.report(sentence)
        case .refused(let refusal): StandardError.report(refusal.description)
        case .resumed(let result):
            tell("resumed: \(result.outcome?.rawValue ?? "done")", result)
        case .ended(let result):
            results.append(result)
            tell(result.outcome?.rawValue ?? "done", result)
        case .stays(let item):
            line("  stays      " + PlanText.line(item.entry.step) + ": " + (item.obstacle ?? ""))
        case .held(let states): tell(states)
        case .surveyed(let survey): tell(survey)
        case .erasing: line("removing them for good; this cannot be undone")
        case .failure(let sentence): StandardError.report(VisibleText.ascii(sentence))
        case .dry(let steps, let swept, let notes):
            dry += steps + swept
            tellDry(steps, swept, notes)
        }
    }

    private func tell(_ survey: EraseStage.Survey) {
        for problem in survey.problems { StandardError.report(VisibleText.ascii(problem)) }
        guard !options.json else { return }
        let held = survey.items.count(where: \.isHeld)
        StandardOutput.line(
            "\(Measure.count(survey.items.count, "object")) (\(Measure.bytes(survey.bytes))), "
                + "\(held) of them in quarantine; records still hold "
                + (survey.incomplete.isEmpty ? "" : "at least ") + "\(survey.referenced) of them")
        for name in survey.copies {
            StandardOutput.line(
                survey.onlyLookedAt.contains(name)
                    ? "bucket \(name) is a directory bucket, in which nothing is changed: what it "
                        + "holds of this stays there"
                    : "bucket \(name) is a copy, which cannot be changed")
        }
    }

    private func tellDry(_ steps: [PlanStep], _ swept: [PlanStep], _ notes: [String]) {
        line("repair.apply is false: nothing is changed")
        for step in steps { line("  would " + PlanText.line(step)) }
        for note in notes { line(note) }
        for step in swept { line("  would remove for good " + PlanText.line(step)) }
    }

    private func line(_ text: String) {
        guard !options.json, !options.quiet else { return }
        StandardOutput.line(text)
    }

    private func tell(_ states: [Pipeline.QuarantineState]) {
        line("in quarantine: \(Measure.count(states.count, "object"))")
        for state in states {
            guard let need = state.need else { continue }
            let after = need.after.map { " until \($0.iso8601)" } ?? ""
            line(
                "  waits  " + Terminal.key(state.object.key.bytes, width: 44)
                    + " for \(need.proof)\(after)")
        }
    }

    private func tell(_ outcome: String, _ result: StepResult) {
        // Where logs are gathered, no deletion request reaches them.
        let hidden: Set<String> = isErasing ? ["key", "keyBase64", "record"] : []
        StandardError.event("step", Self.members(result).filter { !hidden.contains($0.name) })
        guard !options.json, !options.quiet || result.outcome == .failed else { return }
        let reason = result.reason.map { ": " + VisibleText.ascii($0) } ?? ""
        let padding = String(repeating: " ", count: max(1, 10 - outcome.utf8.count))
        StandardOutput.line("  " + outcome + padding + PlanText.line(result.step) + reason)
    }

    /// Prints the sums, or everything as one JSON document: where nothing was `applied`, the steps
    /// that would have been carried out.
    func close(run: RunSummary, plan: String?, applied: Bool = true, report: String?) {
        let repairs = run.repairs
        if options.json {
            StandardOutput.document(
                Self.document(
                    run: run, plan: plan, applied: applied,
                    applied ? results.map(Self.document) : dry.map(\.json)))
            return
        }
        // Of the nightly job its news are told, where there are any.
        if options.quiet, run.command == "run" { return }
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
    static func document(_ result: StepResult) -> JSONValue { .members(members(result)) }

    private static func members(_ result: StepResult) -> [(name: String, value: JSONValue?)] {
        [
            ("id", .string(result.step.id)), ("strategy", .string(result.step.strategy.rawValue)),
            ("bucket", .text(result.step.bucket)), ("key", .text(result.step.key?.text)),
            ("keyBase64", result.step.key.flatMap { .base64(unlessText: $0.bytes) }),
            ("record", result.step.record?.json),
            ("outcome", .string(result.outcome?.rawValue ?? "done")),
            ("reason", .text(result.reason)),
        ]
    }
}
