package import MooringModel

/// What came of one step: the border behind repair, sweep, undo and erase.
package struct StepResult: Hashable, Sendable {
    /// The step, as the plan or the journal holds it.
    package let step: PlanStep
    /// How it ended; nil when an earlier attempt at the same plan had ended it.
    package let outcome: StepOutcome?
    /// Why, where there is something to say.
    package let reason: String?
}
