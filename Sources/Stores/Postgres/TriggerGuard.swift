import MooringModel
import MooringText

// What an app's triggers change beside the row that is written: nobody proved anything of it, and
// no undo brings it back.

extension ConditionalUpdate {
    /// What is mapped, as it is before a row is written; nil where no trigger of the row's table
    /// could change any of it. Throws where the server would not tell.
    func triggerGuard(
        _ target: Target, assigning assigned: [Column], _ catalogue: Catalogue
    ) throws(PostgresFailure) -> TriggerGuard? {
        let connection = catalogue.connection
        let own = Array(String(target.relation.oid).utf8)
        guard try connection.query(TriggerGuard.triggerQuery, [own]).count > 0 else { return nil }
        var tables = [target.relation.oid]
        var names: Set<[UInt8]> = []
        for model in mapping.models {
            // A table that is not there has no rows.
            guard let relation = try? catalogue.relation(model.table) else { continue }
            tables.append(relation.oid)
            guard relation.oid == target.relation.oid else { continue }
            let kept = model.columns.filter { $0 != model.version && $0 != model.changed }
            names.formUnion(kept.map { Array($0.utf8) })
        }
        let written = Set(assigned.map(\.name))
        let kept = target.columns.filter { names.contains($0.name) && !written.contains($0.name) }
        let list = "{" + tables.map(String.init).joined(separator: ",") + "}"
        return try TriggerGuard(
            target, keeping: kept, tables: [Array(list.utf8), own], connection)
    }
}

/// What is mapped, before one row of it is written.
///
/// The server counts the rows that a transaction changes, triggers' and those of subtransactions
/// that were rolled back too, table by table: PostgreSQL's documentation, "The Cumulative
/// Statistics System", pg_stat_xact_user_tables. A TRUNCATE is not counted, but gives the table
/// another file.
struct TriggerGuard {
    private struct Counts {
        let name: [UInt8]
        let isOwn: Bool
        let updated: Int64
        let deleted: Int64
        let file: [UInt8]?
    }

    private let target: ConditionalUpdate.Target
    private let kept: [Column]
    private let tables: [[UInt8]]
    private let values: [FieldValue]
    private let counts: [[UInt8]: Counts]
    private let connection: PostgresConnection

    /// The columns of the row, which is locked, and the counts of the tables.
    init(
        _ target: ConditionalUpdate.Target, keeping kept: [Column], tables: [[UInt8]],
        _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        self.target = target
        self.kept = kept
        self.tables = tables
        self.connection = connection
        values = try target.search.rows(selecting: kept, in: connection).first?.values ?? []
        counts = try Self.counts(tables, connection)
    }

    /// Throws where a trigger changed what is mapped beside the columns that were assigned.
    func check() throws(PostgresFailure) {
        let rows = try target.search.rows(selecting: kept, in: connection)
        guard let row = rows.first else {
            throw Self.refusal("takes the row away or changes its identifier")
        }
        guard rows.count == 1, row.values.count == values.count else {
            throw Self.refusal("adds a row of the same identifier")
        }
        if let place = kept.indices.first(where: { row.values[$0] != values[$0] }) {
            throw Self.refusal("changes column \(quotedName(kept[place].name))")
        }
        var own: (updated: Int64, deleted: Int64) = (0, 0)
        for (table, after) in try Self.counts(tables, connection) {
            let before = counts[table]
            let updated = after.updated - (before?.updated ?? 0)
            let deleted = after.deleted - (before?.deleted ?? 0)
            let isEmptied = before.map { $0.file != after.file } ?? false
            if after.isOwn, !isEmptied {
                own.updated += updated
                own.deleted += deleted
            } else if isEmptied || updated > 0 || deleted > 0 {
                throw Self.refusal("changes rows of \(quotedName(after.name))")
            }
        }
        // A row that moves to another partition counts as a removed one.
        guard own.updated + own.deleted > 1 else { return }
        let isOther = own.deleted > 0 ? true : try isAnotherNew(row)
        if isOther {
            throw Self.refusal("changes other rows of \(quotedName(target.relation.name))")
        }
    }

    // Whether any other row is as new as this transaction, its subtransactions included: one that
    // another transaction wrote since this one began counts too, which refuses more.
    private func isAnotherNew(_ row: RowSearch.Row) throws(PostgresFailure) -> Bool {
        var sql = SQLText("SELECT 1 FROM ")
        sql.append(.relation(target.relation))
        sql.append(
            """
             AS m WHERE pg_catalog.age(m.xmin) <= 0
                AND NOT (m.tableoid = $1::pg_catalog.oid AND m.ctid = $2::pg_catalog.tid) LIMIT 1
            """)
        return try connection.query(sql, row.place).count > 0
    }

    private static func counts(
        _ tables: [[UInt8]], _ connection: PostgresConnection
    ) throws(PostgresFailure) -> [[UInt8]: Counts] {
        let rows = try connection.query(countQuery, tables)
        var counts: [[UInt8]: Counts] = [:]
        for row in 0..<rows.count {
            guard rows.isTrue(row, 6) else {
                throw PostgresFailure(
                    "the server counts no changes (track_counts is off), so that nothing tells "
                        + "what a trigger changes with it; nothing is written")
            }
            guard let table = rows.text(row, 0), let name = rows.text(row, 1) else { continue }
            counts[table] = Counts(
                name: name, isOwn: rows.isTrue(row, 2), updated: rows.number(row, 3) ?? 0,
                deleted: rows.number(row, 4) ?? 0, file: rows.text(row, 5))
        }
        return counts
    }

    private static func refusal(_ what: String) -> PostgresFailure {
        PostgresFailure(
            "a trigger \(what) with it; nothing is written",
            hint: "make the change in the app itself")
    }

    /// Whether a table, or one whose rows are seen through it, has a trigger of the app's own.
    static let triggerQuery = SQLText(
        """
        WITH RECURSIVE t(oid) AS (
            SELECT $1::pg_catalog.oid
            UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN t ON i.inhparent = t.oid)
        SELECT 1 FROM pg_catalog.pg_trigger AS g JOIN t ON g.tgrelid = t.oid
        WHERE NOT g.tgisinternal AND g.tgenabled <> 'D' LIMIT 1
        """)

    // Of the tables at $1, and of those whose rows they or their views show; $2 is the one that is
    // written.
    private static let countQuery = SQLText(
        """
        WITH RECURSIVE o(oid) AS (
            SELECT $2::pg_catalog.oid
            UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN o ON i.inhparent = o.oid),
        e(above, below) AS (
            SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
            UNION ALL SELECT r.ev_class, d.refobjid FROM pg_catalog.pg_rewrite AS r
                JOIN pg_catalog.pg_depend AS d ON d.objid = r.oid
                    AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                    AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass),
        t(oid) AS (
            SELECT pg_catalog.unnest($1::pg_catalog.oid[])
            UNION SELECT e.below FROM e JOIN t ON e.above = t.oid)
        SELECT t.oid::pg_catalog.int8::pg_catalog.text, c.relname::pg_catalog.text,
            t.oid IN (SELECT oid FROM o), s.n_tup_upd::pg_catalog.int8::pg_catalog.text,
            s.n_tup_del::pg_catalog.int8::pg_catalog.text,
            c.relfilenode::pg_catalog.int8::pg_catalog.text,
            pg_catalog.current_setting('track_counts') = 'on'
        FROM t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid
            LEFT JOIN pg_catalog.pg_stat_xact_user_tables AS s ON s.relid = t.oid
        """)
}
