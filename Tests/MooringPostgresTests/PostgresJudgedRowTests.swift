import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

@Suite(
    "What an act reads of a PostgreSQL row, and what pass B saw of it", .requires(.postgres),
    .timeLimit(.minutes(60)))
struct PostgresJudgedRowTests {
    // A type, and values of it: the usual one, the odd ones; NULL comes by itself.
    private static let cases: [(type: String, values: [String])] = [
        ("smallint", ["-1", "32767"]), ("bigint", ["9223372036854775807", "0"]),
        ("numeric", ["1.50", "'NaN'", "1e40"]), ("numeric(9, 3)", ["1.5"]),
        ("real", ["0.1", "'NaN'", "'-0'"]), ("float8", ["0.1", "'Infinity'", "'-0'"]),
        ("money", ["12.5"]), ("bool", ["true", "false"]), ("bytea", ["'\\x00ff5c'", "''"]),
        ("text", ["'e\u{301}'", "''", "E'line\\nbreak\\t\\''", "repeat('x', 3000000)"]),
        ("char(5)", ["'a'"]), ("varchar(9)", ["'a '"]), ("name", ["'n'"]), ("\"char\"", ["'c'"]),
        ("json", ["'{\"b\" :  1, \"a\":[1.0, null]}'", "'null'"]),
        ("jsonb", ["'{\"b\" :  1, \"a\":[1.0, null]}'", "'\"x\"'"]),
        ("uuid", ["'6F9619FF-8B86-D011-B42D-00C04FC964FF'"]),
        ("date", ["'2026-11-22'", "'infinity'", "'0044-03-15 BC'"]),
        ("time", ["'03:04:05.000001'"]), ("timetz", ["'03:04+02'"]),
        ("timestamp", ["'2026-11-22 03:04:05.5'", "'-infinity'"]),
        ("timestamptz", ["'2026-11-22 03:04:05.123456+01'", "'infinity'", "'0044-03-15 BC'"]),
        ("interval", ["'1 year 2 days 03:04:05.6'", "'-1 day'"]),
        ("tstzrange", ["'[2026-01-01 00:00+01, infinity)'", "'empty'"]), ("int4range", ["'[1,5]'"]),
        ("text[]", ["'{a,NULL,\"b c\"}'", "'{}'", "'{{a},{b}}'", "'[5:6]={x,y}'"]),
        ("timestamptz[]", ["'{2026-11-22 03:04+01}'"]), ("float8[]", ["'{0.1,-0}'"]),
        ("bytea[]", ["ARRAY['\\xff00'::bytea]"]), ("jsonb[]", ["ARRAY['{\"k\": 1}'::jsonb, NULL]"]),
        ("inet", ["'10.0.0.1'"]), ("macaddr", ["'08:00:2b:01:02:03'"]), ("point", ["'(1,0.1)'"]),
        ("bit(3)", ["'101'"]), ("tsvector", ["'a:1 b:2'"]), ("oid", ["4294967295"]),
        ("app.mood", ["'fine'"]), ("app.mood[]", ["'{bad,fine}'"]), ("app.label", ["'L'"]),
        ("app.pair", ["'(1,x)'", "'(,)'"]),
    ]

    private func makeStage() async throws -> Stage {
        let columns = Self.cases.enumerated().map { "c\($0) \($1.type)" }.joined(separator: ", ")
        let stage = try await Stage(
            """
            CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('fine', 'bad');
            CREATE DOMAIN app.label AS text; CREATE TYPE app.pair AS (a int, b text);
            CREATE TABLE app."Rich" (tenant uuid, id text, \(columns),
                twice text GENERATED ALWAYS AS (id || id) STORED,
                n int GENERATED ALWAYS AS IDENTITY, v text, PRIMARY KEY (tenant, id));
            CREATE TABLE parts (id text, v text) PARTITION BY LIST (id);
            CREATE TABLE part_a PARTITION OF parts FOR VALUES IN ('a');
            CREATE TABLE part_b PARTITION OF parts DEFAULT;
            INSERT INTO parts VALUES ('a', 'x'), ('b', NULL)
            """)
        let most = Self.cases.map(\.values.count).max() ?? 0
        for number in 0...most {
            let values = Self.cases.map {
                $0.values.indices.contains(number) ? $0.values[number] : "NULL"
            }
            try stage.database.run(
                "INSERT INTO app.\"Rich\" VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', "
                    + "'r''\(number)', \(values.joined(separator: ", ")))")
        }
        return stage
    }

    private func changes(_ number: Int) -> RecordChange {
        RecordChange(
            table: "app.\"Rich\"", idColumns: ["tenant", "id"],
            id: RecordID(parts: [
                Array("6f9619ff-8b86-d011-b42d-00c04fc964ff".utf8), Array("r'\(number)".utf8),
            ]), expected: [], assignments: [ColumnValue("v", .text("written"))])
    }

    @Test("Every value of every type is the same, whatever the role's settings are")
    func values() async throws {
        let stage = try await makeStage()
        let name = stage.database.name
        for setting in [
            "TimeZone = 'Asia/Tokyo'", "DateStyle = 'German'", "IntervalStyle = 'iso_8601'",
            "bytea_output = 'escape'", "extra_float_digits = -5", "array_nulls = off",
        ] {
            try stage.database.run("ALTER DATABASE \(name) SET \(setting)")
        }
        let source = stage.source(keys: ["app.\"Rich\"": ["v"]])
        let id = ["tenant", "id"]
        #expect(try await source.readsAtTheActWhatWasScanned("app.\"Rich\"", id: id) == 5)
        // A write takes the app's settings for its statement; the connection is used again.
        #expect(try await source.update(changes(0)) == .written)
        #expect(try await source.readsAtTheActWhatWasScanned("app.\"Rich\"", id: id) == 5)
        // Where no model reads it, it goes by its own name.
        #expect(try await stage.source().readsAtTheActWhatWasScanned("app.Rich", id: id) == 5)
    }

    @Test("A row of a partition is the same by the name of the whole table")
    func partitions() async throws {
        let stage = try await makeStage()
        #expect(try await stage.source().readsAtTheActWhatWasScanned("parts", id: ["id"]) == 2)
    }
}
