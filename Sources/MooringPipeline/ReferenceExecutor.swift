import MooringDecisions
import MooringLedger
import MooringModel

/// Drives `ReferenceNulling` against a real record and a real bucket.
struct ReferenceExecutor {
    /// The stores and mappings.
    let job: Job
    /// Where intent and outcome go.
    let journal: StepJournal

    private struct Row {
        let answer: ReferenceAnswer
        let change: RecordChange?
    }

    /// Nulls the step's reference.
    func nullify(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let context = Context(step, job) else {
            return try journal.end(
                step, nil, .failed, "its record, field or bucket is not configured")
        }
        guard let proof = ReversibleProof(planned: step) else {
            return try journal.unproved(step, nil)
        }
        return try await drive(ReferenceNulling(proof: proof), context, nil, intent: nil)
    }

    /// Finishes a nulling that was left open behind its intent.
    ///
    /// A crash before the write was sent looks like one while it was under way: the record's
    /// version is then moved on once, and nothing else of it changes.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        let step = entry.step
        guard let change = entry.change else {
            return try journal.end(step, entry.number, .stale, "interrupted before the write")
        }
        guard let context = Context(step, job) else {
            return try journal.end(
                step, entry.number, .failed,
                "interrupted; its record or bucket is no longer configured")
        }
        guard let proof = ReversibleProof(planned: step) else {
            return try journal.unproved(step, entry.number)
        }
        return try await drive(
            ReferenceNulling(proof: proof).resume(), context, change, intent: entry.number)
    }

    private func drive(
        _ start: ReferenceNulling, _ context: Context, _ written: RecordChange?, intent: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, change, intent) = (start, written, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try journal.end(context.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try journal.leaveOpen(context.step, intent, reason)
            case .readRecord:
                let row = await read(context)
                change = row.change
                action = machine.handle(.record(row.answer))
                continue
            case .write:
                if let change { intent = try journal.intend(context.step, change: change) }
            case .head, .findWrite, .fence, .putBack: break
            }
            action = machine.handle(await perform(action, change, context))
        }
    }

    // Every action but the read of the record, which brings a write with it.
    private func perform(
        _ action: ReferenceNulling.Action, _ change: RecordChange?, _ context: Context
    ) async -> ReferenceNulling.Event {
        if action == .head { return .head(await context.bucket.head(context.step.key)) }
        guard let change else { return .failed("the write could not be made") }
        let write = RecordWrite(source: context.source, change: change)
        switch action {
        case .write: return await write.send()
        case .findWrite: return .fate(await write.fate(mapping: context.mapping))
        case .fence: return await write.fence(mapping: context.mapping, at: job.clock())
        case .putBack: return await putBack(change, context)
        case .readRecord, .head, .finish, .leaveOpen:
            return .failed("an action came that is no write")
        }
    }

    // The record is read anew for each attempt: what others wrote beside the field is no reason
    // to leave the reference out.
    private func putBack(
        _ change: RecordChange, _ context: Context
    ) async -> ReferenceNulling.Event {
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return .failed("\(error)")
        }
        guard rows.count == 1, let reading = context.reader.read(rows[0]), !reading.isTombstone
        else { return .written(.stale("the record is gone")) }
        let row = Dictionary(
            zip(context.mapping.columns, rows[0]), uniquingKeysWith: { first, _ in first })
        let back = NullingChange.puttingBack(
            change, mapping: context.mapping, row: row, at: job.clock())
        guard let back else { return .written(.stale("the field holds another value")) }
        let event = await RecordWrite(source: context.source, change: back).send()
        guard case .written(.stale(let reason)) = event else { return event }
        return .failed(reason)
    }

    private func read(_ context: Context) async -> Row {
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return Row(answer: .unknown("\(error)"), change: nil)
        }
        guard rows.count == 1 else {
            return Row(
                answer: .released(
                    rows.isEmpty ? "the record is gone" : "several rows have this id"),
                change: nil)
        }
        guard let reading = context.reader.read(rows[0]), !reading.isTombstone else {
            return Row(answer: .released("the record is marked as deleted"), change: nil)
        }
        if let expected = context.step.precondition.recordVersion, reading.version != expected,
            !isOwnVersion(reading.version, context)
        {
            return Row(answer: .released("the record has another version now"), change: nil)
        }
        guard context.stillMeansKey(reading) else {
            return Row(answer: .released("the record holds another key now"), change: nil)
        }
        let row = Dictionary(
            zip(context.mapping.columns, rows[0]), uniquingKeysWith: { first, _ in first })
        let target = NullingChange.Target(
            id: reading.id, field: context.field, value: context.value,
            bucketNames: context.bucketNames)
        let change = NullingChange.nulling(
            target, mapping: context.mapping, row: row, at: job.clock())
        guard change != nil else {
            return Row(answer: .released("the record holds another key now"), change: nil)
        }
        return Row(answer: .held(token: RowFingerprint.of(rows[0])), change: change)
    }

    // An earlier step of the same plan moves the version of a record on, too.
    private func isOwnVersion(_ version: Int64?, _ context: Context) -> Bool {
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

/// The stores and mappings that one reference's repair works with.
private struct Context {
    let step: PlanStep
    let source: any RecordSource
    let bucket: any Bucket
    let mapping: ModelMapping
    let field: Int
    let value: [UInt8]
    let reader: RecordReader
    let identity: RecordIdentity
    let bucketNames: [String]
    let job: Job

    init?(_ step: PlanStep, _ job: Job) {
        guard let place = step.record, let value = step.precondition.value,
            let source = job.source(place.identity.source),
            let mapping = job.mapping(place.identity), let bucket = job.bucket(step.bucket),
            let field = mapping.files.firstIndex(where: { $0.field == place.field }),
            let reader = RecordReader(mapping: mapping, columns: mapping.columns)
        else { return nil }
        self.step = step
        self.source = source
        self.bucket = bucket
        self.mapping = mapping
        self.field = field
        self.value = value
        self.reader = reader
        self.identity = place.identity
        self.bucketNames =
            [step.bucket]
            + job.bucketMappings.filter { $0.name == step.bucket }.compactMap(\.storeName)
        self.job = job
    }

    func rows() async throws -> [[FieldValue]] {
        try await source.rows(
            table: mapping.table, idColumns: mapping.id, id: identity.id,
            columns: mapping.columns)
    }

    // Only a reference that can mean exactly one object may be nulled.
    func stillMeansKey(_ reading: RecordReading) -> Bool {
        let file = mapping.files[field]
        let own = reading.references.filter { $0.field == field && $0.value == value }
        // The same key in another bucket is another object, which may well be there.
        guard !own.isEmpty,
            own.allSatisfy({ job.bucketName(of: $0, field: file) == step.bucket })
        else { return false }
        let patterns = job.resolver.patterns(
            value: value, level: file.level, identity: reading.identity)
        return patterns == [.exact(step.key)]
    }
}

/// One text for the whole content of a row, which two reads are compared by.
private enum RowFingerprint {
    static func of(_ row: [FieldValue]) -> String {
        FindingIdentity.sha256(
            row.flatMap { Array($0.storageClass.utf8) + [0] + ($0.bytes ?? []) + [0xFF, 0] })
    }
}
