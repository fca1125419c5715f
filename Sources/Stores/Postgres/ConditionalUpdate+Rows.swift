import MooringModel
import MooringText

// Rows that come and go as a whole, and what would come and go with them.

extension ConditionalUpdate {
    /// Removes the row that was found. Throws where rows of other tables refer to it by a foreign
    /// key, since they would go with it or refer to nothing; where a trigger changes more; or where
    /// the row could not be brought back.
    func remove(
        _ row: RowSearch.Row, _ columns: [Column], _ target: Target,
        _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        let own = Array(String(target.relation.oid).utf8)
        guard target.relation.kind == .partitioned || row.place.first == own else {
            throw PostgresFailure(
                "the row lies in a table that inherits from this one, and could not be brought "
                    + "back there; nothing is removed")
        }
        try refuseUnrestorable(columns, connection)
        for key in try foreignKeys(to: target.relation, row, connection)
        where try key.isUsed(by: row.place, of: target.relation, connection) {
            throw PostgresFailure(
                "rows of table \(quotedName(key.child)) refer to it by a foreign key; nothing is "
                    + "removed")
        }
        let before = try changedRows(connection)
        var sql = SQLText("DELETE FROM ")
        sql.append(.relation(target.relation))
        sql.append(" AS m")
        sql.append(Self.atPlace)
        guard try carryOut(sql, row.place, connection) == 1 else {
            throw PostgresFailure("the table did not let the row go; a trigger may have kept it")
        }
        // Nobody proved anything of other rows, and a removal of them cannot be taken back.
        guard try changedRows(connection) == before + 1 else {
            throw PostgresFailure("a trigger changes other rows with it; nothing is removed")
        }
        guard try target.search.rows(selecting: [], in: connection).isEmpty else {
            throw PostgresFailure("a trigger put a row of this id in its place")
        }
    }

    /// Inserts the row where there is none; returns why not.
    func insert(_ target: Target, _ catalogue: Catalogue) throws(PostgresFailure) -> String? {
        let connection = catalogue.connection
        let columns = try catalogue.require(
            change.assignments.map(\.column), among: target.columns)
        guard try target.search.rows(selecting: [], in: connection).isEmpty else {
            return "there is a record of this id"
        }
        var sql = SQLText("INSERT INTO ")
        sql.append(.relation(target.relation))
        sql.append(" (")
        sql.append(columns.map { SQLText.name($0.name) }, separator: ", ")
        // A number that the table gave out itself is given back as it was.
        sql.append(columns.contains(where: \.isIdentity) ? ") OVERRIDING SYSTEM VALUE" : ")")
        sql.append(" VALUES (")
        sql.append(columns.indices.map { SQLText("$\($0 + 1)") }, separator: ", ")
        sql.append(")")
        var values: [[UInt8]?] = []
        for (column, assignment) in zip(columns, change.assignments) {
            values.append(try column.parameter(assignment.value))
        }
        guard try carryOut(sql, values, connection) == 1 else {
            throw PostgresFailure("the table did not take the row; a trigger may have kept it")
        }
        try readBack(columns, target, connection)
        return nil
    }

    /// Throws where the table's rules would do something else than the statement says.
    func refuseRules(
        of relation: Catalogue.Relation, _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        let event = [RecordChange.Act.update: "2", .insert: "3", .delete: "4"][change.act] ?? ""
        let rows = try connection.query(
            SQLText(
                """
                SELECT 1 FROM pg_catalog.pg_rewrite WHERE ev_class = $1::pg_catalog.oid
                    AND ev_type = '\(event)' AND ev_enabled <> 'D' LIMIT 1
                """), [Array(String(relation.oid).utf8)])
        guard rows.count == 0 else {
            throw PostgresFailure("a rule of the table rewrites such a statement")
        }
    }

    /// Throws where an assigned column is one by which rows of other tables refer to this one.
    func refuseReferred(
        _ columns: [Column], _ row: RowSearch.Row, _ relation: Catalogue.Relation,
        _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        let names = Set(columns.map(\.name))
        for key in try foreignKeys(to: relation, row, connection) {
            if let pair = key.pairs.first(where: { names.contains($0.parent) }) {
                throw PostgresFailure(
                    "table \(quotedName(key.child)) refers to column \(quotedName(pair.parent)) "
                        + "by a foreign key, so that it is not written")
            }
        }
    }

    // The same casts that a later insertion makes, so that nothing is removed which could not be
    // brought back value for value.
    private func refuseUnrestorable(
        _ columns: [Column], _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        guard !columns.isEmpty else { return }
        var sql = SQLText("SELECT ")
        var values: [[UInt8]?] = []
        var pieces: [SQLText] = []
        for (column, expectation) in zip(columns, change.expected) {
            values.append(try column.parameter(expectation.value))
            var piece = SQLText("($\(values.count)::")
            piece.append(spelled: column.type)
            piece.append(")")
            if let cast = column.cast { piece.append("::pg_catalog.\(cast)") }
            pieces.append(piece)
        }
        sql.append(pieces, separator: ", ")
        let rows = try connection.query(sql, values)
        for (index, column) in columns.enumerated() {
            let value: FieldValue =
                try rows.bytes(0, index).map { bytes throws(PostgresFailure) in
                    try column.form.value(bytes)
                } ?? .null
            guard column.holds(value, expected: change.expected[index].value) else {
                throw PostgresFailure(
                    "column \(quotedName(column.name)) could not be brought back as it is; "
                        + "nothing is removed")
            }
        }
    }

    /// How many rows this transaction changed so far, in every table, by whatever.
    private func changedRows(
        _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Int64 {
        let rows = try connection.query(
            SQLText(
                """
                SELECT pg_catalog.current_setting('track_counts') = 'on',
                    (SELECT COALESCE(pg_catalog.sum(n_tup_ins + n_tup_upd + n_tup_del), 0)
                        ::pg_catalog.int8::pg_catalog.text
                    FROM pg_catalog.pg_stat_xact_user_tables)
                """))
        guard rows.isTrue(0, 0), let count = rows.number(0, 1) else {
            throw PostgresFailure(
                "the server counts no changes (track_counts is off), so that nothing tells what a "
                    + "trigger changes with it; nothing is removed")
        }
        return count
    }
}

/// A foreign key that refers to a table.
struct ForeignKey {
    /// The table that refers, in words.
    let child: [UInt8]
    /// The same as SQL.
    let source: SQLText
    /// The columns by which it refers, with the operator that compares them.
    let pairs: [(parent: [UInt8], child: [UInt8], operator: SQLText)]

    /// Whether a row refers to the one at a place; one that refers to itself goes as a whole.
    func isUsed(
        by place: [[UInt8]], of relation: Catalogue.Relation, _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Bool {
        var sql = SQLText("SELECT 1 FROM ")
        sql.append(.relation(relation))
        sql.append(" AS m JOIN ")
        sql.append(source)
        sql.append(" AS c ON ")
        let terms = pairs.map { pair in
            var term = SQLText.column(pair.parent)
            term.append(" ")
            term.append(pair.operator)
            term.append(" c.")
            term.append(name: pair.child)
            return term
        }
        sql.append(terms, separator: " AND ")
        sql.append(ConditionalUpdate.atPlace)
        sql.append(" AND (c.tableoid <> m.tableoid OR c.ctid <> m.ctid) LIMIT 1")
        return try connection.query(sql, place).count > 0
    }
}

extension ConditionalUpdate {
    /// The foreign keys that refer to a table, or to its partition that holds the row.
    func foreignKeys(
        to relation: Catalogue.Relation, _ row: RowSearch.Row, _ connection: PostgresConnection
    ) throws(PostgresFailure) -> [ForeignKey] {
        let rows = try connection.query(
            Self.foreignKeyQuery, [Array(String(relation.oid).utf8), row.place[0]])
        var order: [[UInt8]] = []
        var keys: [[UInt8]: ForeignKey] = [:]
        for row in 0..<rows.count {
            let texts = (0..<7).map { rows.text(row, $0) ?? [] }
            var source = SQLText.name(texts[1])
            source.append(".")
            source.append(name: texts[2])
            var equals = SQLText("OPERATOR(")
            equals.append(name: texts[5])
            equals.append(".")
            equals.append(spelled: texts[6])
            equals.append(")")
            let pairs = (keys[texts[0]]?.pairs ?? []) + [(texts[3], texts[4], equals)]
            if keys[texts[0]] == nil { order.append(texts[0]) }
            keys[texts[0]] = ForeignKey(child: texts[2], source: source, pairs: pairs)
        }
        return order.compactMap { keys[$0] }
    }

    private static let foreignKeyQuery = SQLText(
        """
        SELECT k.oid::pg_catalog.int8::pg_catalog.text, n.nspname::pg_catalog.text,
            c.relname::pg_catalog.text, p.attname::pg_catalog.text, a.attname::pg_catalog.text,
            s.nspname::pg_catalog.text, o.oprname::pg_catalog.text
        FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.confkey),
                pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.conpfeqop))
                WITH ORDINALITY AS u(parent, child, equals, place)
            JOIN pg_catalog.pg_attribute AS p ON p.attrelid = k.confrelid AND p.attnum = u.parent
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.child
            JOIN pg_catalog.pg_operator AS o ON o.oid = u.equals
            JOIN pg_catalog.pg_namespace AS s ON s.oid = o.oprnamespace
        WHERE k.contype = 'f' AND k.confrelid IN ($1::pg_catalog.oid, $2::pg_catalog.oid)
        ORDER BY k.oid, u.place
        """)
}
