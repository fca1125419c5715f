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
            let reason = "its record, field or bucket is not configured"
            try journal.conclude(step, .failed, reason)
            return (.failed, reason)
        }
        var machine = ReferenceNulling()
        var action = machine.start
        var intent: Int64?
        var change: RecordChange?
        while true {
            if case .finish(let outcome, let reason) = action {
                try conclude(step, intent, outcome, reason)
                return (outcome, reason)
            }
            if action == .readRecord {
                let row = await read(context)
                change = row.change
                action = machine.handle(.record(row.answer))
                continue
            }
            if action == .write, let change { intent = try journal.intend(step, change: change) }
            let answer = await perform(action, change, context)
            guard let event = await settled(answer, action, change, context) else {
                return Self.leftOpen(answer)
            }
            action = machine.handle(event)
        }
    }

    /// Finishes a nulling that a crash interrupted behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        guard let change = entry.change, let context = Context(entry.step, job) else {
            let reason = "interrupted; its record or bucket is no longer configured"
            try journal.conclude(entry.number, .failed, reason)
            return (.failed, reason)
        }
        guard try await isWritten(change, context) else {
            let reason = "interrupted before the write, or the record was written since"
            try journal.conclude(entry.number, .stale, reason)
            return (.stale, reason)
        }
        var machine = ReferenceNulling.resumeAfterWrite()
        var action = machine.start
        while true {
            if case .finish(let outcome, let reason) = action {
                try journal.conclude(entry.number, outcome, reason)
                return (outcome, reason)
            }
            let answer = await perform(action, change, context)
            guard let event = await settled(answer, action, change, context) else {
                return Self.leftOpen(answer)
            }
            action = machine.handle(event)
        }
    }

    // Every action but the read of the record, which brings a write with it.
    private func perform(
        _ action: ReferenceNulling.Action, _ change: RecordChange?, _ context: Context
    ) async -> ReferenceNulling.Event {
        if action == .head { return .head(await context.bucket.head(context.step.key)) }
        guard let change, action == .write || action == .putBack else {
            return .failed("the write could not be made")
        }
        let write =
            action == .write
            ? change
            : NullingChange.reverse(change, mapping: context.mapping, at: job.clock())
        do {
            return .written(try await context.source.update(write))
        } catch {
            return .failed("\(error)")
        }
    }

    private func conclude(
        _ step: PlanStep, _ intent: Int64?, _ outcome: StepOutcome, _ reason: String?
    ) throws {
        if let intent {
            try journal.conclude(intent, outcome, reason)
        } else {
            try journal.conclude(step, outcome, reason)
        }
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

    // What a write really did when its answer was lost; nil when that cannot be told now, or when
    // the reference has still to be put back.
    private func settled(
        _ event: ReferenceNulling.Event, _ action: ReferenceNulling.Action,
        _ change: RecordChange?, _ context: Context
    ) async -> ReferenceNulling.Event? {
        guard case .failed = event, let change else { return event }
        switch action {
        case .putBack: return nil
        case .write:
            do {
                return try await isWritten(change, context) ? .written(.written) : event
            } catch {
                return nil
            }
        default: return event
        }
    }

    // The intent stays without an outcome, so that the next run goes on from it: the reference
    // may be nulled, and whether its object is there has not been looked at, or not been heeded.
    private static func leftOpen(_ event: ReferenceNulling.Event) -> (StepOutcome, String?) {
        guard case .failed(let reason) = event else { return (.failed, LostAnswer.nextRun) }
        return (.failed, "\(reason); \(LostAnswer.nextRun)")
    }

    private func isWritten(_ change: RecordChange, _ context: Context) async throws -> Bool {
        let columns = change.assignments.map(\.column)
        let rows = try await context.source.rows(
            table: change.table, idColumns: change.idColumns, id: change.id, columns: columns)
        return rows == [change.assignments.map(\.value)]
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
