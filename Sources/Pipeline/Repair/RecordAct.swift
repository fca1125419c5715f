import MooringDecisions
import MooringModel

/// One kind of write to a record, with that on which it depends.
protocol RecordAct: Sendable {
    /// The record and its mapping.
    var context: RecordContext { get }
    /// What is found where the record is no longer as it was judged, for the step's outcome.
    var otherwise: String { get }

    /// The write to a record as it was read; nil where it is no longer as it was judged. Throws
    /// `StoreError` where that could not be found out.
    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) async throws -> RecordChange?

    /// Looks at that on which the write depends; the reading is nil behind a crash.
    func look(_ reading: RecordReading?) async -> LookAnswer

    /// What of a write has to come out alike in both reads, beside the record itself.
    func compared(_ change: RecordChange) -> [FieldValue]
}

extension RecordAct {
    /// Nothing: most writes follow from the record alone.
    func compared(_ change: RecordChange) -> [FieldValue] { [] }
}

/// The record that a step writes, with its source and mapping.
struct RecordContext: Sendable {
    /// The step.
    let step: PlanStep
    /// The rights under which it is written.
    let rights: ActingRights
    /// The record.
    let identity: RecordIdentity
    /// Where the record lies.
    let source: any ActingRecordSource
    /// How its model is mapped.
    let mapping: ModelMapping
    /// The columns that are read, in their order.
    let columns: [String]
    /// Reads rows of these columns.
    let reader: RecordReader

    /// The context of a step's record with these columns; nil where it is not configured.
    init?(_ step: PlanStep, _ rights: ActingRights, columns: [String]? = nil) {
        guard let identity = step.record?.identity, let source = rights.source(identity.source),
            let mapping = rights.job.mapping(identity)
        else { return nil }
        let columns = columns ?? mapping.columns
        guard let reader = RecordReader(mapping: mapping, columns: columns) else { return nil }
        self.step = step
        self.rights = rights
        self.identity = identity
        self.source = source
        self.mapping = mapping
        self.columns = columns
        self.reader = reader
    }

    /// The stores and mappings.
    var job: Job { rights.job }

    /// The same with every column that the record may have.
    func whole() async throws -> RecordContext? {
        RecordContext(
            step, rights,
            columns: try await source.columns(
                table: mapping.table, idColumns: mapping.id, id: identity.id))
    }

    /// Every row of the record, read now; more than one where its id is not unique.
    func rows() async throws -> [[FieldValue]] {
        try await source.rows(
            table: mapping.table, idColumns: mapping.id, id: identity.id, columns: columns)
    }

    /// A row by its columns' names; of a name that repeats, the first value.
    func named(_ row: [FieldValue]) -> FieldChange.Row {
        Dictionary(zip(columns, row), uniquingKeysWith: { first, _ in first })
    }

    /// Which of the model's `files` the step speaks of.
    var field: Int? { mapping.files.firstIndex { $0.field == step.record?.field } }
}

/// Makes the act of a step that writes a record.
struct RecordActs {
    /// By what they are carried out.
    let rights: ActingRights

    /// The act; nil where its record, field or bucket is not configured, or the step is no write
    /// of a record. Throws `StoreError` where the record's table cannot be looked at.
    func act(for step: PlanStep) async throws -> (any RecordAct)? {
        guard let context = RecordContext(step, rights) else { return nil }
        switch step.strategy {
        case .nullify where step.key == nil: return RelationNulling(context)
        case .nullify: return ReferenceNulling(context)
        case .repoint: return ReferenceRepointing(context)
        case .relink: return OrphanLinking(context)
        case .deleteRecord where step.key == nil:
            return try await context.whole().flatMap { ChildRemoval($0) }
        case .deleteRecord: return try await context.whole().flatMap { RecordRemoval($0) }
        case .requery where step.key == nil:
            return try await context.whole().flatMap { CopyRefresh($0) }
        default: return nil
        }
    }
}
