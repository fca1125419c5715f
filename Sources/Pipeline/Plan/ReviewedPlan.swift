package import MooringDecisions
package import MooringModel

/// A plan that guards let pass, and of which people took out what they did not approve.
package struct ReviewedPlan {
    /// The plan, as the ledger keeps it.
    package let plan: Plan
    /// What became of every step that it might hold, and of every approval.
    package let review: PlanReview
}
