package import MooringModel

/// The Spark SQL that leaves out of records and listings what is plainly matched.
///
/// Each of its stages lies in a folder of its own, and the next one reads what the first and the
/// one before it wrote there:
/// - `rows` and `objects`: what was read, line by line, with what is plain in it;
/// - `boring`: objects that one reference means, and its row;
/// - `closed` and `gone`: the rows that are left out, and the objects that go with them;
/// - `handed-records` and `handed-objects`: the lines that are handed on, as hexadecimal digits,
///   each with the number of its model or bucket;
/// - `facts`: counts, and `done`, how many these are, which is written last.
package struct SparkScript: Sendable {
    /// The sources that Spark reads.
    package let tables: [SparkTable]
    /// The buckets that Spark reads.
    package let listings: [SparkListing]
    /// The access levels.
    package let levels: [AccessLevel]
    /// The folder of all stages, as Spark names it.
    package let work: String

    /// A script over these files.
    package init(
        tables: [SparkTable], listings: [SparkListing], levels: [AccessLevel], work: String
    ) {
        (self.tables, self.listings, self.levels) = (tables, listings, levels)
        self.work = work
    }

    /// The first stage: reads both sides, joins them, and leaves out what is plainly matched.
    package var first: [String] {
        read + join + end(of: 1, closed: plainlyMatched)
    }

    // MARK: Files between statements

    private static let references =
        "ARRAY<STRUCT<field: INT, bucket: INT, value: STRING, key: STRING>>"
    // The columns of what lies in a stage's folder.
    private static let columns = [
        "rows": "model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs \(references), "
            + "texts ARRAY<STRING>, owner STRING, changed STRING, identity STRING",
        "objects": "bucket INT, pos BIGINT, file STRING, line BINARY, odd INT, plain BOOLEAN, "
            + "key BINARY, size BIGINT, counts BOOLEAN",
        "boring": "bucket INT, key BINARY, size BIGINT, model INT, pos BIGINT",
        "closed": "model INT, pos BIGINT, refs \(references), texts ARRAY<STRING>, "
            + "owner STRING, changed STRING, identity STRING",
        "gone": "bucket INT, key BINARY, size BIGINT, model INT, pos BIGINT",
    ]

    private func folder(_ stage: Int, _ name: String) -> String {
        SQLText.text("\(work)/\(stage)/\(name)")
    }

    /// A view of what a stage wrote.
    func view(_ name: String, of stage: Int) -> String {
        """
        CREATE OR REPLACE TEMPORARY VIEW \(name) (\(Self.columns[name] ?? ""))
        USING parquet OPTIONS (path \(folder(stage, name)))
        """
    }

    private func write(_ name: String, _ stage: Int, _ select: String) -> [String] {
        [
            "INSERT OVERWRITE DIRECTORY \(folder(stage, name)) USING parquet\n\(select)",
            view(name, of: stage),
        ]
    }

    private func writeText(_ name: String, _ stage: Int, _ select: String) -> String {
        "INSERT OVERWRITE DIRECTORY \(folder(stage, name)) USING text\n\(select)"
    }

    // MARK: What is read

    private var read: [String] {
        tables.flatMap { table in
            table.file.hasColumns
                ? AttributeSQL(table: table).statements
                : LineSQL(name: "r\(table.model)", file: table.file).statements
                    + (table.file.form != .fields ? ObjectLineSQL(table: table).statements : [])
        }
            + listings.flatMap { listing in
                let (name, file) = ("o\(listing.bucket)", listing.file)
                return file.format.map { ColumnSQL(name: name, file: file, format: $0).statements }
                    ?? LineSQL(name: name, file: file).statements
            }
            + write(
                "rows", 1,
                tables.isEmpty ? noRows : tables.map(rows).joined(separator: "\nUNION ALL\n"))
            + write(
                "objects", 1,
                listings.isEmpty
                    ? noObjects : listings.map(objects).joined(separator: "\nUNION ALL\n"))
    }

    private func rows(_ table: SparkTable) -> String {
        let row = RowSQL(table: table, levels: levels)
        return """
            SELECT \(table.model) AS model, pos, line, CAST(odd AS INT) AS odd, plain,
              if(plain, \(row.references), array()) AS refs,
              if(plain, \(row.texts), NULL) AS texts,
              if(plain, \(row.owner), NULL) AS owner,
              if(plain, \(row.changed), NULL) AS changed,
              if(plain, \(row.identity), NULL) AS identity
            FROM (SELECT *, \(row.isPlain) AS plain FROM fields_r\(table.model))
            """
    }

    // Where Spark reads one side that nobody else does, and nothing of the other.
    private let noObjects = """
        SELECT 0 AS bucket, 0L AS pos, '' AS file, X'' AS line, 0 AS odd, false AS plain,
          X'' AS key, 0L AS size, false AS counts WHERE false
        """

    private var noRows: String {
        """
        SELECT 0 AS model, 0L AS pos, X'' AS line, 0 AS odd, false AS plain,
          CAST(array() AS \(Self.references)) AS refs, CAST(array() AS ARRAY<STRING>) AS texts,
          '' AS owner, '' AS changed, '' AS identity WHERE false
        """
    }

    private func objects(_ listing: SparkListing) -> String {
        let object = ObjectSQL(listing: listing)
        return """
            SELECT \(listing.bucket) AS bucket, pos, file, line, CAST(odd AS INT) AS odd, plain,
              if(named, encode(k, 'ISO-8859-1'), NULL) AS key,
              if(plain, CAST(n AS BIGINT), 0L) AS size,
              plain AND \(object.counts("k")) AS counts
            FROM (SELECT *, \(object.isNamed) AS named FROM (
              SELECT pos, file, line, odd, f, \(object.key) AS k, \(object.size) AS n,
                \(object.isPlain) AS plain FROM fields_o\(listing.bucket)))
            """
    }

    // MARK: What is matched

    // A quote that is not closed in its line makes rows of several lines: nothing is known then of
    // any row of that file. A header that stands twice does as well, since it was left out.
    private var sound: [String] {
        [
            """
            CREATE OR REPLACE TEMPORARY VIEW sound_rows AS
            SELECT model FROM rows GROUP BY model HAVING max(odd) = 0
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW sound_objects AS
            SELECT bucket FROM objects GROUP BY bucket HAVING max(odd) = 0
            """,
        ]
    }

    // Each key comes down to one row on both sides before they meet, so that one that a million
    // records share costs its task no more than any other.
    private var join: [String] {
        sound
            + write(
                "boring", 1,
                """
                SELECT o.bucket, o.key, o.size, r.model, r.pos FROM (
                  SELECT bucket, key, max(size) AS size FROM objects
                  LEFT SEMI JOIN sound_objects USING (bucket)
                  WHERE key IS NOT NULL GROUP BY bucket, key
                  HAVING count(*) = 1 AND min(size) > 0 AND min(CAST(counts AS INT)) = 1
                ) o JOIN (
                  SELECT bucket, key, min(model) AS model, min(pos) AS pos FROM (
                    SELECT r.bucket, encode(r.key, 'ISO-8859-1') AS key, model, pos
                    FROM rows LEFT SEMI JOIN sound_rows USING (model)
                    LATERAL VIEW explode(refs) AS r WHERE plain
                  ) GROUP BY bucket, key HAVING count(*) = 1
                ) r ON o.bucket = r.bucket AND o.key = r.key
                """)
    }

    // Rows all of whose references are boring.
    private let plainlyMatched = """
        SELECT r.model, r.pos, r.refs, r.texts, r.owner, r.changed, r.identity
        FROM rows r LEFT SEMI JOIN sound_rows s ON r.model = s.model
        LEFT JOIN (SELECT model, pos, count(*) AS n FROM boring GROUP BY model, pos) b
          ON r.model = b.model AND r.pos = b.pos
        WHERE r.plain AND size(r.refs) = coalesce(b.n, 0)
        """

    // MARK: What is handed on

    /// What every stage ends with: what it left out, what it hands on, its counts and its marker.
    func end(of stage: Int, closed: String) -> [String] {
        // A view is about to be made anew from what it shows.
        let before = stage == 1 ? "boring" : "gone"
        var statements = write("closed", stage, closed)
        statements += write(
            "gone", stage,
            "SELECT g.* FROM \(before) g LEFT SEMI JOIN closed c "
                + "ON g.model = c.model AND g.pos = c.pos")
        statements.append(
            writeText(
                "handed-records", stage,
                """
                SELECT concat_ws(' ', model, hex(line)) FROM (
                  SELECT r.model, r.line, r.pos FROM rows r LEFT ANTI JOIN closed c
                    ON r.model = c.model AND r.pos = c.pos
                ) ORDER BY model, pos
                """))
        statements.append(
            writeText(
                "handed-objects", stage,
                """
                SELECT concat_ws(' ', bucket, hex(line)) FROM (
                  SELECT o.bucket, o.line, o.file, o.pos FROM objects o LEFT ANTI JOIN gone g
                    ON o.bucket = g.bucket AND o.key = g.key
                ) ORDER BY bucket, \(place), pos
                """))
        statements.append(
            writeText("facts", stage, facts(stage).joined(separator: "\nUNION ALL\n")))
        statements.append(
            """
            CREATE OR REPLACE TEMPORARY VIEW facts (value STRING)
            USING text OPTIONS (path \(folder(stage, "facts")))
            """)
        statements.append(
            writeText("done", stage, "SELECT concat('facts ', count(*)) FROM facts"))
        return statements
    }

    // The place of an object's file among those of its bucket, in their order.
    private var place: String {
        let several = listings.filter { $0.file.parts.count > 1 }.map { listing in
            let names = listing.file.names.map(SQLText.text).joined(separator: ", ")
            return " WHEN \(listing.bucket) THEN array_position(array(\(names)), file)"
        }
        return several.isEmpty ? "file" : "CASE bucket\(several.joined()) ELSE 0 END"
    }

    private func facts(_ stage: Int) -> [String] {
        func fact(_ name: String, _ number: String, _ part: String, _ value: String) -> String {
            "SELECT concat_ws(' ', '\(name)', \(number), \(part), \(value)) AS value"
        }
        var facts = [
            fact("closed", "model", "0", "count(*)") + " FROM closed GROUP BY model",
            fact("gone", "bucket", "0", "count(*)") + " FROM gone GROUP BY bucket",
            fact("bytes", "bucket", "0", "sum(size)") + " FROM gone GROUP BY bucket",
            fact("matched", "model", "bucket", "count(*)") + " FROM gone GROUP BY model, bucket",
            """
            \(fact("references", "model", "r.field", "count(*)"))
            FROM closed LATERAL VIEW explode(refs) AS r GROUP BY model, r.field
            """,
            """
            \(fact("held", "model", "field", "count(*)")) FROM (
              SELECT model, explode(array_distinct(transform(refs, r -> r.field))) AS field
              FROM closed) GROUP BY model, field
            """,
            """
            \(fact("form", "model", "field", "form")) FROM (
              SELECT DISTINCT model, r.field, 2 * least(3, length(r.value)
                  - length(replace(r.value, '/', '')))
                + if(r.value RLIKE '[.][^./]{1,5}\\\\z', 1, 0) AS form
              FROM closed LATERAL VIEW explode(refs) AS r)
            """,
            // Moments are compared as texts of one form each.
            """
            \(fact("changed", "model", "form", "max(moment)")) FROM (
              SELECT model, if(changed LIKE '%Z', 0, length(changed)) AS form,
                if(changed LIKE '%.%' OR changed NOT LIKE '%Z', changed,
                  concat(left(changed, 19), '.000Z')) AS moment
              FROM closed WHERE changed <> '') GROUP BY model, form
            """,
            """
            \(fact("identity", "model", "0", "hex(encode(identity, 'ISO-8859-1'))")) FROM (
              SELECT DISTINCT model, identity FROM closed WHERE identity <> '')
            """,
        ]
        facts += [
            fact("rows", "model", "sum(odd)", "count(*)") + " FROM rows GROUP BY model",
            fact("objects", "bucket", "sum(odd)", "count(*)") + " FROM objects GROUP BY bucket",
        ]
        // Counted on their own, apart from what was made of them.
        if stage == 1 {
            facts += tables.map { lines("lines", "r\($0.model)", $0.file, $0.model) }
            facts += listings.map { lines("listed", "o\($0.bucket)", $0.file, $0.bucket) }
        }
        return facts
    }

    private func lines(_ name: String, _ view: String, _ file: SparkFile, _ number: Int) -> String {
        let (bytes, from) =
            file.hasColumns
            ? ("0", "columns") : ("coalesce(sum(length(line)), 0)", "lines")
        return "SELECT concat_ws(' ', '\(name)', \(number), \(bytes), count(*)) "
            + "AS value FROM \(from)_\(view)"
    }
}
