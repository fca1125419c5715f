import MooringModel
import MooringText

/// The tables of a database, as one transaction sees them.
///
/// Names are compared byte for byte.
struct Catalogue {
    /// A table, or what is read like one.
    struct Relation: Hashable, Sendable {
        /// The server's number of it.
        let oid: UInt32
        /// Its schema.
        let schema: [UInt8]
        /// Its name.
        let name: [UInt8]
        /// What it is.
        let kind: Kind
        /// Whether its rows are seen through another table as well.
        let isPartition: Bool
    }

    /// What a relation is, in the server's letters.
    enum Kind: UInt8, Sendable {
        case table = 0x72
        case partitioned = 0x70
        case materialized = 0x6D
        case view = 0x76
        case foreign = 0x66

        /// In words.
        var words: String {
            switch self {
            case .table, .partitioned: "table"
            case .materialized: "materialized view"
            case .view: "view"
            case .foreign: "foreign table"
            }
        }
    }

    /// The connection, in a transaction.
    let connection: PostgresConnection
    /// The schemas in which tables without one are looked for, in their order.
    let searchPath: [[UInt8]]

    /// The catalogue of the connection's database; a schema stands for the whole search path.
    init(_ connection: PostgresConnection, schema: String?) {
        self.connection = connection
        searchPath = schema.map { [Array($0.utf8)] } ?? connection.searchPath
    }

    /// Every relation but the server's own, by schema and name.
    func relations() throws(PostgresFailure) -> [Relation] {
        try relations(SQLText(), [])
    }

    /// The relation of exactly this name; throws with the nearest known names.
    func relation(_ spelled: String) throws(PostgresFailure) -> Relation {
        guard let name = TableName(parsing: spelled) else {
            throw PostgresFailure(
                "this is no name of a table",
                hint: "write TABLE or SCHEMA.TABLE, with a part that holds a dot or a quote in "
                    + "double quotes")
        }
        let namesakes = try relations(
            SQLText(" AND c.relname::pg_catalog.text = $1 COLLATE \"C\""), [name.name])
        if let found = find(name, among: namesakes) { return found }
        let known = try relations().map { relation in
            Array(self.name(of: relation).utf8)
        }
        throw PostgresFailure(
            "there is no such table" + Nearest.names(to: Array(spelled.utf8), among: known))
    }

    /// The name by which a relation is found: without its schema where that is enough.
    func name(of relation: Relation) -> String {
        let bare = TableName.spelled(schema: nil, relation.name)
        // Tables of one name in two schemas of the path are told apart by the schema.
        return searchPath.first == relation.schema
            ? bare : TableName.spelled(schema: relation.schema, relation.name)
    }

    private func find(_ name: TableName, among relations: [Relation]) -> Relation? {
        for schema in name.schema.map({ [$0] }) ?? searchPath {
            let found = relations.first { $0.schema == schema && $0.name == name.name }
            if let found { return found }
        }
        return nil
    }

    private func relations(
        _ condition: SQLText, _ parameters: [[UInt8]]
    ) throws(PostgresFailure) -> [Relation] {
        var sql = SQLText(
            """
            SELECT c.oid::pg_catalog.int8::pg_catalog.text, n.nspname::pg_catalog.text,
                c.relname::pg_catalog.text, c.relkind::pg_catalog.text,
                c.relispartition AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid
                        AND pg_catalog.to_jsonb(i) OPERATOR(pg_catalog.->>) 'inhdetachpending'
                            OPERATOR(pg_catalog.=) 'true')
            FROM pg_catalog.pg_class AS c
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND n.nspname <> 'information_schema'
                AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_')
            """)
        sql.append(condition)
        sql.append(" ORDER BY n.nspname, c.relname")
        let rows = try connection.query(sql, parameters)
        return (0..<rows.count).compactMap { row in
            guard let oid = rows.number(row, 0), let schema = rows.text(row, 1),
                let name = rows.text(row, 2), let letter = rows.text(row, 3)?.first,
                let kind = Kind(rawValue: letter)
            else { return nil }
            return Relation(
                oid: UInt32(truncatingIfNeeded: oid), schema: schema, name: name, kind: kind,
                isPartition: rows.isTrue(row, 4))
        }
    }
}

extension PostgresRows {
    /// A value that is the text of a whole number.
    func number(_ row: Int, _ column: Int) -> Int64? {
        text(row, column).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
