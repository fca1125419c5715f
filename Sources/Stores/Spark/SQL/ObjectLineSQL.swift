import MooringModel

/// Takes attributes out of lines that are flat objects of JSON. A line that takes more than a look,
/// as one with a backslash, a nested object or an attribute twice, has none: it is handed on whole.
struct ObjectLineSQL {
    /// The table.
    let table: SparkTable

    // What was read is never given back, so that a long line costs no stack.
    private static let text = #""[^"\\]*+""#
    // As whoever keeps it as a number writes it again.
    private static let number =
        #"(?:0|-?[1-9][0-9]{0,17}|-?(?:0|[1-9][0-9]{0,8})[.][0-9]{0,3}[1-9])"#
    private static let list =
        #"\[ *+(?:\]|"# + text + #"(?: *+, *+"# + text + #")*+ *+\])"#
    private static let value = "(?:\(text)|\(number)|true|false|null|\(list))"
    private static let member = #"("[^"\\]*+") *+: *+("# + value + ")"
    private static let pair = text + " *+: *+" + value
    private static let line =
        #"^ *+\{ *+(?:\}|"# + pair + #"(?: *+, *+"# + pair + #")*+ *+\}) *+\z"#

    /// Views of the fields of the lines that were read: `f`, as of a row of CSV, the attributes of
    /// the mapping, empty where an object lacks one or it is null; and `t`, the texts of all that
    /// no field of one key names.
    var statements: [String] {
        let name = "r\(table.model)"
        func all(_ group: Int) -> String {
            "regexp_extract_all(s, \(SQLText.text(Self.member)), \(group))"
        }
        let columns = table.file.columns.map { column in
            Self.plain("v[array_position(n, \(Self.quoted(column))) - 1]")
        }
        // Without any there is no list of values to compare with.
        let keys =
            (["''"]
            + table.mapping.files.filter { !$0.isList }.map {
                Self.quoted(Array($0.column.utf8))
            }).joined(separator: ", ")
        return [
            """
            CREATE OR REPLACE TEMPORARY VIEW members_\(name) AS
            SELECT pos, file, line, if(whole, \(all(1)), NULL) AS n, if(whole, \(all(2)), NULL) AS v
            FROM (SELECT *, length(s) <= \(LineSQL.longest) AND quotes <= \(LineSQL.mostQuotes)
                AND NOT s RLIKE '[\\\\x00-\\\\x1f\\\\x7f]'
                AND s RLIKE \(SQLText.text(Self.line)) AS whole FROM read_\(name))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW fields_\(name) AS
            SELECT pos, file, line, 0 AS odd,
              if(whole, array(\(columns.joined(separator: ",\n    "))), NULL) AS f,
              if(whole, transform(filter(v, (x, i) -> NOT coalesce(n[i] IN (\(keys)), false)),
                x -> \(Self.plain("x"))), NULL) AS t
            FROM (SELECT *, n IS NOT NULL AND size(array_distinct(n)) = size(n) AS whole
              FROM members_\(name))
            """,
        ]
    }

    // A name as it stands in a line.
    private static func quoted(_ name: [UInt8]) -> String {
        SQLText.latin([UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")])
    }

    // A value without its quotes; empty where it is missing or null.
    private static func plain(_ value: String) -> String {
        "CASE WHEN \(value) LIKE '\"%' THEN substring(\(value), 2, length(\(value)) - 2) "
            + "WHEN \(value) <> 'null' THEN \(value) ELSE '' END"
    }
}
