import MooringDecisions
import MooringModel
import MooringReconcile

// The acts on a record that belongs to one which is not there.

/// A relation that a step speaks of.
struct StepRelation: Sendable {
    /// The child, with its source and mapping.
    let context: RecordContext
    /// The child's column that holds the parent's identifier.
    let field: String
    /// The parent's identifier, as the child holds it.
    let value: [UInt8]
    /// Where the parent may lie.
    private let parents: [SourceModel]

    // Every way to cut a composite identifier is looked up, up to this many.
    private static let cutLimit = 64

    /// A step's relation; nil where the step names none, or no source has the parent's model.
    init?(_ context: RecordContext) {
        guard let value = context.step.precondition.value, let field = context.step.record?.field,
            let relation = context.mapping.relations.first(where: { $0.field == field })
        else { return nil }
        let models = context.job.models
        let targets = SourceModel.targets(
            of: relation, from: context.identity.source, among: models)
        guard !targets.isEmpty else { return nil }
        self.context = context
        self.field = field
        self.value = value
        parents = targets.map { models[$0] }
    }

    /// Whether the child names this parent still.
    func stands(in row: FieldChange.Row) -> Bool { row[field]?.bytes == value }

    /// Looks whether the parent is gone.
    func look() async -> LookAnswer {
        for parent in parents {
            guard let source = context.job.source(parent.source),
                let cuts = RecordID.cuts(
                    of: value, parts: parent.mapping.id.count, limit: Self.cutLimit)
            else { return .unknown("its parent cannot be looked up") }
            for id in cuts {
                let answer = await look(at: id, parent.mapping, in: source)
                guard answer == .asJudged else { return answer }
            }
        }
        return .asJudged
    }

    private func look(
        at id: RecordID, _ mapping: ModelMapping, in source: any RecordSource
    ) async -> LookAnswer {
        guard let reader = RecordReader(mapping: mapping, columns: mapping.columns) else {
            return .unknown("the mapping of \(mapping.model) names no id")
        }
        do {
            let rows = try await source.rows(
                table: mapping.table, idColumns: mapping.id, id: id, columns: mapping.columns)
            let times = BelievableTimes(
                now: context.job.clock(),
                race: context.job.objectRace(clock: context.rights.clock))
            for row in rows {
                guard let mark = reader.read(row)?.mark else {
                    return .otherwise("its parent is there")
                }
                guard mark.isClear(believing: times) else {
                    return .otherwise("its parent's mark of deletion is no clear yes")
                }
            }
            return .asJudged
        } catch {
            return .unknown("its parent could not be looked at: \(error)")
        }
    }
}

/// Nulls a relation to a record that is not there.
struct RelationNulling: RecordAct {
    let context: RecordContext
    private let relation: StepRelation

    /// The act of a step; nil where its relation is not configured.
    init?(_ context: RecordContext) {
        guard let relation = StepRelation(context) else { return nil }
        self.context = context
        self.relation = relation
    }

    var otherwise: String {
        "the record names another parent now, or its identifier or files depend on the field"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        guard relation.stands(in: row), let old = row[relation.field],
            !context.mapping.carries(relation.field)
        else { return nil }
        return FieldChange.change(
            reading.id, relation.field, (old, .null), in: (context.mapping, row), at: now)
    }

    func look(_ reading: RecordReading?) async -> LookAnswer { await relation.look() }
}

/// Removes a record whose parent is gone: what a cascade left, or a row that joins nothing.
struct ChildRemoval: RecordAct {
    let context: RecordContext
    private let relation: StepRelation

    /// The act of a step; nil where its relation is not configured.
    init?(_ context: RecordContext) {
        guard let relation = StepRelation(context) else { return nil }
        self.context = context
        self.relation = relation
    }

    var otherwise: String {
        "the record names another parent now, or cannot be marked as deleted"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        guard relation.stands(in: row) else { return nil }
        return RemovalChange.removing(reading.id, mapping: context.mapping, row: row, at: now)
    }

    // Its own files may be there, and the parent's absence says nothing about them.
    func look(_ reading: RecordReading?) async -> LookAnswer {
        let parent = await relation.look()
        guard parent == .asJudged, let reading else { return parent }
        return await RemovalLook(context).look(reading)
    }
}
