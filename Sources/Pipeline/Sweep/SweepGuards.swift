import MooringDecisions
import MooringModel

/// The guards of a sweep: what the scan found, and the limits on steps and bytes.
enum SweepGuards {
    /// Refuses an incomplete scan, a loss on either side, more steps or bytes than the limits
    /// allow, and to remove anything for good while a share refuses what the same scan found.
    static func check(
        _ audit: Pipeline.Audit, _ planned: [PlanStep], _ job: Job,
        accepting acceptance: Acceptance
    ) throws {
        if let refusal = Refusal(identities: audit.summary.guards, refused: "the sweep") {
            throw refusal
        }
        var facts = GuardFacts()
        facts.steps = planned.count
        facts.bytesToRemove = planned.reduce(0) { $0 + ($1.precondition.object?.size ?? 0) }
        let guards = job.guards(for: audit.summary.command, of: audit.summary.id)
        // A sweep has amounts of its own. What a plan would take away is nothing of a sweep's, and
        // yet tells that what was read may be the wrong thing.
        let left: Set<AcceptableGuard> =
            AcceptableGuard.amounts.union(planned.isEmpty ? AcceptableGuard.shares : [])
        let answers =
            audit.summary.guards.filter { !$0.isOne(of: left) }
            + guards.plan(facts, accepting: acceptance)
        if let refusal = Refusal(guards: answers, refused: "the sweep", words: guards.words) {
            throw refusal
        }
    }
}
