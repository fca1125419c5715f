import MooringModel
import MooringText

/// Finds the rows of a table that have an identifier, byte for byte.
///
/// SQL narrows the rows down so that an index serves; the bytes are compared here, since a
/// collation may call other texts equal.
struct RowSearch {
    /// The relation that is searched.
    let relation: Catalogue.Relation
    /// The id columns, in the order of the identifier's parts.
    let idColumns: [Column]
    /// The identifier, a part for each id column.
    let id: RecordID

    /// A row that was found.
    struct Row {
        /// The table or partition that holds it, and its place there.
        let place: [[UInt8]]
        /// The values of the wanted columns, in their order.
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
        var terms: [Term] = []
        for (index, column) in idColumns.enumerated() {
            guard let term = try term(column, id.parts[index], number: index + 1) else {
                return []
            }
            terms.append(term)
        }
        guard try canBeHeld(terms, connection) else { return [] }
        let found = try connection.query(
            statement(wanted, terms, locking: locking), terms.map(\.value))
        return try matching(found, wanted)
    }

    /// Whether the parts can be values of their columns' types at all; else no row has them. Asked
    /// for itself, since a value of a row that cannot be told fails in the same way.
    private func canBeHeld(
        _ terms: [Term], _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Bool {
        guard terms.contains(where: \.mayFail) else { return true }
        let casts = terms.indices.map { "$\($0 + 1)::pg_catalog.\(terms[$0].type) IS NULL" }
        do {
            _ = try connection.query(
                SQLText("SELECT " + casts.joined(separator: ", ")), terms.map(\.value))
            return true
        } catch {
            guard error.isForeignValue else { throw error }
            return false
        }
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

    private func statement(_ wanted: [Column], _ terms: [Term], locking: Bool) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(places + (wanted + idColumns).map(\.expression), separator: ", ")
        sql.append(" FROM ")
        sql.append(.relation(relation))
        sql.append(" AS m WHERE ")
        sql.append(terms.map(\.sql), separator: " AND ")
        if locking { sql.append(" FOR UPDATE OF m") }
        return sql
    }

    // As the server writes it; any other spelling is another identifier.
    private static func isUUID(_ part: [UInt8]) -> Bool {
        part.count == 36
            && part.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-")
                    : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }

    /// The condition that a column may have a value, in the server's own equality.
    private struct Term {
        let sql: SQLText
        let value: [UInt8]
        let type: String
        /// Whether the server may find that the text is no value of the type.
        let mayFail: Bool
    }

    /// The condition for one column; nil where no value of its type has these bytes.
    private func term(
        _ column: Column, _ part: [UInt8], number: Int
    ) throws(PostgresFailure) -> Term? {
        guard !part.contains(0) || column.form == .blob else { return nil }
        let text = String(decoding: part, as: UTF8.self)
        let type: String
        var mayFail = false
        switch column.form {
        case .integer:
            guard Int64(text).map({ FieldValue.integer($0).bytes == part }) == true else {
                return nil
            }
            type = "int8"
        case .number:
            guard UInt32(text) != nil else { return nil }
            type = "oid"
        case .real:
            guard Double(text).map({ FieldValue.real($0).bytes == part }) == true else {
                return nil
            }
            (type, mayFail) = ("float8", true)
        case .bool:
            guard text == "true" || text == "false" else { return nil }
            type = "bool"
        case .uuid:
            guard Self.isUUID(part) else { return nil }
            type = "uuid"
        case .blob: type = "bytea"
        case .timestamp, .localTimestamp, .date:
            type = [1_082: "date", 1_114: "timestamp"][column.baseType] ?? "timestamptz"
            mayFail = true
        case .text:
            type = [19: "name", 1_042: "bpchar", 1_700: "numeric"][column.baseType] ?? "text"
            // The encoding of the database may lack a character, or it is none.
            mayFail = type == "numeric" || part.contains { $0 >= 0x80 }
        case .json, .jsonb, .array:
            throw PostgresFailure(
                "column \(quotedName(column.name)) of type "
                    + "\(String(decoding: column.type, as: UTF8.self)) cannot name a record")
        }
        var sql = SQLText.column(column.name)
        if type == "text" { sql.append("::pg_catalog.text") }
        sql.append(" = $\(number)::pg_catalog.\(type)")
        return Term(
            sql: sql, value: column.form == .blob ? Column.hexadecimal(part) : part, type: type,
            mayFail: mayFail)
    }
}
