import MooringFiles
import MooringModel

/// Reads records in columns, and makes lines of JSON of them. A row whose line needs an escape, or
/// is long, has no fields: it is handed on whole.
struct AttributeSQL {
    /// The table.
    let table: SparkTable
    /// What Spark is asked to read.
    let path: String

    // Characters of no more than one byte, of which some have to be escaped.
    private static let special = "'[\\\\x00-\\\\x1f\\\\x7f\"\\\\\\\\]'"

    /// Views of the files: `columns`, as they are; `members`, with a line of each row; and
    /// `fields`, as of a row of CSV: `f`, the attributes of the mapping, empty where a row lacks
    /// one; and `t`, the texts of all that no field of one key names.
    var statements: [String] {
        let (name, file) = ("r\(table.model)", table.file)
        let place = file.parts.count > 1 ? "substring_index(input_file_name(), '/', -1)" : "''"
        let cells = file.cells.sorted { $0.key < $1.key }.map { Cell(name: $0.key, kind: $0.value) }
        let texts = cells.enumerated().map { "\($1.text) AS c\($0)" }
        let members = cells.enumerated().map { $1.member("c\($0)") }
        let own = file.columns.map { column in
            let place = cells.firstIndex { Array($0.name.utf8) == column }
            return place.map { "coalesce(c\($0), '')" } ?? "''"
        }
        let keys = Set(table.mapping.files.filter { !$0.isList }.map(\.column))
        let others = cells.indices.filter { !keys.contains(cells[$0].name) }
            .map { "coalesce(c\($0), '')" }
        return [
            """
            CREATE OR REPLACE TEMPORARY VIEW columns_\(name) USING parquet
            OPTIONS (path \(SQLText.text(path)))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW members_\(name) AS
            SELECT *, concat('{', concat_ws(',', \(members.joined(separator: ",\n    "))), '}') AS s
            FROM (SELECT monotonically_increasing_id() AS pos, \(place) AS file,
              \(texts.joined(separator: ",\n  "))
              FROM columns_\(name))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW fields_\(name) AS
            SELECT pos, file, 0 AS odd, encode(s, 'ISO-8859-1') AS line,
              if(whole, array(\(own.joined(separator: ", "))), NULL) AS f,
              if(whole, array(\(others.joined(separator: ", "))), NULL) AS t
            FROM (SELECT *, length(s) <= \(LineSQL.longest) AND NOT contains(s, '\\\\') AS whole
              FROM members_\(name))
            """,
        ]
    }

    // One column.
    private struct Cell {
        let name: String
        let kind: ColumnKind

        // Its text, bytes as characters; null where there is none.
        var text: String {
            let column = "`\(name)`"
            switch kind {
            case .text: return "decode(CAST(\(column) AS BINARY), 'ISO-8859-1')"
            case .texts:
                let inner = quoted("decode(CAST(x AS BINARY), 'ISO-8859-1')")
                return "concat('[', array_join(transform(\(column), "
                    + "x -> coalesce(\(inner), 'null')), ','), ']')"
            case .moment: return moment(column) + ", 'Z')"
            case .clock: return moment(column) + ")"
            default: return "CAST(\(column) AS STRING)"
            }
        }

        private func moment(_ column: String) -> String {
            let text = "date_format(\(column), 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS')"
            return "concat(regexp_replace(\(text), '000\\\\z', '')"
        }

        // Its name and its value, from its text; null where there is none.
        func member(_ text: String) -> String {
            let value =
                switch kind {
                case .integer, .truth, .texts: text
                default: quoted(text)
                }
            return "concat('\"\(name)\":', \(value))"
        }

        private func quoted(_ text: String) -> String {
            "concat('\"', if(\(text) RLIKE \(AttributeSQL.special), array_join(transform("
                + "filter(split(\(text), '', -1), c -> c <> ''), c -> CASE WHEN ascii(c) < 32 "
                + "THEN concat('\\\\u00', lpad(hex(ascii(c)), 2, '0')) "
                + "WHEN c IN ('\"', '\\\\') THEN concat('\\\\', c) ELSE c END), ''), \(text)), "
                + "'\"')"
        }
    }
}
