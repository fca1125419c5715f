package import MooringConfiguration
package import MooringModel

/// The Spark SQL that leaves out of records and listings what is plainly matched.
///
/// Each of its stages lies in a folder of its own, and the next one reads what the first and the
/// one before it wrote there:
/// - `rows` and `objects`: what was read, line by line, with what is plain in it;
/// - `boring`: objects that one reference means, and its row;
/// - `closed` and `gone`: the rows that are left out, and the objects that go with them;
/// - `met`: of a later stage, the rows that needs speak of;
/// - `new_rows` and `new_objects`: the places of what no stage before handed on, and `kept_rows`
///   and `kept_objects`, the lines of all that is handed on;
/// - `handed-records` and `handed-objects`: the same lines in their order, as hexadecimal digits,
///   each with the number of its model or bucket;
/// - `facts`: counts, and `done`, how many these are, which is written last.
package struct SparkScript: Sendable {
    /// The sources that Spark reads.
    package let tables: [SparkTable]
    /// The buckets that Spark reads.
    package let listings: [SparkListing]
    /// The access levels.
    package let levels: [AccessLevel]
    /// The absolute path of the folder of all stages.
    package let work: String
    /// How Spark names these paths.
    package let mounts: SparkMounts
    /// So many needs go to where the rows are; of more a sieve does.
    package var needsSent = SparkPlace.needsSent

    /// A script over these files.
    package init(
        tables: [SparkTable], listings: [SparkListing], levels: [AccessLevel], work: String,
        mounts: SparkMounts = .none
    ) {
        (self.tables, self.listings, self.levels) = (tables, listings, levels)
        (self.work, self.mounts) = (work, mounts)
    }

    /// The first stage: reads both sides, joins them, and leaves out what is plainly matched.
    package var first: [String] {
        [reached] + read + join + write("closed", 1, plainlyMatched)
            + write(
                "gone", 1,
                "SELECT g.* FROM boring g LEFT SEMI JOIN closed c "
                    + "ON g.model = c.model AND g.pos = c.pos")
            + write(
                "new_rows", 1,
                "SELECT r.model, r.pos FROM rows r LEFT ANTI JOIN closed c "
                    + "ON r.model = c.model AND r.pos = c.pos")
            + write(
                "new_objects", 1,
                "SELECT o.bucket, o.pos FROM objects o LEFT ANTI JOIN gone g "
                    + "ON o.bucket = g.bucket AND o.pos = g.place")
            + end(of: 1)
    }

    // Where the program does not lie, nothing of records is written either: this fails there.
    private var reached: String {
        """
        CREATE OR REPLACE TEMPORARY VIEW reached USING text
        OPTIONS (path \(SQLText.text(mounts.url(of: "\(work)/stage-1.py"))))
        """
    }

    // MARK: Files between statements

    private static let references =
        "ARRAY<STRUCT<bucket: INT, key: BINARY, form: INT, value: BIGINT>>"
    // The columns of what lies in a stage's folder. What is sorted and sent around is narrow: lines
    // and texts stay where they were written, but for those of a few.
    private static let columns = [
        "rows": "model INT, pos BIGINT, line BINARY, odd INT, plain BOOLEAN, refs \(references), "
            + "texts ARRAY<STRING>, owner BIGINT, changed STRING, identity STRING",
        "objects": "bucket INT, pos BIGINT, file STRING, line BINARY, odd INT, plain BOOLEAN, "
            + "key BINARY, size BIGINT, counts BOOLEAN",
        "boring": "bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT",
        "closed": "model INT, pos BIGINT, forms ARRAY<INT>, changed STRING, identity STRING",
        "gone": "bucket INT, key BINARY, place BIGINT, size BIGINT, model INT, pos BIGINT",
        "met": "model INT, pos BIGINT",
        "new_rows": "model INT, pos BIGINT",
        "new_objects": "bucket INT, pos BIGINT",
        "kept_rows": "model INT, pos BIGINT, line BINARY",
        "kept_objects": "bucket INT, pos BIGINT, file STRING, line BINARY",
    ]

    private func folder(_ stage: Int, _ name: String) -> String {
        SQLText.text(mounts.url(of: "\(work)/\(stage)/\(name)"))
    }

    /// A view of what a stage wrote.
    func view(_ name: String, of stage: Int) -> String {
        """
        CREATE OR REPLACE TEMPORARY VIEW \(name) (\(Self.columns[name] ?? ""))
        USING parquet OPTIONS (path \(folder(stage, name)))
        """
    }

    /// Writes a file of a stage, and makes the view of it.
    func write(_ name: String, _ stage: Int, _ select: String) -> [String] {
        [
            "INSERT OVERWRITE DIRECTORY \(folder(stage, name)) USING parquet\n\(select)",
            view(name, of: stage),
        ]
    }

    private func writeText(_ name: String, _ stage: Int, _ select: String) -> String {
        // Whatever a cluster packs by itself: Mooring reads it as it stands.
        "INSERT OVERWRITE DIRECTORY \(folder(stage, name)) USING text "
            + "OPTIONS (compression 'none')\n\(select)"
    }

    // MARK: What is read

    private var read: [String] {
        tables.flatMap { table -> [String] in
            let (file, path) = (table.file, table.file.pattern(mounts))
            return file.hasColumns
                ? AttributeSQL(table: table, path: path).statements
                : LineSQL(name: "r\(table.model)", file: file, path: path).statements
                    + (file.form != .fields ? ObjectLineSQL(table: table).statements : [])
        }
            + listings.flatMap { listing -> [String] in
                let (name, file) = ("o\(listing.bucket)", listing.file)
                let path = file.pattern(mounts)
                return file.format.map {
                    ColumnSQL(name: name, file: file, path: path, format: $0).statements
                } ?? LineSQL(name: name, file: file, path: path).statements
            }
            + tables.map { files("r\($0.model)", $0.file) }
            + listings.map { files("o\($0.bucket)", $0.file) }
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
          0L AS owner, '' AS changed, '' AS identity WHERE false
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
    // any row of that file. A header that stands twice does as well, since it was left out. These
    // few go to where the rows are: sorted by their model, all rows would be one task's.
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

    // Both sides meet in one sum over each key, so that one that a million records share costs its
    // task no more than any other. The number before the key tells most apart at a look.
    private var join: [String] {
        sound
            + write(
                "boring", 1,
                """
                SELECT bucket, key, max(place) AS place, max(size) AS size, max(model) AS model,
                  max(pos) AS pos FROM (
                  SELECT /*+ BROADCAST(s) */ bucket, key, 1 AS listed, 0 AS meant, pos AS place,
                    if(counts, size, 0L) AS size, -1 AS model, -1L AS pos
                  FROM objects LEFT SEMI JOIN sound_objects s USING (bucket) WHERE key IS NOT NULL
                  UNION ALL
                  SELECT /*+ BROADCAST(s) */ r.bucket, r.key, 0 AS listed, 1 AS meant,
                    -1L AS place, 0L AS size, model, pos
                  FROM rows LEFT SEMI JOIN sound_rows s USING (model)
                  LATERAL VIEW explode(refs) AS r WHERE plain
                ) GROUP BY xxhash64(key), bucket, key
                HAVING sum(listed) = 1 AND sum(meant) = 1 AND max(size) > 0
                """)
    }

    // Rows all of whose references are boring.
    private let plainlyMatched = """
        SELECT /*+ BROADCAST(s) */ r.model, r.pos, r.refs.form AS forms, r.changed, r.identity
        FROM rows r LEFT SEMI JOIN sound_rows s ON r.model = s.model
        LEFT JOIN (SELECT model, pos, count(*) AS n FROM boring GROUP BY model, pos) b
          ON r.model = b.model AND r.pos = b.pos
        WHERE r.plain AND size(r.refs) = coalesce(b.n, 0)
        """

    // MARK: What is handed on

    /// What every stage ends with: the lines that it hands on, its counts, some of which are its
    /// own, and its marker.
    func end(of stage: Int, facts own: [String] = []) -> [String] {
        // A view is about to be made anew from what it shows.
        func before(_ name: String) -> String {
            stage == 1 ? "" : "\nUNION ALL SELECT * FROM \(name)"
        }
        var statements = write(
            "kept_rows", stage,
            "SELECT r.model, r.pos, r.line FROM rows r LEFT SEMI JOIN new_rows n "
                + "ON r.model = n.model AND r.pos = n.pos" + before("kept_rows"))
        statements += write(
            "kept_objects", stage,
            "SELECT o.bucket, o.pos, o.file, o.line FROM objects o LEFT SEMI JOIN new_objects n "
                + "ON o.bucket = n.bucket AND o.pos = n.pos" + before("kept_objects"))
        statements.append(
            writeText(
                "handed-records", stage,
                "SELECT concat_ws(' ', model, hex(line)) FROM kept_rows ORDER BY model, pos"))
        statements.append(
            writeText(
                "handed-objects", stage,
                "SELECT concat_ws(' ', bucket, hex(line)) FROM kept_objects "
                    + "ORDER BY bucket, \(place), pos"))
        statements.append(
            writeText("facts", stage, (facts(stage) + own).joined(separator: "\nUNION ALL\n")))
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

    // A listing may claim any size: the sum stops at the end of the range.
    private static let bytes =
        "least(sum(CAST(size AS DECIMAL(38, 0))), CAST(\(Int64.max) AS DECIMAL(38, 0)))"

    private func facts(_ stage: Int) -> [String] {
        func fact(_ name: String, _ number: String, _ part: String, _ value: String) -> String {
            "SELECT concat_ws(' ', '\(name)', \(number), \(part), \(value)) AS value"
        }
        var facts = [
            fact("closed", "model", "0", "count(*)") + " FROM closed GROUP BY model",
            fact("gone", "bucket", "0", "count(*)") + " FROM gone GROUP BY bucket",
            fact("bytes", "bucket", "0", Self.bytes) + " FROM gone GROUP BY bucket",
            fact("matched", "model", "bucket", "count(*)") + " FROM gone GROUP BY model, bucket",
            """
            \(fact("references", "model", "field", "count(*)")) FROM (
              SELECT model, explode(transform(forms, f -> f DIV 8)) AS field
              FROM closed) GROUP BY model, field
            """,
            """
            \(fact("held", "model", "field", "count(*)")) FROM (
              SELECT model, explode(array_distinct(transform(forms, f -> f DIV 8))) AS field
              FROM closed) GROUP BY model, field
            """,
            """
            \(fact("form", "model", "form DIV 8", "form % 8")) FROM (
              SELECT DISTINCT model, form FROM closed LATERAL VIEW explode(forms) AS form)
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
            for table in tables {
                facts.append(lines("lines", "r\(table.model)", table.file, table.model))
                facts.append(size("files", "r\(table.model)", table.file, table.model))
            }
            for listing in listings {
                facts.append(lines("listed", "o\(listing.bucket)", listing.file, listing.bucket))
                facts.append(size("listings", "o\(listing.bucket)", listing.file, listing.bucket))
            }
        }
        return facts
    }

    // The files that Spark finds, by their names where there are several: the bytes of each as they
    // lie there, and the second when it was changed.
    private func size(
        _ name: String, _ view: String, _ file: SparkFile, _ number: Int
    ) -> String {
        let part = file.parts.count > 1 ? "substring_index(path, '/', -1)" : "'0'"
        return "SELECT concat_ws(' ', '\(name)', \(number), \(part), concat(length, '@', "
            + "unix_seconds(modificationTime))) AS value FROM files_\(view)"
    }

    // A folder tells it: none of their bytes are read.
    private func files(_ view: String, _ file: SparkFile) -> String {
        """
        CREATE OR REPLACE TEMPORARY VIEW files_\(view) USING binaryFile
        OPTIONS (path \(SQLText.text(file.pattern(mounts))))
        """
    }

    private func lines(_ name: String, _ view: String, _ file: SparkFile, _ number: Int) -> String {
        let (bytes, from) =
            file.hasColumns
            ? ("0", "columns") : ("coalesce(sum(length(line)), 0)", "lines")
        return "SELECT concat_ws(' ', '\(name)', \(number), \(bytes), count(*)) "
            + "AS value FROM \(from)_\(view)"
    }
}
