import GRDBSQLite
import MooringModel
import MooringText

/// Finds the rows of a table that have an identifier, byte for byte.
///
/// SQL narrows the rows down by the column's own affinity and collation, so that an index serves;
/// the bytes are compared here, since a collation may call other texts equal.
struct RowSearch {
    /// The table's name.
    let table: [UInt8]
    /// The id columns, each a column of the table.
    let idColumns: [[UInt8]]
    /// The identifier, a part for each id column.
    let id: RecordID

    /// The selected values of every row that matches, at most `limit` rows.
    func rows(
        selecting wanted: [SQLText], in connection: SQLiteConnection, limit: Int = .max
    ) throws(SQLiteFailure) -> [[FieldValue]] {
        guard idColumns.count == id.parts.count, !idColumns.isEmpty else {
            throw SQLiteFailure(
                "the identifier has \(id.parts.count) parts for \(idColumns.count) id columns")
        }
        let statement = try prepare(wanted, connection)
        var rows: [[FieldValue]] = []
        while rows.count < limit, try statement.step() {
            var matches = true
            for (index, part) in id.parts.enumerated() where matches {
                matches = try statement.value(at: wanted.count + index).bytes == part
            }
            guard matches else { continue }
            var row: [FieldValue] = []
            for index in 0..<wanted.count { row.append(try statement.value(at: index)) }
            rows.append(row)
        }
        return rows
    }

    private func prepare(
        _ wanted: [SQLText], _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        // A broken UTF-16 text reads as bytes that do not compare equal to it in SQL: look at all.
        if !connection.textIsUTF8, id.parts.joined().contains(where: { $0 >= 0x80 }) {
            return try connection.prepare(selection(wanted))
        }
        do {
            return try prepare(wanted, collation: "", connection)
        } catch {
            // The column's collation may be a function of the app's that is not there.
            guard error.primaryCode == SQLITE_ERROR else { throw error }
            return try prepare(wanted, collation: " COLLATE BINARY", connection)
        }
    }

    private func prepare(
        _ wanted: [SQLText], collation: String, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        var sql = selection(wanted)
        var values: [FieldValue] = []
        for (index, part) in id.parts.enumerated() {
            let spellings = Self.spellings(of: part)
            sql.append(index == 0 ? " WHERE " : " AND ")
            sql.append(SQLText.column(idColumns[index]))
            sql.append(collation + " IN (")
            sql.append(spellings.map { _ in SQLText("?") }, separator: ", ")
            sql.append(")")
            values += spellings
        }
        let statement = try connection.prepare(sql)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        return statement
    }

    private func selection(_ wanted: [SQLText]) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(wanted + idColumns.map(SQLText.column), separator: ", ")
        sql.append(SQLText.from(table))
        return sql
    }

    /// The values whose bytes are these: a column without affinity compares storage classes too.
    private static func spellings(of part: [UInt8]) -> [FieldValue] {
        var values: [FieldValue] = [.text(part), .blob(part)]
        let text = String(decoding: part, as: UTF8.self)
        if let number = Int64(text), FieldValue.integer(number).bytes == part {
            values.append(.integer(number))
        }
        if let number = Double(text), FieldValue.real(number).bytes == part {
            values.append(.real(number))
        }
        return values
    }
}
