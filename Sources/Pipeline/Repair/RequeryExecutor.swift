import MooringDecisions
import MooringModel

/// Reads both sides of a finding again and records what it found; writes nothing else.
struct RequeryExecutor {
    /// Where the answer stands.
    let journal: StepJournal

    private var job: Job { journal.rights.job }

    /// Looks at both sides and journals the answer.
    func requery(_ step: PlanStep) async throws -> StepEnding {
        let (outcome, reason) = await answer(step)
        return try await journal.end(step, nil, .finish(outcome, reason: reason))
    }

    private func answer(_ step: PlanStep) async -> (StepOutcome, String?) {
        guard let bucket = step.bucket.flatMap(job.bucket), let key = step.key else {
            return (.failed, "its bucket is not configured")
        }
        let head = await bucket.head(key)
        if case .unknown(let reason) = head { return (.failed, reason) }
        guard step.precondition.value != nil, let place = step.record else {
            let owners = await OwnerReader(job: job).answer(
                step.precondition.owners, bucket: bucket.name, key: key)
            switch (owners, head) {
            case (.unknown(let reason), _): return (.failed, reason)
            case (.referenced, _): return (.healed, "a record references the object")
            case (.unreferenced, .present(let found))
            where step.precondition.object?.means(found) == true:
                return (.confirmed, "the object is there, and no owner references it")
            default: return (.changed, "the object is gone, or another version")
            }
        }
        let owners = await OwnerReader(job: job).answer(
            [place.identity], bucket: bucket.name, key: key)
        switch (owners, head) {
        case (.unknown(let reason), _): return (.failed, reason)
        case (_, .present): return (.healed, "the object is there")
        case (.referenced, _): return (.confirmed, "the record references a missing object")
        default: return (.changed, "the record no longer references the object")
        }
    }
}
