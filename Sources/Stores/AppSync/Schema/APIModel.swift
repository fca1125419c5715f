import MooringSchema
import MooringModel

/// A model of an API: what a record of it holds, and by which operations it is read and written.
struct APIModel: Hashable, Sendable {
    /// A field that is read.
    struct Column: Hashable, Sendable {
        /// Its name.
        let name: String
        /// Its type.
        let type: SchemaType
        /// What a nested value holds; nil for a plain one.
        var nested: [Column]?

        /// Whether a condition can compare it with a value.
        var isComparable: Bool { nested == nil && !type.isList }
    }

    /// A query that gives all records, page by page.
    struct ListQuery: Hashable, Sendable {
        /// Its name.
        let name: String
        /// Whether it takes `limit`.
        var takesLimit = true
    }

    /// A query that gives one record.
    struct GetQuery: Hashable, Sendable {
        /// Its name.
        let name: String
        /// What it takes: the parts of the identifier.
        let arguments: [APISchema.Argument]
    }

    /// A mutation of one record.
    struct Mutation: Hashable, Sendable {
        /// Its name.
        let name: String
        /// The type of its input.
        let input: String
        /// The fields of the input; nil where the schema does not tell.
        var fields: Set<String>?
        /// The type of its condition; nil where it takes none.
        var condition: String?
        /// The fields of the condition; nil where the schema does not tell.
        var conditionFields: Set<String>?
        /// Those of them whose condition can say that there is no value; nil where the schema does
        /// not tell.
        var missableFields: Set<String>?
    }

    /// The type's name.
    let name: String
    /// The columns of the identifier.
    var id: [String]
    /// The fields that are read, in the schema's order.
    var columns: [Column]
    /// The queries that may give all its records: where the schema does not tell the name, every
    /// one that the API may have.
    var lists: [ListQuery] = []
    /// The query that gives one record.
    var get: GetQuery?
    /// Its mutations.
    var create, update, delete: Mutation?
    /// Whether the API detects conflicts in it, and sets the version and its kin itself. A project
    /// that once did may keep these columns as its own: then they are fields like any other.
    var isVersioned = false
    /// What of it cannot be read, in words without any content.
    var unreadable: [String] = []
    /// Its own fields that are unions or interfaces: nothing of them is read.
    var abstractFields: Set<String> = []

    /// The counter that the API itself moves on where it detects conflicts.
    static let version = "_version"
    /// The mark of a tombstone that the API itself sets.
    static let deleted = "_deleted"
    /// The time of the last change that the API itself sets.
    static let changed = "_lastChangedAt"
    /// The columns that nobody but the API writes where it detects conflicts.
    static let own = [version, deleted, changed]

    /// The column of a name.
    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// The columns that take no NULL, by their names.
    var limits: [String: ColumnLimit] {
        var limits: [String: ColumnLimit] = [:]
        for column in columns {
            if case .nonNull = column.type { limits[column.name] = .noNull }
        }
        return limits
    }

    /// The columns of names, each once, and those that the identifier and the version need.
    func selection(_ names: [String]) -> [Column] {
        let own = isVersioned ? [Self.version, Self.deleted] : []
        var seen: Set<String> = []
        return (names + id + own).filter { seen.insert($0).inserted }.compactMap(column)
    }
}

extension [APIModel.Column] {
    /// What a query names to get the columns: `id file { key }`.
    var selectionText: String {
        map { column in
            column.nested.map { "\(column.name) { \($0.selectionText) }" } ?? column.name
        }.joined(separator: " ")
    }
}
