import MooringDecisions
import MooringModel

/// Drives `QuarantineMove` against a real bucket: gives an object in quarantine back to its key,
/// without ever replacing what is there, or removes it for good.
struct QuarantineExecutor {
    /// What the repair works with.
    let job: Job
    /// Where the intent stands before the act.
    let journal: StepJournal

    /// Moves the object back; stale where its key is taken or it is another version.
    func restore(_ step: PlanStep, undoes: Int64? = nil) async throws -> (StepOutcome, String?) {
        try await carryOut(.restore(), step, undoes: undoes)
    }

    /// Removes the object for good where no possible owner references it and it is as judged.
    func sweep(
        _ step: PlanStep, _ proof: IrreversibleProof
    ) async throws -> (StepOutcome, String?) {
        if let reason = try journal.waits(step) {
            return try journal.end(step, nil, .stale, reason)
        }
        return try await carryOut(.sweep(proof), step, undoes: nil)
    }

    /// Finds out what a move did that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let place = Place(entry.step, job) else {
            return try journal.end(
                entry.step, entry.number, .failed, "its bucket is no longer configured")
        }
        return try await drive(.resume(), place, intent: entry.number, undoes: nil)
    }

    private struct Place {
        let step: PlanStep
        let bucket: any Bucket
        let key: ObjectKey
        let version: ObjectVersion
        let run: RunID

        init?(_ step: PlanStep, _ job: Job) {
            guard let bucket = step.bucket.flatMap(job.bucket), let key = step.key,
                let version = step.precondition.object,
                let run = step.precondition.quarantinedBy
            else { return nil }
            self.step = step
            self.bucket = bucket
            self.key = key
            self.version = version
            self.run = run
        }
    }

    private func carryOut(
        _ machine: QuarantineMove, _ step: PlanStep, undoes: Int64?
    ) async throws -> (StepOutcome, String?) {
        guard let place = Place(step, job) else {
            return try journal.end(
                step, nil, .failed, "its bucket, version or quarantine is not named")
        }
        return try await drive(machine, place, intent: nil, undoes: undoes)
    }

    private func drive(
        _ start: QuarantineMove, _ place: Place, intent: Int64?, undoes: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try journal.leaveOpen(place.step, intent, reason)
            case .restore, .sweep: intent = try journal.intend(place.step, undoes: undoes)
            case .readOwners, .headQuarantined: break
            }
            action = machine.handle(await perform(action, place))
        }
    }

    private func perform(
        _ action: QuarantineMove.Action, _ place: Place
    ) async -> OrphanRemoval.Event {
        let (key, bucket, run) = (place.key, place.bucket, place.run)
        do {
            switch action {
            case .readOwners:
                return .owners(await OwnerReader(job: job).answer(place.step, place.key))
            case .headQuarantined:
                return .head(await bucket.headQuarantined(key, run: run))
            case .restore:
                return .moved(
                    try await bucket.restore(key, run: run, expecting: place.version))
            case .sweep:
                return .moved(try await bucket.sweep(key, run: run, expecting: place.version))
            case .finish(_, let reason): return .failed(reason ?? "the step had ended")
            case .leaveOpen(let reason): return .failed(reason)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
