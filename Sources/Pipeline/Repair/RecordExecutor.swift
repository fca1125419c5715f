import MooringDecisions
import MooringLedger
import MooringModel

/// Writes a record, and what its write depends on is looked at before and behind it.
struct RecordExecutor: StepExecutor {
    let journal: StepJournal

    /// The record, and what is known of the write so far.
    struct Place: StepPlace {
        /// The write and what it depends on.
        let act: any RecordAct
        var change: RecordChange?
        /// The record as it was read last; nil before, and behind a crash.
        var reading: RecordReading?
        /// When the write was about to be sent that a crash left open.
        var sentAt: Instant?
        var step: PlanStep { act.context.step }
    }

    private struct Read {
        let answer: ReferenceAnswer
        var reading: RecordReading?
        var change: RecordChange?

        static func released(_ reason: String) -> Read { Read(answer: .released(reason)) }
    }

    func begin(_ step: PlanStep) async throws -> (SandwichWrite, Place) {
        let act: (any RecordAct)?
        do {
            act = try await RecordActs(rights: journal.rights).act(for: step)
        } catch let error as StoreError {
            throw StepEnd.finish(.failed, reason: "\(error)")
        }
        guard let act else {
            throw StepEnd.finish(
                .failed, reason: "its record, field or bucket is not configured")
        }
        return (try machine(step), Place(act: act))
    }

    // A crash before the write was sent looks like one while it was under way: the record's version
    // is then moved on once, and nothing else of it changes.
    func takeUp(_ entry: JournalEntry) async throws -> (SandwichWrite, Place) {
        guard let change = entry.change else {
            throw StepEnd.finish(.stale, reason: "interrupted before the write")
        }
        let act: (any RecordAct)?
        do {
            act = try await RecordActs(rights: journal.rights).act(for: entry.step)
        } catch let error as StoreError {
            throw StepEnd.leaveOpen(reason: "\(error)")
        }
        guard let act else { throw StepEnd.noRecord }
        let place = Place(act: act, change: change, sentAt: entry.intendedAt)
        return (try machine(entry.step).resume(), place)
    }

    private func machine(_ step: PlanStep) throws(StepEnd) -> SandwichWrite {
        if step.strategy == .deleteRecord {
            guard let proof = IrreversibleProof(planned: step) else { throw .unproved }
            return SandwichWrite(removing: proof)
        }
        guard let proof = ReversibleProof(planned: step) else { throw .unproved }
        return step.strategy == .requery
            ? SandwichWrite(refreshing: proof) : SandwichWrite(proof: proof)
    }

    func ask(
        _ question: SandwichWrite.Question, _ place: inout Place
    ) async -> SandwichWrite.Answer {
        switch question {
        case .readRecord:
            let read = await read(place.act, isLast: place.reading != nil)
            (place.change, place.reading) = (read.change, read.reading)
            return .record(read.answer)
        case .look: return .look(await place.act.look(place.reading))
        case .findWrite:
            guard let write = place.write else { return Self.noWrite }
            return .fate(await write.fate(mapping: place.act.context.mapping))
        }
    }

    func act(_ act: SandwichWrite.Act, _ place: Place) async -> SandwichWrite.Answer {
        guard let write = place.write else { return Self.noWrite }
        switch act {
        case .write: return await write.send()
        case .fence:
            let now = job.clock()
            return await write.fence(
                mapping: place.act.context.mapping, at: now, sentAt: place.sentAt ?? now)
        case .putBack: return await putBack(write.change, place.act.context)
        }
    }

    private static let noWrite = SandwichWrite.Answer.failed("the write could not be made")

    // The record is read anew for each attempt: what others wrote beside the field is no reason
    // to leave the change in.
    private func putBack(
        _ change: RecordChange, _ context: RecordContext
    ) async -> SandwichWrite.Answer {
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

extension RecordExecutor.Place {
    /// The write as it was made of the record; nil where none could be.
    fileprivate var write: RecordWrite? {
        change.map { RecordWrite(source: act.context.source, change: $0) }
    }
}

/// One text for the whole content of a row, which two reads are compared by.
private enum RowFingerprint {
    static func of(_ row: [FieldValue]) -> String {
        FindingIdentity.sha256(
            row.flatMap { Array($0.storageClass.utf8) + [0] + ($0.bytes ?? []) + [0xFF, 0] })
    }
}
