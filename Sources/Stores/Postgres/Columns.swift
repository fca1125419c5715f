import MooringModel
import MooringText

/// A column of a table.
struct Column: Sendable {
    /// Its name.
    let name: [UInt8]
    /// How its values travel.
    let form: ValueForm
    /// What the query turns its values into; nil where they travel as they are.
    let cast: String?
    /// The type behind its domains.
    let baseType: UInt32
    /// The type as a cast writes it, without the length that the column has.
    let type: [UInt8]
    /// Whether its value is computed.
    let isGenerated: Bool
    /// Whether only an override lets a statement say its value.
    let isIdentity: Bool
    /// Whether NULL may be written: neither the column, a domain of its type, nor a check of it
    /// alone says NOT NULL.
    let takesNull: Bool
    /// Whether its type can hold keys: characters, bytes, JSON, or lists of those.
    let holdsKeys: Bool

    /// The expression that reads it, of the table whose alias is `m`.
    var expression: SQLText {
        var sql = SQLText.column(name)
        if let cast { sql.append("::pg_catalog.\(cast)") }
        return sql
    }

    /// A value as the parameter of a statement: a text, or nil for NULL. Throws where the column
    /// cannot hold such a value.
    func parameter(_ value: FieldValue) throws(PostgresFailure) -> [UInt8]? {
        let text: [UInt8]
        switch value {
        case .null: return nil
        case .integer(let number): text = Array(String(number).utf8)
        case .real(let number): text = Array(String(number).utf8)
        case .text(let bytes): text = form.isNested ? try nested(bytes) : bytes
        case .blob(let bytes):
            guard form == .blob else { throw unfit }
            text = Self.hexadecimal(bytes)
        case .json(let bytes):
            guard form.isNested || form == .bool else { throw unfit }
            text = try nested(bytes)
        case .absent, .attribute: throw unfit
        }
        guard !text.contains(0) else {
            throw PostgresFailure("a text of PostgreSQL cannot hold a NUL")
        }
        return text
    }

    /// Whether a value that was read is the one that is meant. A nested column never holds a text,
    /// so a text there means the nested value that it writes; a time without a zone is one that an
    /// older journal wrote down as UTC.
    func holds(_ value: FieldValue, expected: FieldValue) -> Bool {
        if value == expected { return true }
        if form == .localTimestamp, case .text(let own) = value, case .text(let meant) = expected {
            return own + [UInt8(ascii: "Z")] == meant
        }
        guard form.isNested, case .json(let own) = value, case .text(let meant) = expected else {
            return false
        }
        return own == meant
    }

    private func nested(_ bytes: [UInt8]) throws(PostgresFailure) -> [UInt8] {
        guard case .array(let element) = form else { return bytes }
        guard let literal = JSONText.arrayLiteral(bytes, of: element) else { throw unfit }
        return literal
    }

    private var unfit: PostgresFailure {
        PostgresFailure(
            "column \(quotedName(name)) of type \(String(decoding: type, as: UTF8.self)) cannot "
                + "hold a value of that form")
    }

    /// Bytes as the server reads them.
    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        Array("\\x".utf8) + Hexadecimal.bytes(bytes)
    }
}

extension Catalogue {
    /// The columns of a relation, in their order.
    func columns(of relation: Relation) throws(PostgresFailure) -> [Column] {
        let rows = try connection.query(Self.columnQuery, [Array(String(relation.oid).utf8)])
        return (0..<rows.count).compactMap { row in
            guard let name = rows.text(row, 0), let type = rows.text(row, 1),
                let base = rows.number(row, 4)
            else { return nil }
            let own = TypeFacts(
                oid: UInt32(truncatingIfNeeded: base), letter: rows.text(row, 5)?.first ?? 0,
                category: rows.text(row, 6)?.first ?? 0)
            let element = rows.number(row, 7).map {
                TypeFacts(
                    oid: UInt32(truncatingIfNeeded: $0), letter: rows.text(row, 8)?.first ?? 0,
                    category: rows.text(row, 9)?.first ?? 0)
            }
            let travel = element.map { $0.travelAsElement } ?? own.travel
            return Column(
                name: name, form: travel.form, cast: travel.cast, baseType: own.oid, type: type,
                isGenerated: rows.text(row, 2)?.isEmpty == false,
                isIdentity: rows.text(row, 3) == [UInt8(ascii: "a")],
                takesNull: !rows.isTrue(row, 10),
                holdsKeys: (element ?? own).holdsKeys)
        }
    }

    /// The columns of these names; throws with the nearest known names.
    func require(_ names: [String], among columns: [Column]) throws(PostgresFailure) -> [Column] {
        var found: [Column] = []
        for name in names {
            let bytes = Array(name.utf8)
            guard let column = columns.first(where: { $0.name == bytes }) else {
                let nearest = Nearest.names(to: bytes, among: columns.map(\.name))
                throw PostgresFailure("there is no column \(quotedName(bytes))" + nearest)
            }
            found.append(column)
        }
        return found
    }

    // A domain stands for its type, and so does each that it is made of.
    private static func base(of type: String) -> String {
        """
        (WITH RECURSIVE chain AS (
            SELECT t.oid, t.typtype, t.typbasetype, t.typelem, t.typlen, t.typcategory
            FROM pg_catalog.pg_type AS t WHERE t.oid = \(type)
            UNION ALL
            SELECT t.oid, t.typtype, t.typbasetype, t.typelem, t.typlen, t.typcategory
            FROM chain JOIN pg_catalog.pg_type AS t ON t.oid = chain.typbasetype
            WHERE chain.typtype = 'd'
        ) SELECT * FROM chain WHERE typtype <> 'd')
        """
    }

    // Domains may lie one in the other, and each may say it in either way.
    private static let domainForbidsNull = """
        EXISTS (WITH RECURSIVE domains AS (
            SELECT t.oid, t.typtype, t.typbasetype, t.typnotnull
            FROM pg_catalog.pg_type AS t WHERE t.oid = a.atttypid
            UNION ALL
            SELECT t.oid, t.typtype, t.typbasetype, t.typnotnull
            FROM domains JOIN pg_catalog.pg_type AS t ON t.oid = domains.typbasetype
            WHERE domains.typtype = 'd'
        ) SELECT FROM domains WHERE typtype = 'd' AND (typnotnull OR EXISTS (
            SELECT FROM pg_catalog.pg_constraint AS k
            WHERE k.contypid = domains.oid AND k.contype = 'c' AND pg_catalog.starts_with(
                pg_catalog.pg_get_constraintdef(k.oid), 'CHECK ((VALUE IS NOT NULL))'))))
        """

    // The server writes a condition in one form only.
    private static let checkForbidsNull = """
        EXISTS (SELECT FROM pg_catalog.pg_constraint AS k
            WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND pg_catalog.starts_with(
                pg_catalog.pg_get_constraintdef(k.oid),
                pg_catalog.format('CHECK ((%I IS NOT NULL))', a.attname)))
        """

    private static let columnQuery = SQLText(
        """
        SELECT a.attname::pg_catalog.text, pg_catalog.format_type(a.atttypid, -1),
            a.attgenerated::pg_catalog.text, a.attidentity::pg_catalog.text,
            b.oid::pg_catalog.int8::pg_catalog.text, b.typtype::pg_catalog.text,
            b.typcategory::pg_catalog.text, e.oid::pg_catalog.int8::pg_catalog.text,
            e.typtype::pg_catalog.text, e.typcategory::pg_catalog.text,
            a.attnotnull OR \(domainForbidsNull) OR \(checkForbidsNull)
        FROM pg_catalog.pg_attribute AS a
            CROSS JOIN LATERAL \(base(of: "a.atttypid")) AS b
            LEFT JOIN LATERAL \(base(of: "b.typelem")) AS e
                ON b.typcategory = 'A' AND b.typlen = -1
        WHERE a.attrelid = $1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """)
}

/// What the catalogue says of a type.
private struct TypeFacts {
    let oid: UInt32
    /// `e` for an enumeration.
    let letter: UInt8
    let category: UInt8

    /// How a value travels, and what the query has to turn it into for that.
    var travel: (form: ValueForm, cast: String?) {
        if let form = Self.forms[oid] { return (form, nil) }
        return letter == UInt8(ascii: "e") ? (.text, nil) : (.text, "text")
    }

    /// The same of a list of such values.
    var travelAsElement: (form: ValueForm, cast: String?) {
        // The elements' own bytes: as text they would be spelled in hexadecimal.
        if oid == 17 { return (.array(.text), nil) }
        guard travel.cast == nil, Self.elements.contains(travel.form) else {
            return (.array(.text), "_text")
        }
        return (.array(travel.form), nil)
    }

    /// Numbers, times, truth values, addresses, ranges and the like hold no keys.
    var holdsKeys: Bool {
        category == UInt8(ascii: "S") || category == UInt8(ascii: "U")
            || category == UInt8(ascii: "E")
    }

    private static let elements: Set<ValueForm> = [
        .text, .integer, .number, .bool, .uuid, .json, .jsonb,
    ]

    // The numbers of the server's own types never change.
    private static let forms: [UInt32: ValueForm] = [
        16: .bool, 17: .blob, 19: .text, 20: .integer, 21: .integer, 23: .integer, 25: .text,
        26: .number, 114: .json, 700: .real, 701: .real, 1_042: .text, 1_043: .text,
        1_082: .date, 1_114: .localTimestamp, 1_184: .timestamp, 2_950: .uuid, 3_802: .jsonb,
    ]
}
