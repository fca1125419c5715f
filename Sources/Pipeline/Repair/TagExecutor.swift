import MooringDecisions
import MooringModel

/// Drives `ObjectTagging` against a real bucket: marks an orphan for the bucket's lifecycle rule.
struct TagExecutor {
    /// The stores.
    let job: Job
    /// Where intent and outcome go.
    let journal: ObjectJournal

    /// Tags the step's object with the journal's run.
    func tag(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(step, job, journal.run), let store = place.bucket.tags else {
            return try await journal.end(
                step, nil, .failed, "its bucket or version is not named, or it has no tags")
        }
        guard let proof = ReversibleProof(planned: step) else {
            return try await journal.unproved(step, nil)
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        switch await place.pinned() {
        case .ended(let outcome, let reason):
            return try await journal.end(step, nil, outcome, reason)
        case .place(let place):
            if let (outcome, reason) = await StoreCheck(job: job).obstacle(place.step) {
                return try await journal.end(step, nil, outcome, reason)
            }
            let machine = ObjectTagging(
                expected: place.expected, run: journal.run, proof: proof)
            return try await drive(machine, place, store, Standing())
        }
    }

    /// Takes off the tag of a repair.
    func untag(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(entry.step, job, entry.run), let store = place.bucket.tags
        else { return (.failed, "its bucket is no longer configured, or has no tags") }
        let intent = try await journal.intend(entry.step, undoes: entry.number)
        return try await drive(
            .undo(expected: place.expected, run: entry.run), place, store,
            Standing(intent: intent))
    }

    /// Takes the tag off an object that is no orphan any more, in whatever version it is there.
    ///
    /// A tag that is not on it any more, since the object went or was uploaded anew, is noted as
    /// off, so that no later run looks for it.
    func release(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(step, job, journal.run), let store = place.bucket.tags else {
            return try await journal.end(
                step, nil, .failed, "its bucket or version is not named, or it has no tags")
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        let taggings = try StandingTag.all(of: place, job.ledger)
        let found: ObjectVersion
        switch await place.bucket.head(place.key) {
        case .present(let version): found = version
        case .absent: return try await note(taggings, step, "the object is gone")
        case .unknown(let why):
            return try await journal.end(
                step, nil, .failed, "the object could not be looked at: \(why)")
        }
        let value: String?
        do {
            value = try await store.tagValue(place.key)
        } catch {
            return try await journal.end(step, nil, .failed, "\(error)")
        }
        guard let own = taggings.last(where: { $0.run.text == value }) else {
            return try await note(taggings, step, "the tag was off already")
        }
        var now = step
        now.precondition.object = found
        now = now.sealed()
        guard let there = ActPlace(now, job, own.run) else {
            return try await journal.unproved(step, nil)
        }
        let intent = try await journal.intend(now, undoes: own.number)
        return try await drive(
            .undo(expected: found, run: own.run), there, store, Standing(intent: intent))
    }

    /// Why an object that was tagged once could not be made free of the tag; nil where it is.
    func obstacle(untagging tagging: PlanStep) async throws -> String? {
        let (outcome, reason) = try await release(Planner.untag(tagging))
        return [.done, .confirmed].contains(outcome)
            ? nil : "its tag could not be taken off: \(reason ?? outcome.rawValue)"
    }

    // Where all were noted before there is nothing to write.
    private func note(
        _ taggings: [StandingTag], _ step: PlanStep, _ reason: String
    ) async throws -> (StepOutcome, String?) {
        let standing = taggings.filter { !$0.isOff }
        for tagging in standing {
            let intent = try await journal.intend(step, undoes: tagging.number)
            _ = try await journal.end(step, intent, .done, reason)
        }
        return (standing.isEmpty ? .confirmed : .done, reason)
    }

    /// Finishes what was left open behind its intent; `tagged` is the run whose tag it is about.
    func resume(_ entry: JournalEntry, tagged: RunID) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(entry.step, job, tagged), let store = place.bucket.tags else {
            return try await journal.leaveOpen(
                entry.step, entry.number, StepJournal.noBucket)
        }
        let machine: ObjectTagging
        if entry.undoes != nil {
            machine = .undo(expected: place.expected, run: tagged)
        } else if let proof = ReversibleProof(planned: entry.step) {
            machine = ObjectTagging(expected: place.expected, run: tagged, proof: proof)
        } else {
            return try await journal.unproved(entry.step, entry.number)
        }
        return try await drive(
            machine.resume(), place, store, Standing(intent: entry.number))
    }

    /// What the journal holds of the step so far.
    private struct Standing {
        var intent: Int64?
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: ObjectTagging, _ place: ActPlace, _ store: any TagStore, _ standing: Standing
    ) async throws -> (StepOutcome, String?) {
        var (machine, standing) = (start, standing)
        var action = machine.start
        while true {
            switch action {
            // What has its tag already is as it should be, and nothing was done.
            case .finish(.confirmed, let reason): return (.confirmed, reason)
            case .finish(let outcome, let reason):
                return try await journal.end(place.step, standing.intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(place.step, standing.intent, reason)
            case .tag: standing.intent = try await journal.intend(place.step)
            case .readOwners, .head, .readTag, .untag: break
            }
            action = machine.handle(await perform(action, place, store))
        }
    }

    // What is gone has no tag, and a store's answer to that is an error.
    private static func value(
        _ place: ActPlace, _ store: any TagStore
    ) async throws -> String? {
        do {
            return try await store.tagValue(place.key)
        } catch {
            if case .absent = await place.bucket.head(place.key) { return nil }
            throw error
        }
    }

    private func perform(
        _ action: ObjectTagging.Action, _ place: ActPlace, _ store: any TagStore
    ) async -> ObjectTagging.Event {
        let value = place.run.text
        do {
            switch action {
            case .readOwners:
                return .owners(await OwnerReader(job: job).answer(place.step, place.key))
            case .head: return .head(await place.bucket.head(place.key))
            case .readTag: return .value(try await Self.value(place, store))
            case .tag:
                return .moved(
                    try await store.tag(place.key, expecting: place.expected, value: value))
            case .untag:
                return .moved(
                    try await store.untag(place.key, expecting: place.expected, value: value))
            case .finish(_, let reason): return .failed(reason ?? "the step had ended")
            case .leaveOpen(let reason): return .failed(reason)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
