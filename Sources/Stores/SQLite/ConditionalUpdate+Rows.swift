import MooringModel
import MooringText

// Rows that come and go as a whole.

extension ConditionalUpdate {
    /// Where a row was found: what addresses it, and the address's values.
    typealias Place = (address: RowAddress, values: [FieldValue])

    /// Removes the row that was found. Throws where rows of other tables refer to it by a foreign
    /// key, since they would go with it or refer to nothing; or where a trigger changes more.
    func remove(
        from table: Schema.Table, of schema: Schema, at row: Place,
        _ connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        if let other = try schema.referrer(to: table, at: row) {
            throw SQLiteFailure(
                "rows of table \(quotedName(other)) refer to it by a foreign key; "
                    + "nothing is removed")
        }
        var sql = SQLText("DELETE")
        sql.append(SQLText.from(table.name))
        sql.append(row.address.condition)
        let before = connection.totalChanges
        try connection.run(sql, row.values) { _ in }
        guard connection.changes == 1 else {
            throw SQLiteFailure("the table did not let the row go; a trigger may have kept it")
        }
        // Nobody proved anything of other rows, and a removal cannot be taken back. A virtual table
        // keeps its rows in others of its own.
        guard table.kind == .virtual || connection.totalChanges == before + 1 else {
            throw SQLiteFailure("a trigger changes other rows with it; nothing is removed")
        }
    }

    /// Inserts the row where there is none; returns why not.
    func insert(
        into table: Schema.Table, of schema: Schema, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> String? {
        let known = try schema.columns(of: table)
        // What the service said of the record stayed when its row went.
        let own = try parts(of: change.assignments, known, schema).own
        let columns = own.map(\.column)
        let search = RowSearch(
            table: table.name, idColumns: try schema.require(change.idColumns, among: known),
            id: change.id)
        let wanted = columns.map(SQLText.column)
        guard try search.rows(selecting: wanted, in: connection, limit: 1).isEmpty else {
            return "there is a record of this id"
        }
        // OR ABORT: no constraint may take another row away for it.
        var sql = SQLText("INSERT OR ABORT INTO main.")
        sql.append(name: table.name)
        sql.append(" (")
        let names = columns.map { column in
            var name = SQLText()
            name.append(name: column)
            return name
        }
        sql.append(names, separator: ", ")
        sql.append(") VALUES (")
        sql.append(columns.map { _ in SQLText("?") }, separator: ", ")
        sql.append(")")
        let values = own.map(\.value)
        try connection.run(sql, values) { _ in }
        guard try search.rows(selecting: wanted, in: connection, limit: 2) == [values] else {
            throw SQLiteFailure(
                "the columns' types or a trigger store other values than those written")
        }
        return nil
    }
}

extension Schema {
    /// A table with another row that refers to this one by a foreign key; nil where there is none.
    fileprivate func referrer(
        to table: Table, at row: ConditionalUpdate.Place
    ) throws(SQLiteFailure) -> [UInt8]? {
        for child in tables where child.kind == .table {
            for key in try foreignKeys(of: child, to: table) {
                let named = try values(of: key.to, in: table, at: row)
                // A part that is NULL is referred to by nobody.
                if named.contains(.null) { continue }
                if try refers(
                    child, key, of: table, named, except: child.name == table.name ? row : nil)
                {
                    return child.name
                }
            }
        }
        return nil
    }

    private func values(
        of columns: [[UInt8]], in table: Table, at row: ConditionalUpdate.Place
    ) throws(SQLiteFailure) -> [FieldValue] {
        var sql = SQLText("SELECT ")
        sql.append(columns.map(SQLText.column), separator: ", ")
        sql.append(SQLText.from(table.name))
        sql.append(row.address.condition)
        var values: [FieldValue] = []
        try connection.run(sql, row.values) { statement throws(SQLiteFailure) in
            for index in columns.indices { values.append(try statement.value(at: index)) }
        }
        return values
    }

    // A row that refers to itself goes as a whole. The table's own column stands first in each
    // comparison: SQLite compares by its collation and type, whatever those of the key are.
    private func refers(
        _ child: Table, _ key: (from: [[UInt8]], to: [[UInt8]]), of table: Table,
        _ values: [FieldValue], except own: ConditionalUpdate.Place?
    ) throws(SQLiteFailure) -> Bool {
        var sql = SQLText("SELECT 1")
        sql.append(SQLText.from(child.name))
        sql.append(", main.")
        sql.append(name: table.name)
        sql.append(" AS p WHERE ")
        let terms = zip(key.from, key.to).map { from, to in
            var column = SQLText("p.")
            column.append(name: to)
            var term = column
            term.append(" = ? AND ")
            term.append(column)
            term.append(" = ")
            term.append(SQLText.column(from))
            return term
        }
        sql.append(terms, separator: " AND ")
        if let own {
            sql.append(" AND NOT (")
            sql.append(own.address.terms, separator: " AND ")
            sql.append(")")
        }
        sql.append(" LIMIT 1")
        var isFound = false
        try connection.run(sql, values + (own?.values ?? [])) { _ in isFound = true }
        return isFound
    }
}
