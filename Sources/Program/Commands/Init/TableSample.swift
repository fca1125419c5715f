import MooringModel
import MooringSQLite

/// A bounded sample of one table, which guesses rest on.
struct TableSample {
    /// The most rows that are looked at in a table.
    static let rowLimit = 2_000

    /// The table's name.
    let name: String
    /// The columns that name a record: the primary key, or `id`; none when there is neither.
    let id: [String]
    /// The names of its columns, as in `rows`.
    let columns: [String]
    /// The first rows, in the order in which the database gives them.
    let rows: [[FieldValue]]
    /// Why the table could not be read; nil when it could.
    let problem: String?

    /// Thrown to end a scan that has given enough rows.
    private struct Enough: Error {}

    /// Reads a table's first rows.
    init(of table: SQLiteTable, from source: SQLiteSource) async throws {
        name = table.name
        columns = table.columns.map(\.name)
        let fallback = columns.first { $0 == "id" }.map { [$0] } ?? []
        id = table.primaryKey.isEmpty ? fallback : table.primaryKey
        var rows: [[FieldValue]] = []
        var problem: String?
        do {
            let scope = RecordScope.columns([TableColumns(table: table.name, columns: columns)])
            let result = try await source.scan(scope) { batch in
                rows += batch.rows.prefix(Self.rowLimit - rows.count)
                if rows.count >= Self.rowLimit { throw Enough() }
            }
            problem = result.problems.first?.reason
        } catch is Enough {
            problem = nil
        }
        self.rows = rows
        self.problem = problem
    }

    /// The values of a column.
    func values(of column: String) -> [FieldValue] {
        guard let index = columns.firstIndex(of: column) else { return [] }
        return rows.map { $0[index] }
    }
}
