import MooringModel
import MooringText

extension Catalogue {
    /// The foreign keys between tables, column by column, under every name that batches have for
    /// them: their own, and those that the configuration spells.
    func foreignColumns(spelled: [String]) throws(PostgresFailure) -> [ForeignColumn] {
        var names: [UInt32: Set<String>] = [:]
        for relation in try relations() { names[relation.oid] = [name(of: relation)] }
        for table in spelled {
            names[try relation(table).oid, default: []].insert(table)
        }
        let rows = try connection.query(Self.query, [])
        var found: [ForeignColumn] = []
        for row in 0..<rows.count {
            guard let child = rows.number(row, 0), let parent = rows.number(row, 1),
                let column = rows.text(row, 2), let targetColumn = rows.text(row, 3)
            else { continue }
            for table in names[UInt32(truncatingIfNeeded: child)] ?? [] {
                for target in names[UInt32(truncatingIfNeeded: parent)] ?? [] {
                    found.append(
                        ForeignColumn(
                            table: table, column: String(decoding: column, as: UTF8.self),
                            target: target,
                            targetColumn: String(decoding: targetColumn, as: UTF8.self)))
                }
            }
        }
        return found
    }

    private static let query = SQLText(
        """
        SELECT k.conrelid::pg_catalog.int8::pg_catalog.text,
            k.confrelid::pg_catalog.int8::pg_catalog.text, a.attname::pg_catalog.text,
            p.attname::pg_catalog.text
        FROM pg_catalog.pg_constraint AS k
            CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey),
                pg_catalog.unnest(k.confkey)) AS u(child, parent)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.child
            JOIN pg_catalog.pg_attribute AS p ON p.attrelid = k.confrelid AND p.attnum = u.parent
        WHERE k.contype = 'f'
        """)
}
