import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// A plan that guards let pass, or that only gives back: no other one can be carried out.
struct GuardedPlan {
    /// The plan.
    let plan: Plan

    /// Its steps.
    var steps: [PlanStep] { plan.steps }

    /// A plan that its run's guards let pass, as the ledger keeps it.
    init(_ plan: Plan, passed: PlanGuards.Passed) {
        self.plan = plan
    }

    /// The watch of a run, which gives back and removes nothing: no guard has to see it.
    init(_ watch: WatchStage, _ audit: Pipeline.Audit, at now: Instant) {
        var plan = watch.plan(audit, at: now)
        plan.steps.removeAll { !$0.isOfWatch }
        self.plan = plan
    }

    /// Refuses a plan that is expired, was made under another configuration, was changed by hand
    /// other than by taking steps out, or that the ledger does not know; and one behind which
    /// another run than this one has looked at everything.
    init(checking plan: Plan, _ job: Job, except run: RunID) throws {
        let refused = "plan \(plan.id)"
        let again = "run mooring audit, then mooring plan"
        guard let saved = try job.ledger.plan(plan.id) else {
            throw Refusal(
                .refused, found: "the ledger knows no such plan", refused: refused, next: again)
        }
        guard plan.configuration == job.configuration.fingerprint else {
            throw Refusal(
                .refused, found: "it was made under another configuration", refused: refused,
                next: again)
        }
        guard saved.expiresAt > job.clock() else {
            throw Refusal(
                .refused, found: "it expired at \(saved.expiresAt.iso8601)", refused: refused,
                next: again)
        }
        let known = Set(saved.steps)
        guard plan.steps.allSatisfy({ $0.isIntact && known.contains($0) }),
            Set(plan.steps.map(\.id)).count == plan.steps.count
        else {
            throw Refusal(
                .refused, found: "a step was changed, added or repeated by hand",
                refused: refused, next: "take steps out only, or \(again)")
        }
        var emptied = (plan, saved)
        emptied.0.steps = []
        emptied.1.steps = []
        guard emptied.0 == emptied.1 else {
            throw Refusal(
                .refused, found: "something beside its steps was changed by hand",
                refused: refused, next: again)
        }
        guard plan.steps.allSatisfy({ !$0.writesRecord || $0.precondition.namesRow })
        else {
            throw Refusal(
                .refused,
                found: "an older mooring made it, and it does not tell its records as "
                    + "they were judged", refused: refused, next: again)
        }
        try job.refuseMappingError(refused)
        // A repair that goes on with a plan scans nothing, so that it stands in nobody's way.
        try job.refuseOutdated(plan.run, under: plan.configuration, refused, but: run)
        self.plan = plan
    }

    /// The same without some of its steps.
    func without(_ isLeftOut: (PlanStep) -> Bool) -> GuardedPlan {
        var plan = plan
        plan.steps.removeAll(where: isLeftOut)
        return GuardedPlan(plan)
    }

    private init(_ plan: Plan) {
        self.plan = plan
    }
}

extension Job {
    /// Refuses where a complete run, but for one, is behind the one that something came from: what
    /// that later run saw, such as an object that came back, it knows nothing of.
    func refuseOutdated(
        _ seen: RunID, under configuration: String, _ refused: String, but run: RunID? = nil
    ) throws {
        let newer = try ledger.completeRun(of: Pipeline.auditCommands, behind: seen)
        guard let newer, newer.id != run else { return }
        let own = newer.configuration == configuration ? "mooring plan \(newer.id.text), or " : ""
        throw Refusal(
            .refused, found: "run \(newer.id.text) has looked at everything since",
            refused: refused, next: own + "run mooring audit, then mooring plan")
    }
}
