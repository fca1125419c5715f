import MooringModel
import MooringText

/// A conditional write to one row: found and locked, compared, written and read back in one
/// transaction; or removed, or inserted where there is none.
///
/// Values are compared here and not in SQL, so that no collation has a say.
struct ConditionalUpdate {
    /// What to write, and what must be there.
    let change: RecordChange
    /// How long a statement and a wait for a lock may take, and where names are looked for.
    let options: PostgresOptions
    /// What the source reads, which no trigger may change beside a write.
    let mapping: RecordMapping

    /// Writes, or changes nothing at all. Tells before it commits: until then a failure leaves
    /// nothing behind.
    func run(
        _ connection: PostgresConnection, beforeCommit: () -> Void = {}
    ) throws(PostgresFailure) -> UpdateOutcome {
        guard change.assignments.isEmpty == (change.act == .delete) else {
            throw PostgresFailure("the change assigns no column, or removes a row that it assigns")
        }
        defer { connection.rollBack() }
        // Not READ WRITE: where transactions are read-only by default, somebody wants that.
        try connection.begin(
            "ISOLATION LEVEL READ COMMITTED",
            statementTimeout: options.statementTimeout ?? .seconds(30),
            lockTimeout: options.lockTimeout)
        // A process that is stopped in the middle must not hold the lock for long.
        try connection.execute("SET LOCAL idle_in_transaction_session_timeout TO '60s'")
        if let reason = try write(connection) { return .stale(reason) }
        beforeCommit()
        let tag = try connection.execute("COMMIT")
        guard tag == "COMMIT" else {
            throw PostgresFailure("the server rolled the transaction back")
        }
        return .written
    }

    // While a row is removed nobody makes keys and triggers for it, and while one is inserted,
    // nobody inserts another one of its id. An update needs neither, nor the right to lock.
    private static let locks: [RecordChange.Act: String] = [
        .delete: "ROW EXCLUSIVE", .insert: "SHARE ROW EXCLUSIVE",
    ]

    /// Writes in the open transaction; returns why the record is not as expected.
    private func write(_ connection: PostgresConnection) throws(PostgresFailure) -> String? {
        let catalogue = Catalogue(connection, schema: options.schema)
        let relation = try catalogue.relation(change.table)
        guard relation.kind == .table || relation.kind == .partitioned else {
            throw PostgresFailure("a \(relation.kind.words) cannot be written by a repair")
        }
        let isInsertion = change.act == .insert
        if let mode = Self.locks[change.act] {
            var lock = SQLText("LOCK TABLE ")
            lock.append(.relation(relation))
            lock.append(" IN \(mode) MODE")
            try connection.execute(lock)
        }
        let known = try catalogue.columns(of: relation)
        let target = Target(
            relation: relation, columns: known,
            search: RowSearch(
                relation: relation,
                idColumns: try catalogue.require(change.idColumns, among: known),
                id: change.id))
        try refuseRules(of: relation, connection)
        if isInsertion { return try insert(target, catalogue) }
        return try change(target, catalogue)
    }

    /// The table that is written, and how its row is found.
    struct Target {
        /// The table.
        let relation: Catalogue.Relation
        /// All its columns.
        let columns: [Column]
        /// Finds the row by its identifier.
        let search: RowSearch
    }

    private func change(
        _ target: Target, _ catalogue: Catalogue
    ) throws(PostgresFailure) -> String? {
        let expected = try catalogue.require(
            change.expected.map(\.column), among: target.columns)
        let assigned = try catalogue.require(
            change.assignments.map(\.column), among: target.columns)
        let found = try target.search.rows(
            selecting: expected, in: catalogue.connection, locking: true)
        let difference = change.difference(rows: found.count) {
            expected[$0].holds(found[0].values[$0], expected: $1.value)
        }
        if let difference { return difference }
        let row = found[0]
        let written = Set(assigned.map(\.name))
        for index in row.unrestorable.sorted()
        where change.act == .delete || written.contains(expected[index].name) {
            throw PostgresFailure(
                "column \(quotedName(expected[index].name)) holds a list that could not be brought "
                    + "back as it is: of several dimensions, not counted from 1, or with a JSON "
                    + "null in it")
        }
        if change.act == .delete {
            try remove(row, expected, target, catalogue.connection)
        } else {
            try assign(assigned, to: row, target, catalogue)
        }
        return nil
    }

    /// Writes to the row, wants the app's triggers to leave alone what is mapped beside it, and
    /// reads it back.
    private func assign(
        _ columns: [Column], to row: RowSearch.Row, _ target: Target, _ catalogue: Catalogue
    ) throws(PostgresFailure) {
        let connection = catalogue.connection
        try refuseReferred(columns, row, target.relation, connection)
        var sql = SQLText("UPDATE ")
        sql.append(.relation(target.relation))
        sql.append(" AS m SET ")
        let setters = columns.enumerated().map { index, column in
            var setter = SQLText.name(column.name)
            setter.append(" = $\(index + 3)")
            return setter
        }
        sql.append(setters, separator: ", ")
        sql.append(Self.atPlace)
        var values: [[UInt8]?] = row.place
        for (column, assignment) in zip(columns, change.assignments) {
            values.append(try column.parameter(assignment.value))
        }
        let triggers = try triggerGuard(target, assigning: columns, catalogue)
        let changed = try carryOut(sql, values, connection)
        guard changed == 1 else {
            throw PostgresFailure("the table did not take the change; a trigger may have kept it")
        }
        // First: where a trigger took the row away, there is none to read back.
        try triggers?.check()
        try readBack(columns, target, connection)
    }

    /// ` WHERE` the row is the one at `$1` and `$2`.
    static let atPlace = SQLText(
        " WHERE m.tableoid OPERATOR(pg_catalog.=) $1::pg_catalog.oid"
            + " AND m.ctid OPERATOR(pg_catalog.=) $2::pg_catalog.tid")

    /// Runs a statement as an app's session would, with the triggers that wait for the end of the
    /// transaction; gives the number of rows.
    func carryOut(
        _ sql: SQLText, _ values: [[UInt8]?], _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Int {
        try connection.useAppSettings(true)
        let changed = try connection.query(sql, values).changed
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
        try connection.useAppSettings(false)
        return changed
    }

    /// Wants the columns to hold what was assigned, in exactly one row.
    func readBack(
        _ columns: [Column], _ target: Target, _ connection: PostgresConnection
    ) throws(PostgresFailure) {
        let stored = try target.search.rows(selecting: columns, in: connection)
        let isAsMeant =
            stored.count == 1
            && columns.indices.allSatisfy {
                columns[$0].holds(
                    stored[0].values[$0], expected: change.assignments[$0].value)
            }
        guard isAsMeant else {
            throw PostgresFailure(
                "the columns' types or a trigger store other values than those written")
        }
    }
}
