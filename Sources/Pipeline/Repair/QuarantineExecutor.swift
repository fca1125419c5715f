import MooringDecisions
import MooringModel

/// Drives `QuarantineMove` against a real bucket: gives an object in quarantine back to its key,
/// without ever replacing what is there, or removes it for good.
struct QuarantineExecutor {
    /// What the repair works with.
    let job: Job
    /// Where the intent stands before the act.
    let journal: ObjectJournal

    /// Moves the object back; stale where its key is taken or it is another version.
    func restore(_ step: PlanStep, undoes: Int64? = nil) async throws -> (StepOutcome, String?) {
        try await carryOut(.restore(), step, undoes: undoes)
    }

    /// Removes the object for good where no possible owner references it and it is as judged; one
    /// whose key `livesAgain`, where what lies at the key still is an object in its place.
    func sweep(
        _ step: PlanStep, _ proof: IrreversibleProof, livesAgain: Bool
    ) async throws -> (StepOutcome, String?) {
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        if livesAgain {
            guard let place = place(step),
                case .present(let found) = await place.bucket.head(place.key),
                found.size > 0
            else { return try await journal.end(step, nil, .stale, Self.livesNoMore) }
        }
        return try await carryOut(.sweep(proof), step, undoes: nil)
    }

    /// Finds out what a move did that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let place = place(entry.step) else {
            return try await journal.leaveOpen(
                entry.step, entry.number, StepJournal.noBucket)
        }
        return try await drive(.resume(), place, intent: entry.number, undoes: nil)
    }

    private static let livesNoMore =
        "no object is at its key any more that stands in its place, and records reference it"

    private func place(_ step: PlanStep) -> ActPlace? {
        step.precondition.quarantinedBy.flatMap { ActPlace(step, job, $0) }
    }

    private func carryOut(
        _ machine: QuarantineMove, _ step: PlanStep, undoes: Int64?
    ) async throws -> (StepOutcome, String?) {
        guard let place = place(step) else {
            return try await journal.end(
                step, nil, .failed, "its bucket, version or quarantine is not named")
        }
        return try await drive(machine, place, intent: nil, undoes: undoes)
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: QuarantineMove, _ place: ActPlace, intent: Int64?, undoes: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(.done, nil) where place.step.strategy == .restore:
                return try await journal.end(
                    place.step, intent, .done,
                    await StoreCheck(job: job).caveat(place.bucket, bytes: place.expected.size))
            case .finish(let outcome, let reason):
                return try await journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(place.step, intent, reason)
            case .restore, .sweep:
                intent = try await journal.intend(place.step, undoes: undoes)
            case .readOwners, .headQuarantined: break
            }
            action = machine.handle(await perform(action, place))
        }
    }

    private func perform(
        _ action: QuarantineMove.Action, _ place: ActPlace
    ) async -> OrphanRemoval.Event {
        switch action {
        case .readOwners: .owners(await OwnerReader(job: job).answer(place.step, place.key))
        case .headQuarantined: await place.headQuarantined()
        case .restore: await place.restore(place.expected)
        case .sweep: await place.sweep(place.expected)
        case .finish(_, let reason): .failed(reason ?? "the step had ended")
        case .leaveOpen(let reason): .failed(reason)
        }
    }
}
