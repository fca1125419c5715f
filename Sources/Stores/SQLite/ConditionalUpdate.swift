import MooringModel
import MooringText

/// A conditional write to one row: found, compared, written and read back under one write lock; or
/// removed, or inserted where there is none.
///
/// Values are compared here and not in SQL, so neither affinity, collation nor the encoding of the
/// database has a say.
struct ConditionalUpdate {
    /// What to write, and what must be there.
    let change: RecordChange
    /// The database that is written.
    let file: DatabaseFile

    /// A column of the table, and the value that it gets.
    typealias Assignment = (column: [UInt8], value: FieldValue)

    /// Writes, or changes nothing at all. Another process's lock is waited for, then a failure.
    /// Tells before it commits: until then a failure leaves nothing behind.
    func run(beforeCommit: () -> Void = {}) throws(SQLiteFailure) -> UpdateOutcome {
        guard change.assignments.isEmpty == (change.act == .delete) else {
            throw SQLiteFailure("the change assigns no column, or removes a row that it assigns")
        }
        try MountedFile.refuseSecondName(of: file.path)
        let connection = try SQLiteConnection(
            path: file.path, mode: .readWrite, busyTimeout: file.busyTimeout)
        defer { connection.close() }
        guard !connection.isReadOnly else {
            throw SQLiteFailure("this process may read the file but not write to it")
        }
        try connection.begin(immediately: true)
        defer { connection.rollBack() }
        if let reason = try write(connection) { return .stale(reason) }
        beforeCommit()
        try connection.execute("COMMIT")
        return .written
    }

    /// Writes in the open transaction; returns why the record is not as expected.
    private func write(
        _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> String? {
        let schema = try Schema(connection, device: file.device)
        let table = try schema.table(change.table)
        guard table.kind == .table || table.kind == .virtual else {
            throw SQLiteFailure("a \(table.kind.rawValue) cannot be written by a repair")
        }
        if let reason = try waiting(schema, connection) { return reason }
        guard change.act == .insert else { return try write(connection, table, in: schema) }
        return try insert(into: table, of: schema, connection)
    }

    private func write(
        _ connection: SQLiteConnection, _ table: Schema.Table, in schema: Schema
    ) throws(SQLiteFailure) -> String? {
        let known = try schema.columns(of: table)
        let (assigned, metadata) = try parts(of: change.assignments, known, schema)
        let address = try RowAddress(of: table, columns: known)
        let search = RowSearch(
            table: table.name, idColumns: try schema.require(change.idColumns, among: known),
            id: change.id)
        let found = try search.rows(
            selecting: address.columns
                + (try schema.selecting(change.expected.map(\.column), among: known)),
            in: connection, limit: 2)
        let difference = change.difference(rows: found.count) {
            found[0][address.columns.count + $0] == $1.value
        }
        if let difference { return difference }
        let place = Array(found[0].prefix(address.columns.count))
        if change.act == .delete {
            try remove(from: table, of: schema, at: (address, place), connection)
            return nil
        }
        let resolution = conflictResolution(
            assigned.map(\.column), known, try schema.constrainedColumns(of: table))
        if !assigned.isEmpty {
            let target = TriggerGuard.Target(
                schema: schema, table: table, known: known, row: (address, place))
            try assign(assigned, to: target, resolution: resolution)
        }
        try assignMetadata(metadata, of: table.name, at: (address, place), connection)
        return nil
    }

    /// What is written to the row itself, and what beside it.
    func parts(
        of assignments: [ColumnValue], _ known: [Schema.Column], _ schema: Schema
    ) throws(SQLiteFailure) -> (own: [Assignment], metadata: [(SyncColumn, FieldValue)]) {
        let names = try schema.require(assignments.map(\.column), among: known)
        var own: [Assignment] = []
        var metadata: [(SyncColumn, FieldValue)] = []
        for (name, assignment) in zip(names, assignments) {
            if let sync = known.first(where: { $0.name == name })?.sync {
                metadata.append((sync, assignment.value))
            } else {
                own.append((name, assignment.value))
            }
        }
        return (own, metadata)
    }

    /// Writes to the row, wants the app's triggers to leave alone what is mapped beside it, and
    /// reads it back.
    private func assign(
        _ assigned: [Assignment], to target: TriggerGuard.Target, resolution: String
    ) throws(SQLiteFailure) {
        let (table, row) = (target.table.name, target.row)
        let connection = target.schema.connection
        let (columns, values) = (assigned.map(\.column), assigned.map(\.value))
        var sql = SQLText("UPDATE \(resolution)main.")
        sql.append(name: table)
        sql.append(" AS m SET ")
        let setters = columns.map { column in
            var setter = SQLText()
            setter.append(name: column)
            setter.append(" = ?")
            return setter
        }
        sql.append(setters, separator: ", ")
        sql.append(row.address.condition)
        let triggers = try TriggerGuard(
            watching: sql, of: target, assigning: columns, mapped: file.mapped)
        defer { triggers.end() }
        try connection.run(sql, values + row.values) { _ in }
        guard connection.changes == 1 else {
            throw SQLiteFailure("the table did not take the change; a trigger may have skipped it")
        }
        // First: where a trigger took the row away, there is none to read back.
        try triggers.check()
        var check = SQLText("SELECT ")
        check.append(columns.map(SQLText.column), separator: ", ")
        check.append(SQLText.from(table))
        check.append(row.address.condition)
        var stored: [FieldValue] = []
        try connection.run(check, row.values) { statement throws(SQLiteFailure) in
            for index in columns.indices { stored.append(try statement.value(at: index)) }
        }
        guard stored == values else {
            throw SQLiteFailure(
                "the column's type or a trigger stores another value than the one written")
        }
    }

    /// `OR ABORT ` where a constraint of the table could resolve a conflict by deleting another
    /// row. Elsewhere nothing, because it would overrule the conflict clauses in the app's
    /// triggers as well.
    private func conflictResolution(
        _ assigned: [[UInt8]], _ known: [Schema.Column], _ constrained: [[UInt8]]
    ) -> String {
        let isAtRisk = known.contains { column in
            let isConstrained =
                column.primaryKeyPosition > 0 || constrained.contains(column.name)
            return isConstrained && (column.isGenerated || assigned.contains(column.name))
        }
        return isAtRisk ? "OR ABORT " : ""
    }
}

/// How one row of a table is named exactly, once it has been found.
struct RowAddress {
    /// The expressions whose values name a row.
    let columns: [SQLText]

    /// The rowid under a name that no column hides, or the primary key.
    init(of table: Schema.Table, columns known: [Schema.Column]) throws(SQLiteFailure) {
        guard !table.isWithoutRowID else {
            columns = known.filter { $0.primaryKeyPosition > 0 }.map { SQLText.column($0.name) }
            return
        }
        let taken = Set(known.map { String(decoding: $0.name, as: UTF8.self).lowercased() })
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else {
            throw SQLiteFailure("its columns hide the rowid, so that no row can be named exactly")
        }
        columns = [SQLText("m.\(name)")]
    }

    /// ` WHERE` the row is that one; takes the values of `columns` as parameters.
    var condition: SQLText {
        var sql = SQLText(" WHERE ")
        sql.append(terms, separator: " AND ")
        return sql
    }

    /// The conditions that the row is that one, a parameter in each.
    var terms: [SQLText] {
        columns.map { column in
            var term = column
            term.append(" COLLATE BINARY = ?")
            return term
        }
    }
}

extension SQLiteConnection {
    /// Runs a statement with parameters to its end.
    func run(
        _ sql: SQLText, _ values: [FieldValue],
        each: (SQLiteStatement) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let statement = try prepare(sql)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        while try statement.step() { try each(statement) }
    }
}
