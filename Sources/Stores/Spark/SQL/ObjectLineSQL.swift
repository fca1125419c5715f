import MooringModel

/// Takes attributes out of lines that are flat objects of JSON, or items of such attributes. A line
/// that takes more than a look, as one with a backslash, a nested object or an attribute twice, has
/// none: it is handed on whole. So is one with a name beyond ASCII, of which there may be another
/// form.
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
    private static let line =
        #"^ *+\{ *+(?:\}|"# + pair(value, " *+") + #"(?: *+, *+"# + pair(value, " *+")
        + #")*+ *+\}) *+\z"#
    private static let typed =
        #"\{"(?:S":"# + text + #"|N":""# + number + #""|BOOL":(?:true|false)|NULL":true|L":\[(?:"#
        + typedText + "(?:," + typedText + #")*+)?\])\}"#
    private static let typedText = #"\{"S":"# + text + #"\}"#
    private static let item =
        #"^\{"Item":\{(?:"# + pair(typed) + "(?:," + pair(typed) + #")*+)?\}\}\z"#

    private static func pair(_ value: String, _ blank: String = "") -> String {
        text + blank + ":" + blank + value
    }

    private var isItem: Bool { table.file.form == .item }

    // The names of a line, with their quotes, or the values of these.
    private func all(_ group: Int) -> String {
        let (value, blank) = isItem ? (Self.typed, "") : (Self.value, " *+")
        let member = "(\(Self.text))\(blank):\(blank)(\(value))"
        let all = "regexp_extract_all(s, \(SQLText.text(member)), \(group))"
        guard isItem, group == 2 else { return all }
        return "transform(\(all), x -> \(Self.untyped("x")))"
    }

    // A value of DynamoDB as a line of plain JSON has it.
    private static func untyped(_ value: String) -> String {
        func inner(_ head: Int, _ tail: Int) -> String {
            "substring(\(value), \(head + 1), length(\(value)) - \(head + tail))"
        }
        let texts = "regexp_extract_all(\(value), \(SQLText.text(#"\{"S":("# + text + #")\}"#)), 1)"
        return "CASE WHEN \(value) LIKE '{\"S\"%' THEN \(inner(5, 1)) "
            + "WHEN \(value) LIKE '{\"N\"%' THEN \(inner(6, 2)) "
            + "WHEN \(value) LIKE '{\"BOOL\"%' THEN \(inner(8, 1)) "
            + "WHEN \(value) LIKE '{\"L\"%' THEN concat('[', array_join(\(texts), ','), ']') "
            + "ELSE 'null' END"
    }

    /// Views of the fields of the lines that were read: `f`, as of a row of CSV, the attributes of
    /// the mapping, empty where an object lacks one or it is null; and `t`, the texts of all that
    /// no field of one key names, with the names that may be keys themselves.
    var statements: [String] {
        let name = "r\(table.model)"
        let columns = table.file.columns.map { column in
            Self.plain("v[array_position(n, \(Self.quoted(column))) - 1]")
        }
        // Without any there is no list of values to compare with.
        let keys =
            (["''"]
            + table.mapping.files.filter { !$0.isList }.map {
                Self.quoted(Array($0.column.utf8))
            }).joined(separator: ", ")
        // The type of each value stands in quotes, too.
        let quotes = (isItem ? 3 : 1) * LineSQL.mostQuotes
        let line = SQLText.text(isItem ? Self.item : Self.line)
        return [
            """
            CREATE OR REPLACE TEMPORARY VIEW members_\(name) AS
            SELECT pos, file, line,
              if(whole, \(all(1)), NULL) AS n, if(whole, \(all(2)), NULL) AS v
            FROM (SELECT *, length(s) <= \(LineSQL.longest) AND quotes <= \(quotes)
                AND NOT s RLIKE '[\\\\x00-\\\\x1f\\\\x7f]'
                AND s RLIKE \(line) AS whole FROM read_\(name))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW fields_\(name) AS
            SELECT pos, file, line, 0 AS odd,
              if(whole, array(\(columns.joined(separator: ",\n    "))), NULL) AS f,
              if(whole, transform(concat(
                  filter(v, (x, i) -> NOT coalesce(n[i] IN (\(keys)), false)),
                  filter(n, x -> x RLIKE '[\(KeyTemplate.signsOfFiles)]')),
                x -> \(Self.plain("x"))), NULL) AS t
            FROM (SELECT *, n IS NOT NULL AND size(array_distinct(n)) = size(n)
                AND NOT exists(n, x -> x RLIKE '[\\\\x80-\\\\xff]') AS whole
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
