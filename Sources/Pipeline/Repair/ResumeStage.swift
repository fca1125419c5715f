import MooringDecisions
import MooringLedger
import MooringModel

/// Finishes the steps whose intent stands in the journal without an outcome: what a crash left.
struct ResumeStage {
    private let rights: ActingRights
    private let run: RunID
    private let writer: JournalWriter

    /// A stage that acts in a run.
    init(_ rights: ActingRights, run: RunID) {
        self.rights = rights
        self.run = run
        writer = JournalWriter(rights.job.ledger)
    }

    /// Ends every open intent; the caller holds the lock, so none of them is under way.
    func run(_ tell: (StepResult) -> Void) async throws {
        for entry in try rights.job.ledger.openIntents() {
            let journal = StepJournal(rights, writer, run: run, plan: entry.plan)
            let told =
                entry.step.strategy.traits.subject == .record
                ? try await end(record: entry, journal) : try await end(object: entry, journal)
            tell(
                StepResult(
                    step: entry.step, outcome: told.outcome, reason: told.reason))
        }
    }

    private func end(record entry: JournalEntry, _ journal: StepJournal) async throws -> StepEnding
    {
        if let place = entry.step.record, let source = rights.source(place.identity.source) {
            do {
                try await source.endInterruptedWrite()
            } catch let error as StoreError {
                return try await journal.end(
                    entry.step, entry.number, .leaveOpen(reason: "\(error)"))
            }
        }
        guard entry.undoes != nil else {
            return try await RecordExecutor(journal: journal).resume(entry)
        }
        return try await journal.end(entry.step, entry.number, await endUndo(entry))
    }

    private func end(object entry: JournalEntry, _ journal: StepJournal) async throws -> StepEnding
    {
        let step = entry.step
        // Of what an erasure removes beside objects, the next request finds what is left.
        if entry.plan == ErasureOrder.plan(of: entry.run), step.precondition.object == nil {
            return try await journal.end(
                step, entry.number,
                .finish(.stale, reason: "interrupted; run the deletion request again"))
        }
        switch step.strategy {
        case .quarantine, .delete:
            if let order = ErasureOrder(resuming: entry) {
                return try await EraseExecutor(journal: journal, order: order)
                    .resume(entry)
            }
            // Only a sweep names a quarantine, and a removal of an earlier version.
            if step.strategy == .delete, step.precondition.quarantinedBy != nil { break }
            return try await OrphanExecutor(journal: journal).resume(entry)
        case .tag, .untag: return try await TagExecutor(journal: journal).resume(entry)
        case .abort: return try await UploadExecutor(journal: journal).resume(entry)
        case .restore where step.undeletes:
            return try await UndeleteExecutor(journal: journal).resume(entry)
        case .restore: break
        default:
            return try await journal.end(
                step, entry.number, .finish(.stale, reason: "interrupted"))
        }
        return try await HeldObjectExecutor(journal: journal).resume(entry)
    }

    private func endUndo(_ entry: JournalEntry) async -> StepEnd {
        guard let change = entry.change, let place = entry.step.record,
            let source = rights.source(place.identity.source)
        else { return .noRecord }
        return await UndoWrite(write: RecordWrite(source: source, change: change))
            .fate(ifNot: .stale, "interrupted before the write")
    }
}
