import MooringConfiguration
import MooringDecisions
import MooringModel

/// Drives `UploadAbort` against a real bucket: ends the abandoned uploads of a key for good.
struct UploadExecutor {
    /// The stores and the bounds.
    let job: Job
    /// Where intent and outcome go.
    let journal: ObjectJournal

    /// Ends the step's uploads, where none of them got a part within M.
    func abort(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let machine = machine(step), let store = store(step) else {
            return try await journal.unproved(step, nil)
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        return try await drive(machine, step, store, intent: nil)
    }

    /// Finds out what was done that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let store = store(entry.step) else {
            return try await journal.leaveOpen(
                entry.step, entry.number, StepJournal.noBucket)
        }
        guard let machine = machine(entry.step) else {
            return try await journal.unproved(entry.step, entry.number)
        }
        return try await drive(machine.resume(), entry.step, store, intent: entry.number)
    }

    private func store(_ step: PlanStep) -> (any UploadStore)? {
        step.bucket.flatMap(job.bucket)?.uploads
    }

    // Nil where nothing proves the step.
    private func machine(_ step: PlanStep) -> UploadAbort? {
        IrreversibleProof(planned: step).map { proof in
            let rule = UploadRule(race: job.objectRace(), now: job.clock())
            return UploadAbort(
                step.precondition.basis.uploads, partsBefore: rule.partsBefore, proof: proof)
        }
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: UploadAbort, _ step: PlanStep, _ store: any UploadStore, intent: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try await journal.end(step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(step, intent, reason)
            case .abort where intent == nil: intent = try await journal.intend(step)
            case .abort, .readParts: break
            }
            action = machine.handle(await perform(action, store))
        }
    }

    private func perform(
        _ action: UploadAbort.Action, _ store: any UploadStore
    ) async -> UploadAbort.Event {
        do {
            switch action {
            case .readParts(let upload): return .parts(try await store.parts(of: upload))
            case .abort(let upload, _): return .moved(try await store.abort(upload))
            case .finish(_, let reason): return .failed(reason ?? "the step had ended")
            case .leaveOpen(let reason): return .failed(reason)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
