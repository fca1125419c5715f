import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// Makes a saved plan from a run's findings, or refuses.
package struct PlanStage {
    private let job: Job

    /// A stage over a job.
    package init(job: Job) {
        self.job = job
    }

    /// The plan for a complete run, which is saved; its guards are compared again under what was
    /// accepted.
    func run(
        _ run: RunSummary, accepting acceptance: Acceptance
    ) throws -> GuardedPlan {
        let made = try make(run, accepting: acceptance)
        try job.ledger.save(made.plan)
        return GuardedPlan(made.plan, passed: made.passed)
    }

    /// What people are asked about: the steps that a plan made now would hold. Nothing is saved, so
    /// that none of them is carried out before it was reviewed.
    func steps(
        of run: RunSummary, accepting acceptance: Acceptance
    ) throws -> [PlannedStep] {
        try make(run, accepting: acceptance).planned
    }

    /// The plan with those steps alone that people's words let stay, which is saved. Guards look at
    /// the whole of it first: a loss is no smaller for being approved in parts.
    func run(
        _ run: RunSummary, accepting acceptance: Acceptance, holdingTo words: ReviewWords
    ) throws -> ReviewedPlan {
        let made = try make(run, accepting: acceptance)
        let review = try words.review(made.planned) { finding in
            try job.ledger.finding(finding, in: run.id) != nil
        }
        var plan = made.plan
        plan.steps = review.steps
        try job.ledger.save(plan)
        return ReviewedPlan(plan: plan, review: review)
    }

    // A plan that guards let pass, with kind and cause of each finding that it repairs.
    private struct Made {
        let plan: Plan
        let passed: PlanGuards.Passed
        let kinds: [String: (kind: FindingKind, cause: FindingCause?)]

        var planned: [PlannedStep] {
            plan.steps.map { step in
                let known = kinds[step.finding]
                return PlannedStep(step, kind: known?.kind ?? .orphan, cause: known?.cause)
            }
        }
    }

    private func make(_ run: RunSummary, accepting acceptance: Acceptance) throws -> Made {
        try refuseUnlessCurrent(run)
        var run = run
        run.guards.removeAll {
            $0.name == IdentityRule.name && acceptance.identities.contains($0.place ?? "")
        }
        if let refusal = Refusal(
            identities: run.guards, refused: "a repair plan for run \(run.id.text)")
        {
            throw refusal
        }
        let acceptance = try job.reviewed(
            acceptance.over(Acceptance(reading: run.accepted)), in: run.id)
        var tally = Tally()
        var steps: [PlanStep] = []
        var kinds: [String: (kind: FindingKind, cause: FindingCause?)] = [:]
        let doubtful = try recordsInDoubt(run.id)
        let quarantine = try newestQuarantined()
        try job.ledger.findings(in: run.id, FindingFilter()) { batch in
            for var finding in batch {
                doubtful.withhold(&finding)
                tally.add(finding)
                let held = finding.bucket.flatMap { bucket in
                    finding.key.flatMap { quarantine[bucket]?.object(of: [.exact($0)]) }
                }
                if let step = Planner.step(for: finding, quarantinedBy: held?.run) {
                    steps.append(step)
                    kinds[finding.id] = (finding.kind, finding.cause)
                }
            }
        }
        // What the audit saw of tagged objects stands in no finding.
        steps += try job.ledger.plan(TaggedObjects.plan(of: run.id))?.steps ?? []
        steps = Planner.ordered(steps)
        let passed = try PlanGuards(job: job, run: run).check(tally, accepting: acceptance)
        let now = job.clock()
        let confirmedAt = run.confirmedAt ?? .distantPast
        let plan = Plan(
            id: "plan-" + RunID(startingAt: now).text, run: run.id,
            configuration: job.configuration.fingerprint, createdAt: now,
            expiresAt: confirmedAt + job.configuration.limits.planExpiry,
            confirmedAt: confirmedAt, accepted: acceptance.texts(usedBy: passed.answers),
            steps: steps)
        return Made(plan: plan, passed: passed, kinds: kinds)
    }

    // The judge holds the same back. But a run that an earlier version made can be planned until it
    // expires, and its findings do not say so.
    private func recordsInDoubt(_ run: RunID) throws -> RecordsInDoubt {
        var records = RecordsInDoubt()
        let undecided = FindingFilter(kinds: [.dangling], verdicts: [.undecided])
        try job.ledger.findings(in: run, undecided) { batch in
            for finding in batch { records.insert(finding) }
        }
        return records
    }

    private func refuseUnlessCurrent(_ run: RunSummary) throws {
        let refused = "a repair plan for run \(run.id.text)"
        let again = "run mooring audit, then mooring plan"
        if run.status == .incomplete {
            throw Refusal(
                .incomplete, found: run.reason ?? "the run is incomplete", refused: refused,
                next: "mend what mooring report \(run.id.text) names, then \(again)")
        }
        if let refusal = Refusal(
            policy: PolicySafety(job.configuration, try KnownStores(job)).refusals(),
            refused: refused)
        {
            throw refusal
        }
        guard run.isCompleteScan else {
            throw Refusal(
                .refused, found: "the run is \(run.status.rawValue)", refused: refused,
                next: again)
        }
        guard run.configuration == job.configuration.fingerprint else {
            throw Refusal(
                .refused, found: "the run was made under another configuration",
                refused: refused, next: again)
        }
        if let asOf = run.notes.first(where: { $0.hasPrefix(RunSummary.asOfNote) }) {
            throw Refusal(.refused, found: asOf, refused: refused, next: again)
        }
        guard let confirmedAt = run.confirmedAt else {
            throw Refusal(
                .refused, found: "the run had no confirm scan (confirm: never)",
                refused: refused, next: "set confirm: auto, then \(again)")
        }
        try job.refuseOutdated(run.id, under: run.configuration, refused)
        let expiry = job.configuration.limits.planExpiry
        guard confirmedAt + expiry > job.clock() else {
            throw Refusal(
                .refused,
                found: "its scan ended at \(confirmedAt.iso8601), more than \(expiry.label) ago",
                refused: refused, next: again)
        }
    }

    private func newestQuarantined() throws -> [String: NewestQuarantined] {
        let held = try job.buckets.flatMap { bucket in
            try job.ledger.quarantineWatch(bucket: bucket.name).map { (bucket.name, $0.object) }
        }
        return NewestQuarantined.ofEach(held, order: try job.order(of: held.map(\.1)))
    }
}
