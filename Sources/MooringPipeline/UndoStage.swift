import MooringDecisions
import MooringLedger
package import MooringModel

/// Takes a run's repairs back, newest first, and finishes what a crash left open.
package struct UndoStage {
    private let job: Job
    private let run: RunID

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
    }

    /// A repair and whether it can be taken back.
    package struct Item: Hashable, Sendable {
        /// The repair's journal entry.
        package let entry: JournalEntry
        /// Why it cannot be taken back; nil when it can.
        package let obstacle: String?
    }

    /// The repairs of a run that were carried out, newest first.
    package func items(of repaired: RunID, step: String? = nil) throws -> [Item] {
        let entries = try job.ledger.journal(run: repaired)
        var items: [Item] = []
        for entry in entries.reversed()
        where entry.outcome == .done && (step == nil || entry.step.id == step) {
            items.append(Item(entry: entry, obstacle: try obstacle(entry)))
        }
        return items
    }

    private func obstacle(_ entry: JournalEntry) throws -> String? {
        if entry.undoes != nil { return "it is itself an undo; run mooring audit and plan again" }
        switch entry.step.strategy {
        case .quarantine, .nullify: break
        case .delete: return "a deleted object cannot be brought back"
        case .restore: return "a restored object is where a record references it"
        default: return "it changed nothing"
        }
        let isUndone = try job.ledger.journal(
            about: entry.step.bucket, key: entry.step.key
        ).contains { $0.undoes == entry.number && $0.outcome == .done }
        return isUndone ? "it was taken back before" : nil
    }

    /// Takes one repair back.
    package func undo(_ item: Item) async throws -> RepairStage.Result {
        let entry = item.entry
        let journal = StepJournal(ledger: job.ledger, clock: job.clock, run: run, plan: nil)
        if let obstacle = item.obstacle {
            return RepairStage.Result(step: entry.step, outcome: .stale, reason: obstacle)
        }
        let (outcome, reason): (StepOutcome, String?)
        if entry.step.strategy == .quarantine {
            var step = entry.step
            step.strategy = .restore
            step.precondition.quarantinedBy = entry.run
            (outcome, reason) = try await RestoreExecutor(job: job, journal: journal)
                .restore(step.sealed(), undoes: entry.number)
        } else {
            (outcome, reason) = try await putBack(entry, journal)
        }
        return RepairStage.Result(step: entry.step, outcome: outcome, reason: reason)
    }

    private func putBack(
        _ entry: JournalEntry, _ journal: StepJournal
    ) async throws -> (StepOutcome, String?) {
        guard let change = entry.change, let place = entry.step.record,
            let source = job.source(place.identity.source),
            let mapping = job.mapping(place.identity)
        else { return (.failed, "its record is no longer configured") }
        let reverse = NullingChange.reverse(
            try rebased(change, place.identity, mapping), mapping: mapping, at: job.clock())
        let intent = try journal.intend(entry.step, change: reverse, undoes: entry.number)
        let (outcome, reason): (StepOutcome, String?)
        do {
            switch try await source.update(reverse) {
            case .written: (outcome, reason) = (.done, nil)
            case .stale(let why): (outcome, reason) = (.stale, why)
            }
        } catch {
            (outcome, reason) = (.failed, "\(error)")
        }
        try journal.conclude(intent, outcome, reason)
        return (outcome, reason)
    }
}

extension UndoStage {
    // Our own later writes to the record moved its version and change time on, and so does every
    // undo of one of them; the field itself has to be as this repair left it.
    private func rebased(
        _ change: RecordChange, _ identity: RecordIdentity, _ mapping: ModelMapping
    ) throws -> RecordChange {
        let last = try job.ledger.journal(about: identity).last {
            $0.outcome == .done && $0.change?.table == change.table && $0.change?.id == change.id
        }
        let moved = [mapping.version, mapping.changed].compactMap { $0 }
        let latest = (last?.change?.assignments ?? []).filter { moved.contains($0.column) }
        return RecordChange(
            table: change.table, idColumns: change.idColumns, id: change.id,
            expected: change.expected,
            assignments: change.assignments.map { assignment in
                latest.first { $0.column == assignment.column } ?? assignment
            })
    }
}

/// Finishes the steps whose intent stands in the journal without an outcome: what a crash left.
package struct ResumeStage {
    private let job: Job
    private let run: RunID

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
    }

    /// Ends every open intent; the caller holds the lock, so none of them is under way.
    package func resume(_ tell: (RepairStage.Result) -> Void) async throws {
        for entry in try job.ledger.openIntents() {
            let journal = StepJournal(
                ledger: job.ledger, clock: job.clock, run: run, plan: entry.plan)
            let (outcome, reason): (StepOutcome, String?)
            switch entry.step.strategy {
            case .nullify where entry.undoes == nil:
                (outcome, reason) = try await ReferenceExecutor(job: job, journal: journal)
                    .resume(entry)
            case .nullify: (outcome, reason) = try await resumeUndo(entry, journal)
            default: (outcome, reason) = try await resumeMove(entry, journal)
            }
            tell(RepairStage.Result(step: entry.step, outcome: outcome, reason: reason))
        }
    }

    // An undo has no look afterwards: it is done when the record is as the undo writes it.
    private func resumeUndo(
        _ entry: JournalEntry, _ journal: StepJournal
    ) async throws -> (StepOutcome, String?) {
        guard let change = entry.change, let place = entry.step.record,
            let source = job.source(place.identity.source)
        else {
            try journal.conclude(entry.number, .failed, "its record is no longer configured")
            return (.failed, "its record is no longer configured")
        }
        let rows = try await source.rows(
            table: change.table, idColumns: change.idColumns, id: change.id,
            columns: change.assignments.map(\.column))
        let isWritten = rows == [change.assignments.map(\.value)]
        let reason = isWritten ? nil : "interrupted before the write"
        try journal.conclude(entry.number, isWritten ? .done : .stale, reason)
        return (isWritten ? .done : .stale, reason)
    }

    private func resumeMove(
        _ entry: JournalEntry, _ journal: StepJournal
    ) async throws -> (StepOutcome, String?) {
        let step = entry.step
        guard let bucket = job.bucket(step.bucket) else {
            try journal.conclude(entry.number, .failed, "its bucket is no longer configured")
            return (.failed, "its bucket is no longer configured")
        }
        let place = step.precondition.quarantinedBy ?? entry.run
        let held = await bucket.headQuarantined(step.key, run: place)
        let (outcome, reason) = await moveOutcome(entry, bucket, held)
        try journal.conclude(entry.number, outcome, reason)
        return (outcome, reason)
    }

    private func moveOutcome(
        _ entry: JournalEntry, _ bucket: any Bucket, _ held: HeadAnswer
    ) async -> (StepOutcome, String?) {
        let step = entry.step
        switch (step.strategy, held) {
        case (_, .unknown(let reason)): return (.failed, reason)
        case (.restore, .absent): return (.done, nil)
        case (.restore, .present): return (.stale, "interrupted before the move")
        case (.quarantine, .present(let version)):
            let owners = await OwnerReader(job: job).answer(
                step.precondition.owners, bucket: step.bucket, key: step.key)
            switch owners {
            case .unreferenced: return (.done, nil)
            case .referenced:
                return await putBack(
                    entry, bucket, version, "a record referenced the object meanwhile")
            case .unknown(let doubt):
                return await putBack(
                    entry, bucket, version, "its possible owners could not be read: \(doubt)")
            }
        case (.quarantine, .absent): return (.stale, "interrupted before the move")
        case (.delete, .present):
            return (.failed, "interrupted; the object stays in quarantine")
        case (.delete, .absent):
            if step.precondition.quarantinedBy != nil { return (.done, nil) }
            if case .present = await bucket.head(step.key) {
                return (.stale, "interrupted before the move")
            }
            return (.done, nil)
        default: return (.stale, "interrupted")
        }
    }

    private func putBack(
        _ entry: JournalEntry, _ bucket: any Bucket, _ version: ObjectVersion, _ why: String
    ) async -> (StepOutcome, String?) {
        do {
            switch try await bucket.restore(
                entry.step.key, run: entry.run, expecting: version)
            {
            case .done: return (.putBack, why)
            case .stale(let why): return (.failed, "it stays in quarantine: \(why)")
            }
        } catch {
            return (.failed, "it stays in quarantine: \(error)")
        }
    }
}
