import MooringLedger
import MooringModel

/// How a driver ends a step, under the intent that stands already or without one.
extension StepJournal {
    /// Writes the outcome of a step; one that has no intent yet changed nothing.
    func end(
        _ step: PlanStep, _ intent: Int64?, _ outcome: StepOutcome, _ reason: String?
    ) throws -> (StepOutcome, String?) {
        if let intent {
            try conclude(intent, outcome, reason)
        } else {
            try conclude(step, outcome, reason)
        }
        return (outcome, reason)
    }

    /// Leaves the intent of a step without an outcome, so that the next run goes on from it.
    func leaveOpen(
        _ step: PlanStep, _ intent: Int64?, _ reason: String
    ) throws -> (StepOutcome, String?) {
        guard intent != nil else { return try end(step, nil, .failed, reason) }
        return (.failed, Self.unknown(reason))
    }

    /// What is said of a step whose intent stays open.
    static func unknown(_ reason: String) -> String {
        "\(reason); what it did is not known, and the next run goes on from there"
    }

    /// Why a step has to wait: an earlier one on its object is open, which may have taken its
    /// reference out and have to put that back; nil where none is.
    func waits(_ step: PlanStep) throws -> String? {
        let isOpen = try ledger.journal(about: step).contains { $0.outcome == nil }
        return isOpen ? Self.openBefore : nil
    }

    /// Why a step waits for an earlier one.
    static let openBefore = "what an earlier step on this object did is not known yet"

    /// Why a step stays open that needs a bucket which the configuration does not name.
    static let noBucket = "its bucket is not configured any more"

    /// The same of a record's source, model or field.
    static let noRecord = "its record or bucket is not configured any more"

    /// Why a step of an earlier version is not carried out.
    static let mixesRuns =
        "it was planned into another run's quarantine; run mooring audit and plan again"

    /// Why a step that nothing proves fails.
    static let unproved = "the step is not as it was planned, so that nothing proves it"

    /// Ends a step that nothing proves: its plan was made by hand, or its journal was changed.
    func unproved(_ step: PlanStep, _ intent: Int64?) throws -> (StepOutcome, String?) {
        try end(step, intent, .failed, Self.unproved)
    }
}
