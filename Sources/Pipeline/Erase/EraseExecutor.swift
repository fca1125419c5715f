import MooringDecisions
import MooringModel

/// Removes an object for good by way of the run's quarantine, because a person asked for it.
struct EraseExecutor: StepExecutor {
    let journal: StepJournal
    /// The order to remove it, which stands in for a proof.
    let order: ErasureOrder

    func begin(_ step: PlanStep) async throws -> (ObjectErasure, ActPlace) {
        guard
            let place = ActPlace(
                step, journal.rights, step.precondition.quarantinedBy ?? journal.run)
        else {
            throw StepEnd.finish(.failed, reason: "its bucket or version is not named")
        }
        try await journal.refuseOpen(step)
        return (ObjectErasure(order, expected: place.expected, isHeld: place.isHeld), place)
    }

    func takeUp(_ entry: JournalEntry) throws -> (ObjectErasure, ActPlace) {
        guard let place = ActPlace(entry.step, journal.rights, entry.quarantineRun) else {
            throw StepEnd.noBucket
        }
        return (.resume(order, expected: place.expected, isHeld: place.isHeld), place)
    }

    func act(_ act: ObjectErasure.Act, _ place: ActPlace) async throws -> ObjectAnswer {
        switch act {
        case .quarantine: try await place.quarantine()
        case .sweep(_, let held): try await place.sweep(held)
        case .restore(let held): try await place.restore(held)
        }
    }
}

extension ActPlace {
    /// Whether the object lay in quarantine when the step was made.
    fileprivate var isHeld: Bool { step.precondition.quarantinedBy != nil }
}
