import MooringDecisions
import MooringModel

/// Drives `ObjectErasure` against a real bucket.
struct EraseExecutor {
    /// The stores.
    let job: Job
    /// Where intent and outcome go.
    let journal: ObjectJournal

    /// Removes an object by way of the quarantine of a run.
    func erase(
        _ step: PlanStep, _ order: ErasureOrder, in run: RunID
    ) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(step, job, step.precondition.quarantinedBy ?? run) else {
            return try await journal.end(
                step, nil, .failed, "its bucket or version is not named")
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        let machine = ObjectErasure(order, expected: place.expected, isHeld: place.isHeld)
        return try await drive(machine, place, intent: try await journal.intend(step))
    }

    /// Finishes a removal that was left open behind its intent.
    func resume(
        _ entry: JournalEntry, _ order: ErasureOrder
    ) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(entry.step, job, entry.quarantineRun) else {
            return try await journal.leaveOpen(
                entry.step, entry.number, StepJournal.noBucket)
        }
        return try await drive(
            .resume(order, expected: place.expected, isHeld: place.isHeld), place,
            intent: entry.number)
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: ObjectErasure, _ place: ActPlace, intent: Int64
    ) async throws -> (StepOutcome, String?) {
        var machine = start
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try await journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(place.step, intent, reason)
            case .quarantine, .sweep, .headQuarantined, .head, .restore: break
            }
            action = machine.handle(await perform(action, place))
        }
    }

    private func perform(
        _ action: ObjectErasure.Action, _ place: ActPlace
    ) async -> OrphanRemoval.Event {
        switch action {
        case .quarantine: await place.quarantine()
        case .sweep(_, let held): await place.sweep(held)
        case .headQuarantined: await place.headQuarantined()
        case .head: await place.head()
        case .restore(let held): await place.restore(held)
        case .finish(_, let reason): .failed(reason ?? "the step had ended")
        case .leaveOpen(let reason): .failed(reason)
        }
    }
}

extension ActPlace {
    /// Whether the object lay in quarantine when the step was made.
    fileprivate var isHeld: Bool { step.precondition.quarantinedBy != nil }
}
