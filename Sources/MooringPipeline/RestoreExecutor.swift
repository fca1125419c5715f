import MooringDecisions
import MooringModel

/// Gives an object in quarantine back to its key, without ever replacing what is there.
struct RestoreExecutor {
    /// What the repair works with.
    let job: Job
    /// Where the intent stands before the act.
    let journal: StepJournal

    /// Moves the object back; stale where its key is taken or it is another version.
    func restore(_ step: PlanStep, undoes: Int64? = nil) async throws -> (StepOutcome, String?) {
        guard let bucket = job.bucket(step.bucket), let version = step.precondition.object,
            let run = step.precondition.quarantinedBy
        else {
            let reason = "its bucket, version or quarantine is not named"
            try journal.conclude(step, .failed, reason)
            return (.failed, reason)
        }
        let intent = try journal.intend(step, undoes: undoes)
        let (outcome, reason): (StepOutcome, String?)
        do {
            switch try await bucket.restore(step.key, run: run, expecting: version) {
            case .done: (outcome, reason) = (.done, nil)
            case .stale(let why): (outcome, reason) = (.stale, why)
            }
        } catch {
            let lost = LostAnswer(bucket: bucket, key: step.key, run: run)
            guard let isHeld = await lost.isHeld() else {
                return (.failed, "\(error); \(LostAnswer.nextRun)")
            }
            (outcome, reason) = isHeld ? (.failed, "\(error)") : (.done, nil)
        }
        try journal.conclude(intent, outcome, reason)
        return (outcome, reason)
    }
}

/// Reads both sides of a finding again and records what it found; writes nothing else.
struct RequeryExecutor {
    /// What the repair works with.
    let job: Job
    /// Where the intent stands before the act.
    let journal: StepJournal

    /// Looks at both sides and journals the answer.
    func requery(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        let (outcome, reason) = await answer(step)
        try journal.conclude(step, outcome, reason)
        return (outcome, reason)
    }

    private func answer(_ step: PlanStep) async -> (StepOutcome, String?) {
        guard let bucket = job.bucket(step.bucket) else {
            return (.failed, "its bucket is not configured")
        }
        let head = await bucket.head(step.key)
        if case .unknown(let reason) = head { return (.failed, reason) }
        guard step.precondition.value != nil, let place = step.record else {
            let owners = await OwnerReader(job: job).answer(
                step.precondition.owners, bucket: step.bucket, key: step.key)
            switch (owners, head) {
            case (.unknown(let reason), _): return (.failed, reason)
            case (.referenced, _): return (.healed, "a record references the object")
            case (.unreferenced, .present(let found)) where found == step.precondition.object:
                return (.confirmed, "the object is there, and no owner references it")
            default: return (.changed, "the object is gone, or another version")
            }
        }
        let owners = await OwnerReader(job: job).answer(
            [place.identity], bucket: step.bucket, key: step.key)
        switch (owners, head) {
        case (.unknown(let reason), _): return (.failed, reason)
        case (_, .present): return (.healed, "the object is there")
        case (.referenced, _): return (.confirmed, "the record references a missing object")
        default: return (.changed, "the record no longer references the object")
        }
    }
}
