import MooringFiles

/// Reads the columns of an inventory, and makes lines of them as S3 writes these in CSV.
struct ColumnSQL {
    /// The number under which the files' views go.
    let name: String
    /// The files.
    let file: SparkFile
    /// What Spark is asked to read.
    let path: String
    /// How they are laid out.
    let format: ColumnFormat

    // What stands for itself where a key is URL-encoded, and needs no second quote.
    private static let plain = "'^[!#-$&-*,-~]*+\\\\z'"
    // Moments of ORC are what a clock showed, and a zone that sets its clocks has none for some.
    private static let steady =
        "reflect('java.util.TimeZone', 'getDefault') LIKE '%useDaylight=false%'"

    /// What a job says that runs in such a zone.
    static let unsteady = "the time zone of an executor sets its clocks"

    /// Views of the files: `columns`, as they are; and `fields`, with a line of each row, and what
    /// stands in it.
    var statements: [String] {
        let cells = file.columns.compactMap {
            InventoryCell(rawValue: String(decoding: $0, as: UTF8.self))
        }
        let columns = cells.map { "\($0.column) \(type($0))" }.joined(separator: ", ")
        let place = file.parts.count > 1 ? "substring_index(input_file_name(), '/', -1)" : "''"
        return [
            """
            CREATE OR REPLACE TEMPORARY VIEW columns_\(name) (\(columns))
            USING \(format == .orc ? "orc" : "parquet") OPTIONS (path \(SQLText.text(path)))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW fields_\(name) AS
            SELECT pos, file, 0 AS odd, f, encode(concat_ws(',',
                transform(f, x -> concat('"', replace(x, '"', '""'), '"'))), 'ISO-8859-1') AS line
            FROM (SELECT monotonically_increasing_id() AS pos, \(place) AS file,
              array(\(cells.map(text).joined(separator: ",\n    "))) AS f
              FROM columns_\(name))
            """,
        ]
    }

    private func type(_ cell: InventoryCell) -> String {
        switch cell.kind {
        case .integer: "BIGINT"
        case .truth: "BOOLEAN"
        // As a text ORC tells what the clock showed, whatever the zone of this machine.
        case .moment: format == .orc ? "STRING" : "TIMESTAMP"
        // As bytes: what is no UTF-8 stays what it is.
        default: "BINARY"
        }
    }

    // A cell as its line has it, without quotes; empty where there is none.
    private func text(_ cell: InventoryCell) -> String {
        let column = cell.column
        let text =
            switch cell.kind {
            case .moment: format == .orc ? clock(column) : moment(column)
            case .text where cell == .key:
                "if(decode(\(column), 'ISO-8859-1') RLIKE \(Self.plain), "
                    + "decode(\(column), 'ISO-8859-1'), "
                    + "regexp_replace(hex(\(column)), '(..)', '%$1'))"
            case .text: "decode(\(column), 'ISO-8859-1')"
            default: "CAST(\(column) AS STRING)"
            }
        return "coalesce(\(text), '')"
    }

    private func moment(_ column: String) -> String {
        let text = "date_format(\(column), 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS')"
        return "concat(regexp_replace(\(text), '000\\\\z', ''), 'Z')"
    }

    private func clock(_ column: String) -> String {
        "concat(replace(if(\(Self.steady), \(column), raise_error("
            + "\(SQLText.text(Self.unsteady)))), ' ', 'T'), 'Z')"
    }
}
