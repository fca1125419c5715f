import MooringModel

/// What a model reads in the fields of a row, where that is plain: no tombstone, an identifier and
/// a version without a doubt, and keys that are keys as they stand.
struct RowSQL {
    /// The table.
    let table: SparkTable
    /// The access levels.
    let levels: [AccessLevel]

    private static let ascii = "'^[\\\\x20-\\\\x7e]*+\\\\z'"
    /// Letters and digits of a moment in UTC that exists in every year, as all writers have it.
    static let moment =
        "'^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)"
        + "|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:[.][0-9]{3})?Z\\\\z'"
    private static let list =
        #"^ *+\[ *+(?:\]|"[^"\\\x80-\xff]*+"(?: *+, *+"[^"\\\x80-\xff]*+")*+ *+\])\z"#

    private func place(_ column: String?) -> Int? { column.flatMap(table.file.place) }
    private func field(_ place: Int) -> String { "f[\(place)]" }

    /// Whether the row is plain.
    var isPlain: String {
        if table.isWhole { return "false" }
        var conditions = ["size(f) = \(table.file.columns.count)"]
        for place in table.mapping.id.compactMap(place) {
            conditions.append("\(field(place)) <> '' AND \(field(place)) RLIKE \(Self.ascii)")
        }
        if let place = place(table.mapping.version) {
            conditions.append("\(field(place)) RLIKE '^[0-9]{0,18}\\\\z'")
        }
        if let place = place(table.mapping.deleted) {
            conditions.append("\(field(place)) IN ('', '0', 'false')")
        }
        if let place = place(table.mapping.changed) {
            let field = field(place)
            conditions.append(
                "(\(field) = '' OR \(field) RLIKE '^1[0-9]{9}(?:[0-9]{3})?\\\\z' "
                    + "OR \(field) RLIKE \(Self.moment))")
        }
        if let place = place(table.mapping.identity) {
            conditions.append(
                "\(field(place)) RLIKE \(Self.ascii) AND NOT contains(\(field(place)), '/')")
        }
        for file in table.mapping.files { conditions.append(isPlain(file)) }
        return "coalesce(" + conditions.joined(separator: "\n    AND ") + ", false)"
    }

    private func isPlain(_ file: FileField) -> String {
        guard let place = place(file.column) else { return "false" }
        let field = field(place)
        var plain: String
        if file.isList {
            plain =
                "\(field) RLIKE \(SQLText.text(Self.list)) AND "
                + "forall(\(elements(field)), v -> v = '' OR \(isKey("v")))"
        } else {
            plain = isKey(field)
        }
        if let level = level(of: file), level.tail != nil {
            guard let identity = self.place(table.mapping.identity) else { return "false" }
            plain += " AND \(self.field(identity)) <> ''"
        }
        return "(\(field) = '' OR \(plain))"
    }

    private func isKey(_ value: String) -> String {
        "length(\(value)) BETWEEN 1 AND 1024 AND left(\(value), 1) NOT IN ('/', '[', '{')"
    }

    private func elements(_ field: String) -> String {
        "regexp_extract_all(\(field), '\"([^\"]*)\"', 1)"
    }

    private func level(of file: FileField) -> AccessLevel? {
        guard case .named(let name) = file.level else { return nil }
        return levels.first { $0.name == name }
    }

    /// The references of a plain row: bucket and key, the form of the value and its field in one
    /// number, and what tells of the value.
    var references: String {
        let parts = table.mapping.files.enumerated().compactMap { number, file -> String? in
            guard let place = place(file.column) else { return nil }
            guard file.isList else {
                let value = field(place)
                return "if(\(value) <> '', array(\(reference(number, value))), array())"
            }
            return "transform(filter(\(elements(field(place))), v -> v <> ''), "
                + "v -> \(reference(number, "v")))"
        }
        guard !parts.isEmpty else {
            return "CAST(array() AS ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, "
                + "value: BIGINT>>)"
        }
        return parts.count == 1 ? parts[0] : "concat(\(parts.joined(separator: ",\n    ")))"
    }

    private func reference(_ number: Int, _ value: String) -> String {
        "named_struct('bucket', \(table.buckets[number]), "
            + "'key', encode(\(key(table.mapping.files[number], value)), 'ISO-8859-1'), "
            + "'form', \(8 * number) + CAST(2 * least(3, length(\(value)) - "
            + "length(replace(\(value), '/', ''))) + "
            + "if(right(\(value), 6) RLIKE '[.][^./]{1,5}\\\\z', 1, 0) AS INT), "
            + "'value', \(SQLText.need(.value, "0", value)))"
    }

    private func key(_ file: FileField, _ value: String) -> String {
        guard let level = level(of: file) else { return value }
        guard let tail = level.tail, let identity = place(table.mapping.identity) else {
            return "concat(\(SQLText.latin(level.head)), \(value))"
        }
        return "concat(\(SQLText.latin(level.head)), \(field(identity)), \(SQLText.latin(tail)), "
            + "\(value))"
    }

    /// The texts in which keys may stand that no field names.
    var texts: String {
        if table.file.form != .fields { return "t" }
        let keys = Set(table.mapping.files.filter { !$0.isList }.compactMap { place($0.column) })
        let others = table.file.columns.indices.filter { !keys.contains($0) }
        return "array(\(others.map(field).joined(separator: ", ")))"
    }

    /// What tells of what all spellings of the record's identifier have in common.
    var owner: String {
        let parts = table.mapping.id.compactMap(place).map(field).joined(separator: ", ")
        let common = "lower(regexp_replace(concat(\(parts)), '[^A-Za-z1-9]+', ''))"
        return SQLText.need(.owner, "\(table.model)", common)
    }

    /// When the record was changed; empty where it does not tell.
    var changed: String { place(table.mapping.changed).map(field) ?? "''" }

    /// The identity; empty where it names none.
    var identity: String { place(table.mapping.identity).map(field) ?? "''" }
}
