import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

@Suite("Scanning PostgreSQL", .requires(.postgres), .timeLimit(.minutes(60)))
struct ScanTests {
    private func scan(
        _ source: PostgresSource, _ table: String, _ columns: String...
    ) async throws -> (batches: [RecordBatch], result: ScanResult) {
        try await source.read(.columns([TableColumns(table: table, columns: columns)]))
    }

    private static let cases: [(type: String, sql: String, value: FieldValue)] = [
        ("text", "'é''\"'", .text("é'\"")), ("varchar(9)", "'a'", .text("a")),
        ("char(3)", "'a'", .text("a  ")), ("name", "'n'", .text("n")),
        (
            "uuid", "'6F9619FF-8B86-D011-B42D-00C04FC964FF'",
            .text("6f9619ff-8b86-d011-b42d-00c04fc964ff")
        ),
        ("smallint", "-1", .integer(-1)), ("int", "7", .integer(7)),
        ("bigint", "9223372036854775807", .integer(.max)),
        (
            "oid", "4294967295",
            .integer(4_294_967_295)
        ),
        ("real", "0.5", .real(0.5)), ("float8", "1e300", .real(1e300)),
        ("bool", "true", .json("true")), ("bytea", "'\\x00ff'", .blob([0, 255])),
        ("numeric", "12345678901234567890.10", .text("12345678901234567890.10")),
        (
            "timestamptz", "'2026-11-22 03:04:05.123456+01'",
            .text("2026-11-22T02:04:05.123456Z")
        ),
        ("timestamp", "'2026-11-22 03:04:05'", .text("2026-11-22T03:04:05")),
        ("date", "'2026-11-22'", .text("2026-11-22")), ("time", "'03:04'", .text("03:04:00")),
        ("interval", "'1 day 2 hours'", .text("1 day 02:00:00")),
        ("json", "'{\"a\" :  1}'", .json("{\"a\" :  1}")),
        ("jsonb", "'{\"a\" :  [1,  2]}'", .json("{\"a\":[1,2]}")),
        ("jsonb", "'null'", .json("null")),
        ("text[]", "'{a,NULL,\"b c\",\"q\\\"\"}'", .json("[\"a\",null,\"b c\",\"q\\\"\"]")),
        ("varchar[]", "'{}'", .json("[]")), ("int[]", "'{1,NULL}'", .json("[1,null]")),
        (
            "uuid[]", "'{6F9619FF-8B86-D011-B42D-00C04FC964FF}'",
            .json("[\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"]")
        ),
        ("text[]", "'{{a,b},{c,d}}'", .json("[[\"a\",\"b\"],[\"c\",\"d\"]]")),
        ("bytea[]", "ARRAY['public/a.png'::bytea, NULL]", .json("[\"public/a.png\",null]")),
        ("jsonb[]", "ARRAY['{\"k\": 1}'::jsonb, NULL]", .json("[{\"k\":1},null]")),
        ("numeric[]", "'{1.50,2}'", .json("[\"1.50\",\"2\"]")),
        ("mood", "'fine'", .text("fine")), ("label", "'L'", .text("L")),
        ("labels", "'{L}'", .json("[\"L\"]")), ("label[]", "'{L}'", .json("[\"L\"]")),
        ("inet", "'10.0.0.1'", .text("10.0.0.1/32")), ("point", "'(1,2)'", .text("(1,2)")),
        ("pair", "'(1,x)'", .text("(1,x)")), ("text", "NULL", .null),
        ("text[]", "NULL", .null),
    ]

    @Test("Each type is read as it is, and alike by scan and look")
    func types() async throws {
        let stage = try await Stage(
            """
            CREATE TYPE mood AS ENUM ('fine'); CREATE DOMAIN label AS text;
            CREATE DOMAIN labels AS text[]; CREATE TYPE pair AS (a int, b text);
            CREATE TABLE t (id int PRIMARY KEY, \(Self.cases.enumerated()
                .map { "c\($0) \($1.type)" }.joined(separator: ", ")));
            INSERT INTO t VALUES (1, \(Self.cases.map(\.sql).joined(separator: ", ")))
            """)
        let names = Self.cases.indices.map { "c\($0)" }
        let scanned = try await stage.source().read(
            .columns([TableColumns(table: "t", columns: names)]))
        let everything = try await stage.source().read(.everything)
        let looked = try await stage.source().rows(
            table: "t", idColumns: ["id"], id: RecordID("1"), columns: names)
        #expect(scanned.result.problems.isEmpty)
        let rows = [
            scanned.batches[0].rows[0], Array(everything.batches[0].rows[0].dropFirst()), looked[0],
        ]
        for (index, (type, sql, value)) in Self.cases.enumerated() {
            for row in rows { #expect(row[index] == value, "\(type) \(sql)") }
        }
        try await comesBack(stage, ["id"] + names)
    }

    // What was read is what a write compares, and what it can bring back; all but the list of two
    // dimensions.
    private func comesBack(_ stage: Stage, _ names: [String]) async throws {
        let columns = names.filter { $0 != "c26" }
        let held = try await stage.source().rows(
            table: "t", idColumns: ["id"], id: RecordID("1"), columns: columns)
        try stage.database.run("ALTER TABLE t DROP COLUMN c26")
        let whole = zip(columns, held[0]).map { ColumnValue($0, $1) }
        let before = try stage.database.rows("SELECT * FROM t")
        let removal = RecordChange(
            .delete, table: "t", idColumns: ["id"], id: RecordID("1"), expected: whole,
            assignments: [])
        #expect(try await stage.source().update(removal) == .written)
        #expect(try stage.database.rows("SELECT * FROM t").isEmpty)
        let insertion = RecordChange(
            .insert, table: "t", idColumns: ["id"], id: RecordID("1"), expected: [],
            assignments: whole)
        #expect(try await stage.source().update(insertion) == .written)
        #expect(try stage.database.rows("SELECT * FROM t") == before)
    }

    @Test("Tables are found by schema, by search path, and under hostile names")
    func names() async throws {
        let hostile = "x\"; DROP TABLE \"y"
        let stage = try await Stage(
            """
            CREATE SCHEMA app; CREATE SCHEMA "odd.schema"; CREATE TABLE song (id text);
            CREATE TABLE app."Song" (id text, "a ""b" text);
            INSERT INTO app."Song" VALUES ('1', 'k');
            CREATE TABLE "odd.schema"."x""; DROP TABLE ""y" (id text);
            INSERT INTO "odd.schema"."x""; DROP TABLE ""y" VALUES ('2')
            """)
        let source = stage.source()
        #expect(try await stage.read("app.Song", "id", "a \"b") == [[.text("1"), .text("k")]])
        let odd = TableName.spelled(
            schema: Array("odd.schema".utf8), Array(hostile.utf8))
        #expect(try await stage.read(odd, "id") == [[.text("2")]])
        for (table, nearest) in [
            ("Song", "\"song\""), ("app.song", "\"app.Song\""), ("a.b.c", "SCHEMA.TABLE"),
        ] {
            let missing = try await scan(source, table, "id")
            #expect(missing.result.problems.count == 1)
            #expect(missing.result.problems.first?.reason.contains(nearest) == true)
        }
        let column = try await scan(source, "app.Song", "ID")
        #expect(column.result.problems.first?.reason.contains("the nearest are \"id\"") == true)
        let inSchema = stage.source(options: PostgresOptions(schema: "app"))
        #expect(try await scan(inSchema, "Song", "id").batches[0].rows == [[.text("1")]])
        #expect(try await !scan(inSchema, "song", "id").result.isComplete)
    }

    @Test("Everything is every table of every schema, under the names of the configuration")
    func everything() async throws {
        let stage = try await Stage(
            """
            CREATE SCHEMA app; CREATE TABLE app.song (id text, cover text);
            INSERT INTO app.song VALUES ('1', 'k'); CREATE TABLE note (body text);
            INSERT INTO note VALUES ('n'); CREATE VIEW v AS SELECT * FROM note;
            CREATE MATERIALIZED VIEW m AS SELECT * FROM note;
            CREATE TABLE parts (id int, body text) PARTITION BY RANGE (id);
            CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
            INSERT INTO parts VALUES (1, 'p');
            """)
        let source = stage.source(keys: ["app.song": ["cover"], "v": ["body"]])
        let scan = try await source.read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(Set(scan.batches.map(\.table)) == ["app.song", "note", "m", "parts", "v"])
        let empty = try await Stage()
        #expect(try await !empty.source().read(.everything).result.isComplete)
    }

    @Test("A partition that is half detached is read for itself: its table leaves it out")
    func halfDetached() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE parts (id int, body text) PARTITION BY RANGE (id);
            CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
            CREATE TABLE part2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
            INSERT INTO parts VALUES (1, 'p'), (11, 'q')
            """)
        let reader = PostgresTestDatabase(server: stage.database.server, name: stage.database.name)
        try reader.run("BEGIN")
        try reader.run("SELECT FROM parts")
        try stage.database.run("SET statement_timeout = 300")
        #expect(throws: (any Error).self) {
            try stage.database.run("ALTER TABLE parts DETACH PARTITION part1 CONCURRENTLY")
        }
        try reader.run("COMMIT")
        let scan = try await stage.source().read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        let bodies = scan.batches.flatMap { batch in batch.rows.compactMap { $0.last?.bytes } }
        #expect(Set(bodies) == [Array("p".utf8), Array("q".utf8)])
    }

    @Test("A table without permission, or with policies that hide rows, makes a scan incomplete")
    func permissions() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE open (id text); CREATE TABLE shut (id text);
            CREATE TABLE policed (id text); ALTER TABLE policed ENABLE ROW LEVEL SECURITY;
            CREATE POLICY p ON policed USING (id = 'a'); INSERT INTO policed VALUES ('a'), ('b');
            INSERT INTO open VALUES ('1'); CREATE TABLE partly (id text, other text)
            """)
        let address = try stage.role(
            "GRANT SELECT ON open, policed TO ROLE; GRANT SELECT (id) ON partly TO ROLE")
        let scan = try await stage.source(address).read(.everything)
        #expect(scan.batches.flatMap(\.rows) == [[.text("1")]])
        let problems = scan.result.problems.map(\.text)
        #expect(problems.count == 3)
        for table in ["shut", "policed", "partly"] {
            #expect(problems.contains { $0.contains("\"\(table)\"") }, "\(problems)")
        }
        #expect(problems.contains { $0.contains("BYPASSRLS") })
        let grant = "run GRANT USAGE ON SCHEMA \"public\" TO \"role_"
        #expect(problems.count { $0.contains(grant) } == 2, "\(problems)")
        #expect(problems.contains { $0.contains("GRANT SELECT ON \"public\".\"shut\" TO") })
        let closed = try await stage.source(address).unreadable(.everything).map(\.text)
        #expect(closed.count == 2 && closed.allSatisfy { $0.contains(grant) }, "\(closed)")
        #expect(closed.allSatisfy { $0.contains("the role may not read it; run GRANT ") })
        #expect(try await stage.source().unreadable(.everything) == [])
        // What a look does not see, it must not call absent.
        await #expect(throws: StoreError.self) {
            _ = try await stage.source(address).rows(
                table: "policed", idColumns: ["id"], id: RecordID("b"), columns: ["id"])
        }
    }

    @Test("A key that is looked for in a number or a time is a problem")
    func kinds() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, a int, b timestamptz, c bool, d int[], e text, f jsonb,
                g text[], h bytea, i uuid, j varchar)
            """)
        let source = stage.source(keys: ["t": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]])
        let scan = try await source.read(
            .columns([
                TableColumns(
                    table: "t", columns: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
            ]))
        #expect(
            scan.result.problems.map(\.reason).sorted().map { $0.prefix(10) } == [
                "column \"a\"", "column \"b\"", "column \"c\"", "column \"d\"",
            ])
    }

    @Test("A snapshot shows nothing of what is written while it is read")
    func snapshot() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE a (id int); CREATE TABLE z (id int);
            INSERT INTO a SELECT generate_series(1, 3000);
            INSERT INTO z SELECT generate_series(1, 10)
            """)
        var rows = 0
        var isFirst = true
        let result = try await stage.source().scan(
            .columns([
                TableColumns(table: "a", columns: ["id"]),
                TableColumns(table: "z", columns: ["id"]),
            ])
        ) { batch in
            if isFirst { try stage.database.run("DELETE FROM z; INSERT INTO a VALUES (0)") }
            isFirst = false
            rows += batch.rows.count
        }
        #expect(result.isComplete)
        #expect(result.consistency == "snapshot")
        #expect(rows == 3_010)
        // A truncated table would look empty to the snapshot, so that nobody may truncate it.
        isFirst = true
        _ = try await stage.source().scan(
            .columns([
                TableColumns(table: "a", columns: ["id"]),
                TableColumns(table: "z", columns: ["id"]),
            ])
        ) { _ in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: (any Error).self) {
                try stage.database.run("SET lock_timeout = '100ms'; TRUNCATE z")
            }
        }
        try stage.database.run("TRUNCATE z")
    }

    @Test("No columns still count the rows, and large rows come one by one")
    func sizes() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id int, body text);
            INSERT INTO t SELECT n, repeat('x', 3000000) FROM generate_series(1, 4) AS n;
            CREATE TABLE bare (); INSERT INTO bare DEFAULT VALUES
            """)
        let scan = try await scan(stage.source(), "t", "body", "id", "body")
        #expect(scan.batches.map(\.rows.count) == [1, 1, 1, 1])
        #expect(try await stage.read("t").map(\.count) == [0, 0, 0, 0])
        #expect(try await stage.read("bare").map(\.count) == [0])
    }
}
