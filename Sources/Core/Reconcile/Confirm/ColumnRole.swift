import MooringDecisions
package import MooringModel

/// What is known of a source's texts beside the mapping.
package struct TextRules: Hashable, Sendable {
    /// The foreign keys that the database declares.
    package var foreignColumns: [ForeignColumn]
    /// Tables and columns that say what was, or list the bucket.
    package var notReferences: [Glob]

    /// Rules; none by default.
    package init(foreignColumns: [ForeignColumn] = [], notReferences: [Glob] = []) {
        self.foreignColumns = foreignColumns
        self.notReferences = notReferences
    }
}

/// An attribute of a source: what one `unmapped-reference` is about.
package struct Attribute: Hashable, Sendable {
    /// The source's name in the configuration.
    package let source: String
    /// The model, or the table where no model reads it.
    package let model: String
    /// The column; empty where no field is named.
    package let field: String

    /// The attribute of a place in a record.
    package init(_ place: RecordPlace) {
        source = place.identity.source
        model = place.identity.model
        field = place.field ?? ""
    }
}

/// What the mappings of a table, and the database, say about a column.
struct ColumnRole {
    /// Whether it holds keys.
    let isFile: Bool
    /// Whether what it holds says what was, and references nothing.
    let isPast: Bool
    // The models whose identifier it is, or to which it points.
    private let named: Set<String>

    /// The role of a column of a table, under the models that read the table.
    init(
        _ column: String, table: String, models: [ModelMapping],
        all: [SourceModel], rules: TextRules
    ) {
        isFile = models.contains { $0.files.contains { $0.column == column } }
        let own = models.filter { $0.id.contains(column) }.map(\.model)
        let declared = rules.foreignColumns.filter { $0.table == table && $0.column == column }
        let mapped = models.flatMap { $0.relations.filter { $0.field == column } }
        let targets = all.filter { model in
            declared.contains {
                $0.target == model.mapping.table && model.mapping.id.contains($0.targetColumn)
            }
        }
        named = Set(own + mapped.map(\.model) + targets.map(\.mapping.model))
        let names = [table, "\(table).\(column)"].map { ObjectKey($0) }
        isPast = rules.notReferences.contains { glob in names.contains { glob.matches($0) } }
    }

    /// Whether an identifier of a record of a model stands here for the record, and not for a key.
    func namesRecords(of model: ModelMapping) -> Bool { named.contains(model.model) }
}
