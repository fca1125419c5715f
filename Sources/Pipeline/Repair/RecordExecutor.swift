import MooringDecisions
import MooringLedger
import MooringModel

/// Drives `SandwichWrite` against a real record and what its write depends on.
struct RecordExecutor {
    /// The stores and mappings.
    let job: Job
    /// Where intent and outcome go.
    let journal: StepJournal

    private struct Read {
        let answer: ReferenceAnswer
        var reading: RecordReading?
        var change: RecordChange?

        static func released(_ reason: String) -> Read { Read(answer: .released(reason)) }
    }

    /// Writes the step's record.
    func carryOut(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        let act: any RecordAct
        do {
            guard let made = try await RecordActs(job: job).act(for: step) else {
                return try journal.end(
                    step, nil, .failed, "its record, field or bucket is not configured")
            }
            act = made
        } catch let error as StoreError {
            return try journal.end(step, nil, .failed, "\(error)")
        }
        guard let machine = machine(step) else { return try journal.unproved(step, nil) }
        return try await drive(machine, act, Standing())
    }

    /// Finishes a write that was left open behind its intent.
    ///
    /// A crash before the write was sent looks like one while it was under way: the record's
    /// version is then moved on once, and nothing else of it changes.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        let step = entry.step
        guard let change = entry.change else {
            return try journal.end(step, entry.number, .stale, "interrupted before the write")
        }
        let act: any RecordAct
        do {
            guard let made = try await RecordActs(job: job).act(for: step) else {
                return try journal.leaveOpen(step, entry.number, StepJournal.noRecord)
            }
            act = made
        } catch let error as StoreError {
            return try journal.leaveOpen(step, entry.number, "\(error)")
        }
        guard let machine = machine(step) else {
            return try journal.unproved(step, entry.number)
        }
        return try await drive(
            machine.resume(), act,
            Standing(change: change, intent: entry.number, sentAt: entry.intendedAt))
    }

    // Nil where nothing proves the step.
    private func machine(_ step: PlanStep) -> SandwichWrite? {
        if step.strategy == .deleteRecord {
            return IrreversibleProof(planned: step).map { SandwichWrite(removing: $0) }
        }
        if step.strategy == .requery {
            return ReversibleProof(planned: step).map { SandwichWrite(refreshing: $0) }
        }
        return ReversibleProof(planned: step).map { SandwichWrite(proof: $0) }
    }

    /// What the journal holds of the step so far.
    private struct Standing {
        var change: RecordChange?
        var intent: Int64?
        /// When the write was about to be sent.
        var sentAt: Instant?
    }

    private func drive(
        _ start: SandwichWrite, _ act: any RecordAct, _ before: Standing
    ) async throws -> (StepOutcome, String?) {
        var (machine, standing) = (start, before)
        var reading: RecordReading?
        var action = machine.start
        let step = act.context.step
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try journal.end(step, standing.intent, outcome, reason)
            case .leaveOpen(let reason):
                return try journal.leaveOpen(step, standing.intent, reason)
            case .readRecord:
                let read = await read(act, isLast: machine.position == .readingAgain)
                (standing.change, reading) = (read.change, read.reading)
                action = machine.handle(.record(read.answer))
                continue
            case .look:
                action = machine.handle(.look(await act.look(reading)))
                continue
            case .write:
                if let change = standing.change {
                    standing.intent = try journal.intend(step, change: change)
                }
            case .findWrite, .fence, .putBack: break
            }
            action = machine.handle(await perform(action, standing, act.context))
        }
    }

    // Every action that the journal's write is needed for.
    private func perform(
        _ action: SandwichWrite.Action, _ standing: Standing, _ context: RecordContext
    ) async -> SandwichWrite.Event {
        guard let change = standing.change else { return .failed("the write could not be made") }
        let write = RecordWrite(source: context.source, change: change)
        switch action {
        case .write: return await write.send()
        case .findWrite: return .fate(await write.fate(mapping: context.mapping))
        case .fence:
            let now = job.clock()
            return await write.fence(
                mapping: context.mapping, at: now, sentAt: standing.sentAt ?? now)
        case .putBack: return await putBack(change, context)
        case .readRecord, .look, .finish, .leaveOpen:
            return .failed("an action came that is no write")
        }
    }

    // The record is read anew for each attempt: what others wrote beside the field is no reason
    // to leave the change in.
    private func putBack(
        _ change: RecordChange, _ context: RecordContext
    ) async -> SandwichWrite.Event {
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return .failed("\(error)")
        }
        guard rows.count == 1, let reading = context.reader.read(rows[0]), !reading.isTombstone
        else { return .written(.stale("the record is gone")) }
        let row = context.named(rows[0])
        let back = FieldChange.puttingBack(
            change, mapping: context.mapping, row: row, at: job.clock())
        guard let back else {
            // Some stores read out for a while what was there before a write.
            return RecordWrite(source: context.source, change: change).isBefore(row)
                ? .failed("the record reads as before the write")
                : .written(.stale("the field holds another value"))
        }
        let event = await RecordWrite(source: context.source, change: back).send()
        guard case .written(.stale(let reason)) = event else { return event }
        return .failed(reason)
    }

    // The row as a whole is compared behind the look, right before the write.
    private func read(_ act: any RecordAct, isLast: Bool) async -> Read {
        let context = act.context
        if isLast,
            let objection = await RowTokenCheck(context: context, journal: journal).objection()
        {
            return Read(answer: objection)
        }
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return Read(answer: .unknown("\(error)"))
        }
        guard rows.count == 1 else {
            return .released(rows.isEmpty ? "the record is gone" : "several rows have this id")
        }
        guard let reading = context.reader.read(rows[0]), !reading.isTombstone else {
            return .released("the record is marked as deleted")
        }
        if let expected = context.step.precondition.recordVersion, reading.version != expected,
            !isOwnVersion(reading.version, context)
        {
            return .released("the record has another version now")
        }
        let change: RecordChange?
        do {
            change = try await act.change(reading, context.named(rows[0]), at: job.clock())
        } catch {
            return Read(answer: .unknown("\(error)"))
        }
        guard let change else { return .released(act.otherwise) }
        // Under another identifier nobody would find the record again, nor could it be taken back.
        guard !change.assignments.contains(where: { change.idColumns.contains($0.column) }) else {
            return .released("the field is a part of the record's identifier")
        }
        return Read(
            answer: .held(token: RowFingerprint.of(rows[0] + act.compared(change))),
            reading: reading, change: change)
    }

    // An earlier step of the same plan moves the version of a record on, too.
    private func isOwnVersion(_ version: Int64?, _ context: RecordContext) -> Bool {
        guard let plan = journal.plan, let version, let column = context.mapping.version else {
            return false
        }
        do {
            return try job.ledger.journal(about: context.identity).contains { entry in
                entry.plan == plan && entry.outcome == .done && entry.undoes == nil
                    && entry.change?.assignments.contains(
                        ColumnValue(column, .integer(version))) == true
            }
        } catch {
            // Without the journal nobody can say who wrote, and the step is stale.
            return false
        }
    }
}

/// One text for the whole content of a row, which two reads are compared by.
private enum RowFingerprint {
    static func of(_ row: [FieldValue]) -> String {
        FindingIdentity.sha256(
            row.flatMap { Array($0.storageClass.utf8) + [0] + ($0.bytes ?? []) + [0xFF, 0] })
    }
}
