import MooringDecisions
import MooringModel

/// Drives `DeletionReversal` against a real bucket: takes back a deletion that somebody made, or,
/// as the undo of that, hides the object again.
struct DeletionExecutor {
    /// The stores.
    let job: Job
    /// Where intent and outcome go.
    let journal: ObjectJournal

    /// Brings the object back that the step's record references.
    func undelete(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(step, job, journal.run), let store = place.bucket.versions,
            let marker = step.precondition.basis.marker
        else {
            return try await journal.end(
                step, nil, .failed, "its bucket or delete marker is not named")
        }
        guard let proof = ReversibleProof(planned: step) else {
            return try await journal.unproved(step, nil)
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        let machine = DeletionReversal(expected: place.expected, marker: marker, proof: proof)
        return try await drive(machine, place, store, intent: nil)
    }

    /// Takes such a repair back: the object is hidden again where it is as it came back.
    func deleteAgain(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(entry.step, job, entry.run), let store = place.bucket.versions
        else { return (.failed, "its bucket is no longer configured, or keeps no versions") }
        let intent = try await journal.intend(entry.step, undoes: entry.number)
        return try await drive(.undo(expected: place.expected), place, store, intent: intent)
    }

    /// Finds out what was done that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(entry.step, job, entry.run), let store = place.bucket.versions
        else {
            return try await journal.leaveOpen(
                entry.step, entry.number, StepJournal.noBucket)
        }
        return try await drive(
            .resume(expected: place.expected, isUndo: entry.undoes != nil), place, store,
            intent: entry.number)
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: DeletionReversal, _ place: ActPlace, _ store: any VersionStore, intent: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try await journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(place.step, intent, reason)
            case .undelete: intent = try await journal.intend(place.step)
            case .readOwners, .readDeletion, .deleteAgain, .head: break
            }
            action = machine.handle(await perform(action, place, store))
        }
    }

    private func perform(
        _ action: DeletionReversal.Action, _ place: ActPlace, _ store: any VersionStore
    ) async -> DeletionReversal.Event {
        do {
            switch action {
            case .readOwners:
                let record = [place.step.record?.identity].compactMap { $0 }
                return .owners(
                    await OwnerReader(job: job).answer(
                        record, bucket: place.bucket.name, key: place.key))
            case .readDeletion: return .deletion(try await store.deletion(of: place.key))
            case .undelete(let deletion):
                return .moved(try await store.undelete(place.key, deletion))
            case .deleteAgain:
                return .moved(
                    try await store.deleteAgain(place.key, expecting: place.expected))
            case .head: return .head(await place.bucket.head(place.key))
            case .finish(_, let reason): return .failed(reason ?? "the step had ended")
            case .leaveOpen(let reason): return .failed(reason)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
