/// Splits lines of CSV into fields. A line that takes more than splitting has no fields: it is
/// handed on whole.
struct LineSQL {
    // A field behind a comma, in quotes or without; what was read is never given back, so that a
    // long line costs no stack.
    private static let field = #","# + value
    private static let value = #"("[^"]*+(?:""[^"]*+)*+"|[^",]*+)"#
    private static let line = #"^(?:,(?:"[^"]*+(?:""[^"]*+)*+"|[^",]*+))*+\z"#
    /// Longer lines, in bytes, and those of more quotes, are read elsewhere.
    static let longest = 65_536
    static let mostQuotes = 400

    /// The number under which the file's views go.
    let name: String
    /// The file.
    let file: SparkFile
    /// What Spark is asked to read.
    let path: String

    /// Views of the file: `lines`, each with its place in its file, which is nameless where it is
    /// the only one; `read`, those behind the header, with their quotes; and of CSV `fields`, with
    /// how many quotes stand in each. A line keeps its bytes.
    var statements: [String] { lines + (file.form == .fields ? [fields] : []) }

    private var lines: [String] {
        let rows = file.header.map {
            "\n    WHERE line NOT IN (\(SQLText.bytes($0)), \(SQLText.bytes($0 + [0x0D])))"
        }
        let place = file.parts.isEmpty ? "''" : "substring_index(input_file_name(), '/', -1)"
        return [
            """
            CREATE OR REPLACE TEMPORARY VIEW text_\(name) USING text
            OPTIONS (path \(SQLText.text(path)), lineSep '\\n')
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW lines_\(name) AS
            SELECT monotonically_increasing_id() AS pos, \(place) AS file,
              CAST(value AS BINARY) AS line
            FROM text_\(name)
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW read_\(name) AS
            SELECT pos, file, line, s, length(s) - length(replace(s, '"', '')) AS quotes FROM (
              SELECT pos, file, line,
                if(right(d, 1) = chr(13), left(d, length(d) - 1), d) AS s FROM (
                SELECT pos, file, line, decode(line, 'ISO-8859-1') AS d
                FROM lines_\(name)\(rows ?? "")))
            """,
        ]
    }

    private var fields: String {
        let unquoted =
            "transform(regexp_extract_all(concat(',', s), \(SQLText.text(Self.field)), 1), x -> "
            + "if(startswith(x, '\"'), replace(substring(x, 2, length(x) - 2), '\"\"', '\"'), x))"
        return """
            CREATE OR REPLACE TEMPORARY VIEW fields_\(name) AS
            SELECT pos, file, line, quotes % 2 AS odd, CASE
              WHEN length(s) > \(Self.longest) OR quotes > \(Self.mostQuotes) THEN NULL
              WHEN s RLIKE '[\\\\x00-\\\\x1f\\\\x7f]' THEN NULL
              WHEN quotes = 0 THEN split(s, ',', -1)
              WHEN concat(',', s) RLIKE \(SQLText.text(Self.line)) THEN \(unquoted)
              END AS f
            FROM read_\(name)
            """
    }
}
