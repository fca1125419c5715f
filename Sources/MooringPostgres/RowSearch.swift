import MooringModel

/// Finds the rows of a table that have an identifier, byte for byte.
///
/// SQL narrows the rows down so that an index serves; the bytes are compared here, since a
/// collation may call other texts equal.
struct RowSearch {
    /// Where the rows are.
    let relation: Catalogue.Relation
    /// The id columns.
    let idColumns: [Column]
    /// The identifier.
    let id: RecordID

    /// A row that was found.
    struct Row {
        /// The table or partition that holds it, and its place there.
        let place: [[UInt8]]
        /// The selected values.
        let values: [FieldValue]
        /// Which of them cannot be written back as they are.
        let unrestorable: Set<Int>
    }

    /// The selected values of every row that matches, locked until the transaction's end where that
    /// is wanted.
    func rows(
        selecting wanted: [Column], in connection: PostgresConnection, locking: Bool = false
    ) throws(PostgresFailure) -> [Row] {
        guard idColumns.count == id.parts.count, !idColumns.isEmpty else {
            throw PostgresFailure(
                "the identifier has \(id.parts.count) parts for \(idColumns.count) id columns")
        }
        guard let (sql, parameters) = try statement(wanted, locking: locking) else { return [] }
        let found: PostgresRows
        do {
            found = try connection.query(sql, parameters)
        } catch {
            // What cannot be a value of the column's type is in no row.
            guard error.isForeignValue else { throw error }
            return []
        }
        return try matching(found, wanted)
    }

    private func matching(
        _ found: PostgresRows, _ wanted: [Column]
    ) throws(PostgresFailure) -> [Row] {
        let first = Self.placeColumns.count
        var rows: [Row] = []
        for row in 0..<found.count {
            var matches = true
            for (index, part) in id.parts.enumerated() where matches {
                let bytes = found.bytes(row, first + wanted.count + index)
                matches =
                    try bytes.map { bytes throws(PostgresFailure) in
                        try idColumns[index].form.value(bytes).bytes == part
                    } ?? false
            }
            guard matches else { continue }
            var values: [FieldValue] = []
            var unrestorable: Set<Int> = []
            for (index, column) in wanted.enumerated() {
                guard let bytes = found.bytes(row, first + index) else {
                    values.append(.null)
                    continue
                }
                values.append(try column.form.value(bytes))
                if try !column.form.isRestorable(bytes) { unrestorable.insert(index) }
            }
            rows.append(
                Row(
                    place: (0..<first).map { found.text(row, $0) ?? [] }, values: values,
                    unrestorable: unrestorable))
        }
        return rows
    }

    // A view has no places, and nothing is written there.
    private static let placeColumns = [
        "m.tableoid::pg_catalog.int8::pg_catalog.text", "m.ctid::pg_catalog.text",
    ]

    private var places: [SQLText] {
        let hasPlaces = relation.kind != .view && relation.kind != .foreign
        return (hasPlaces ? Self.placeColumns : ["'0'", "''"]).map { SQLText($0) }
    }

    private func statement(
        _ wanted: [Column], locking: Bool
    ) throws(PostgresFailure) -> (sql: SQLText, parameters: [[UInt8]?])? {
        var sql = SQLText("SELECT ")
        sql.append(places + (wanted + idColumns).map(\.expression), separator: ", ")
        sql.append(" FROM ")
        sql.append(.relation(relation))
        sql.append(" AS m WHERE ")
        var parameters: [[UInt8]?] = []
        for (index, column) in idColumns.enumerated() {
            guard let term = try term(column, id.parts[index], number: index + 1) else {
                return nil
            }
            if index > 0 { sql.append(" AND ") }
            sql.append(term.sql)
            parameters.append(term.value)
        }
        if locking { sql.append(" FOR UPDATE OF m") }
        return (sql, parameters)
    }

    /// The condition that a column may have this value, in the server's own equality; nil where no
    /// value of its type has these bytes.
    private func term(
        _ column: Column, _ part: [UInt8], number: Int
    ) throws(PostgresFailure) -> (sql: SQLText, value: [UInt8])? {
        guard !part.contains(0) || column.form == .blob else { return nil }
        var sql = SQLText.column(column.name)
        let text = String(decoding: part, as: UTF8.self)
        var value = part
        switch column.form {
        case .integer:
            guard Int64(text).map({ FieldValue.integer($0).bytes == part }) == true else {
                return nil
            }
            sql.append(" = $\(number)::pg_catalog.int8")
        case .number:
            guard UInt32(text) != nil else { return nil }
            sql.append(" = $\(number)::pg_catalog.oid")
        case .real:
            guard Double(text).map({ FieldValue.real($0).bytes == part }) == true else {
                return nil
            }
            sql.append(" = $\(number)::pg_catalog.float8")
        case .bool: sql.append(" = $\(number)::pg_catalog.bool")
        case .uuid: sql.append(" = $\(number)::pg_catalog.uuid")
        case .blob:
            value = Column.hexadecimal(part)
            sql.append(" = $\(number)::pg_catalog.bytea")
        case .timestamp, .date:
            let type = [1_082: "date", 1_114: "timestamp"][column.baseType] ?? "timestamptz"
            sql.append(" = $\(number)::pg_catalog.\(type)")
        case .text:
            let type = [19: "name", 1_042: "bpchar", 1_700: "numeric"][column.baseType]
            if type == nil { sql.append("::pg_catalog.text") }
            sql.append(" = $\(number)::pg_catalog.\(type ?? "text")")
        case .json, .jsonb, .array:
            throw PostgresFailure(
                "column \(quoted(column.name)) of type "
                    + "\(String(decoding: column.type, as: UTF8.self)) cannot name a record")
        }
        return (sql, value)
    }
}
