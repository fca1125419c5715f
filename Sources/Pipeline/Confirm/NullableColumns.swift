import MooringDecisions
import MooringModel
import MooringReconcile

/// What the columns do not take that a nulling would write, read once in a run.
struct NullableColumns {
    /// The limits by source, table and column.
    private(set) var limits: [Table: [String: ColumnLimit]] = [:]

    /// A table of a source.
    struct Table: Hashable {
        /// The source's name in the configuration.
        let source: String
        /// The table, as the mapping spells it.
        let table: String
    }

    /// Asks the live sources of these models. Where one cannot tell, the write is tried.
    static func read(_ models: [SourceModel], _ job: Job) async throws -> NullableColumns {
        var columns = NullableColumns()
        for model in models {
            try job.interruption.check()
            let table = Table(source: model.source, table: model.mapping.table)
            guard columns.limits[table] == nil, let source = job.source(model.source),
                source.isLive
            else { continue }
            do {
                columns.limits[table] = try await source.columnLimits(table: table.table)
            } catch is StoreError {
                columns.limits[table] = [:]
            }
        }
        return columns
    }

    /// What keeps the key from being taken out of a field of a record; nil where nothing does.
    func need(toEmpty field: FileField, of model: SourceModel) -> ProofNeed? {
        switch limit(field.column, of: model) {
        case nil: return nil
        case .computed: return Self.computed
        case .noNull:
            // What lies inside the column is set there, and the column stays what it is.
            guard !field.isList, field.path.steps.isEmpty, field.empty == .null else { return nil }
            return ProofNeed(
                proof: "empty: \"\" at \(model.mapping.model).\(field.field), "
                    + "whose column takes no NULL",
                after: nil)
        }
    }

    /// What keeps a relation from being nulled; nil where nothing does.
    func need(toNull relation: Relation, of model: SourceModel) -> ProofNeed? {
        switch limit(relation.field, of: model) {
        case nil: nil
        case .computed: Self.computed
        case .noNull: ProofNeed(proof: "a column that takes NULL", after: nil)
        }
    }

    private static let computed = ProofNeed(
        proof: "a column whose value can be written", after: nil)

    private func limit(_ column: String, of model: SourceModel) -> ColumnLimit? {
        limits[Table(source: model.source, table: model.mapping.table)]?[column]
    }
}
