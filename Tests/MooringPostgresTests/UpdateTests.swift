import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

@Suite("Writing to PostgreSQL", .requires(.postgres), .timeLimit(.minutes(60)))
struct UpdateTests {
    private func change(
        _ expected: [String: FieldValue], _ assigned: [String: FieldValue], id: String = "1"
    ) -> RecordChange {
        func values(_ row: [String: FieldValue]) -> [ColumnValue] {
            row.sorted { $0.key < $1.key }.map { ColumnValue($0.key, $0.value) }
        }
        return RecordChange(
            table: "t", idColumns: ["id"], id: RecordID(id), expected: values(expected),
            assignments: values(assigned))
    }

    /// The removal of the row of `t` with this id, as it is now in every column.
    private func removal(_ source: PostgresSource, id: String = "1") async throws -> RecordChange {
        let columns = try await source.columns(table: "t")
        let rows = try await source.rows(
            table: "t", idColumns: ["id"], id: RecordID(id), columns: columns)
        let row = try #require(rows.first)
        return RecordChange(
            .delete, table: "t", idColumns: ["id"], id: RecordID(id),
            expected: zip(columns, row).map { ColumnValue($0, $1) }, assignments: [])
    }

    private func restoration(_ removal: RecordChange) -> RecordChange {
        RecordChange(
            .insert, table: removal.table, idColumns: removal.idColumns, id: removal.id,
            expected: [], assignments: removal.expected)
    }

    private func expectRefused(
        _ stage: Stage, _ change: RecordChange, _ reason: String,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try stage.database.rows("SELECT ctid, xmin, * FROM t")
        let error = await #expect(throws: StoreError.self, sourceLocation: place) {
            try await stage.source().update(change)
        }
        #expect(error?.isRefusal == true, sourceLocation: place)
        #expect(
            error?.reason.contains(reason) == true, "\(error?.reason ?? "")", sourceLocation: place)
        #expect(
            try stage.database.rows("SELECT ctid, xmin, * FROM t") == before, sourceLocation: place)
    }

    @Test("Lists, JSON, moments and truth values are written as they are read")
    func forms() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id uuid PRIMARY KEY, keys text[], pages jsonb, raw json, at timestamptz,
                gone bool, n int);
            INSERT INTO t VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', '{a,NULL,b}',
                '{"pages": [{"image": "a"}]}', '{"x" : 1}', '2026-01-01', false, 1)
            """)
        let id = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
        let old: [String: FieldValue] = [
            "keys": .json("[\"a\",null,\"b\"]"), "pages": .json("{\"pages\":[{\"image\":\"a\"}]}"),
            "raw": .json("{\"x\" : 1}"), "at": .text("2026-01-01T00:00:00Z"),
            "gone": .json("false"), "n": .integer(1),
        ]
        let new: [String: FieldValue] = [
            "keys": .json("[\"a\",\"c\\\"\"]"), "pages": .json("{\"pages\":[{\"image\":null}]}"),
            "raw": .json("{\"x\"  : null}"), "at": .text("2026-02-01T01:02:03.456Z"),
            "gone": .json("true"), "n": .integer(2),
        ]
        let source = stage.source()
        #expect(try await source.update(change(old, new, id: id)) == .written)
        #expect(try await source.update(change(old, new, id: id)).staleness != nil)
        #expect(
            try stage.database.rows("SELECT keys, pages, raw, gone FROM t")
                == [["{a,\"c\\\"\"}", "{\"pages\": [{\"image\": null}]}", "{\"x\"  : null}", "t"]])
        #expect(try await source.update(change(new, old, id: id)) == .written)
        #expect(try await source.update(change(old, ["keys": .null], id: id)) == .written)
        // A list that was NULL is linked as a text that writes it.
        let linked = change(["keys": .null], ["keys": .text("[\"x\"]")], id: id)
        #expect(try await source.update(linked) == .written)
        #expect(try stage.database.rows("SELECT keys FROM t") == [["{x}"]])
        #expect(
            try await source.update(
                change(["keys": .text("[\"x\"]")], ["keys": .null], id: id)) == .written)
    }

    @Test("What a column would store otherwise is refused")
    func otherValues() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, v varchar(2), c char(4), n numeric(4,1), list text[], j jsonb,
                k int);
            INSERT INTO t VALUES ('1', 'a', 'b', 1, '[0:1]={a,b}', '{}', 1)
            """)
        try await expectRefused(stage, change([:], ["v": .text("abc")]), "does not fit")
        try await expectRefused(stage, change([:], ["c": .text("x")]), "other values")
        try await expectRefused(stage, change([:], ["n": .text("1.25")]), "other values")
        try await expectRefused(stage, change([:], ["k": .text("x")]), "does not fit")
        try await expectRefused(
            stage, change([:], ["v": .text("a\0")]), "a text of PostgreSQL cannot hold a NUL")
        try await expectRefused(
            stage, change([:], ["v": .blob([1])]), " cannot hold a value of that form")
        try await expectRefused(
            stage, change([:], ["list": .json("{}")]), " cannot hold a value of that form")
        try await expectRefused(
            stage, change(["list": .json("[\"a\",\"b\"]")], ["list": .json("[]")]),
            "column \"list\" holds a list that could not be brought back as it is: of several "
                + "dimensions, not counted from 1, or with a JSON null in it")
        try await expectRefused(
            stage, change([:], [:]),
            "the change assigns no column, or removes a row that it assigns")
        let odd = RecordChange(
            table: "a.b.c", idColumns: ["id"], id: RecordID("1"), expected: [],
            assignments: [ColumnValue("v", .null)])
        let name = await #expect(throws: StoreError.self) { try await stage.source().update(odd) }
        #expect(name?.reason == "this is no name of a table")
        #expect(
            name?.hint
                == "write TABLE or SCHEMA.TABLE, with a part that holds a dot or a quote in double "
                + "quotes")
        try await expectRefused(
            stage, change([:], ["j": .json("{\"b\":1,\"a\":2}")]), "other values")
        try await expectRefused(stage, change([:], ["none": .null]), "no column")
        let source = stage.source()
        try await expectRefused(stage, try await removal(source), "brought back")
    }

    private static let log = """
        CREATE TABLE log (id text); CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO log VALUES (OLD.id); RETURN COALESCE(NEW, OLD); END $$;
        """
    private static let table =
        "CREATE TABLE t (id text PRIMARY KEY, v text); INSERT INTO t VALUES ('1', 'a');"
    private static let cases: [(sql: String, isRemoval: Bool, reason: String)] = [
        (
            "CREATE TRIGGER x AFTER DELETE ON t FOR EACH ROW EXECUTE FUNCTION note()", true,
            "changes other rows"
        ),
        (
            "CREATE CONSTRAINT TRIGGER x AFTER DELETE ON t DEFERRABLE INITIALLY DEFERRED "
                + "FOR EACH ROW EXECUTE FUNCTION note()", true, "changes other rows"
        ),
        (
            """
            CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER x BEFORE DELETE OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION keep()
            """, true, "did not let the row go"
        ),
        (
            """
            CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN NEW.v = 'z'; RETURN NEW; END $$;
            CREATE TRIGGER x BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION other()
            """, false, "other values"
        ),
        (
            """
            CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE 'the value is %', OLD.v; END $$;
            CREATE TRIGGER x BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION no()
            """, false, "a trigger or a function refused it (P0001)"
        ),
        (
            """
            CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE 'the value is %', OLD.v USING ERRCODE = 'PT403'; END $$;
            CREATE TRIGGER x BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION no()
            """, false, "a trigger or a function refused it (PT403)"
        ),
        (
            "CREATE TABLE c (t text REFERENCES t ON DELETE CASCADE); INSERT INTO c VALUES ('1')",
            true, "\"c\" refer to it"
        ),
        (
            "CREATE TABLE c (t text REFERENCES t ON DELETE SET NULL); "
                + "INSERT INTO c VALUES ('1')", true, "\"c\" refer to it"
        ),
        (
            "CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING", true,
            "a rule of the table rewrites such a statement"
        ),
        (
            "CREATE RULE r AS ON UPDATE TO t DO ALSO NOTIFY x", false,
            "a rule of the table rewrites such a statement"
        ),
        (
            """
            CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER x BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION keep()
            """, false, "the table did not take the change; a trigger may have kept it"
        ),
        (
            """
            CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO t SELECT OLD.*; RETURN NULL; END $$;
            CREATE TRIGGER x AFTER DELETE ON t FOR EACH ROW EXECUTE FUNCTION again()
            """, true, "a trigger changes other rows with it; nothing is removed"
        ),
        (
            "CREATE TABLE h () INHERITS (t); UPDATE t SET id = '2'; "
                + "INSERT INTO h VALUES ('1', 'a')", true,
            "the row lies in a table that inherits from this one, and could not be brought back "
                + "there; nothing is removed"
        ),
    ]

    @Test("Triggers, rules and keys that change more than is meant are refused")
    func sideEffects() async throws {
        let set = change(["v": .text("a")], ["v": .text("b")])
        for (sql, isRemoval, reason) in Self.cases {
            let stage = try await Stage(Self.log + Self.table + sql)
            let write = isRemoval ? try await removal(stage.source()) : set
            try await expectRefused(stage, write, reason)
            #expect(try stage.database.rows("SELECT * FROM log").isEmpty)
        }
        // A note of another table is what an app's own write would leave as well.
        let noted = try await Stage(
            Self.log + Self.table
                + "CREATE TRIGGER x AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION note()")
        #expect(try await noted.source().update(set) == .written)
        #expect(try noted.database.rows("SELECT * FROM log") == [["1"]])
        let view = try await Stage("CREATE VIEW t AS SELECT '1' AS id, 'a' AS v")
        let error = await #expect(throws: StoreError.self) { try await view.source().update(set) }
        #expect(error?.reason.contains("view") == true)
    }

    @Test("A removed row comes back with numbers that the table gave out, and not those computed")
    func generated() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY,
                m serial, twice text GENERATED ALWAYS AS (id || id) STORED, self text REFERENCES t);
            INSERT INTO t (id, self) VALUES ('0', NULL), ('1', '1')
            """)
        let source = stage.source()
        let before = try stage.database.rows("SELECT * FROM t ORDER BY id")
        let removal = try await removal(source)
        #expect(removal.expected.map(\.column) == ["id", "n", "m", "self"])
        #expect(try await source.update(removal) == .written)
        #expect(try await source.update(removal).staleness != nil)
        #expect(try await source.update(restoration(removal)) == .written)
        #expect(try stage.database.rows("SELECT * FROM t ORDER BY id") == before)
        #expect(try await source.update(restoration(removal)).staleness != nil)
        #expect(try await source.update(removal) == .written)
        try stage.database.run(
            """
            CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION keep()
            """)
        let kept = await #expect(throws: StoreError.self) {
            try await source.update(restoration(removal))
        }
        #expect(kept?.reason == "the table did not take the row; a trigger may have kept it")
    }

    @Test("Rows of a partitioned table are found and written in their partition")
    func partitions() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, v text) PARTITION BY LIST (id);
            CREATE TABLE t1 PARTITION OF t FOR VALUES IN ('1');
            CREATE TABLE t2 PARTITION OF t FOR VALUES IN ('2');
            INSERT INTO t VALUES ('1', 'a'), ('2', 'a')
            """)
        let source = stage.source()
        let set = change(["v": .text("a")], ["v": .text("b")])
        #expect(try await source.update(set) == .written)
        #expect(
            try stage.database.rows("SELECT * FROM t ORDER BY id") == [["1", "b"], ["2", "a"]])
        let removal = try await removal(source, id: "2")
        #expect(try await source.update(removal) == .written)
        #expect(try await source.update(restoration(removal)) == .written)
        #expect(try stage.database.rows("SELECT * FROM t2") == [["2", "a"]])
        // A key that names the partition, or one of the whole table for a row of its partition.
        try stage.database.run(
            """
            ALTER TABLE t1 ADD UNIQUE (id); CREATE TABLE c (id text REFERENCES t1 (id)
                ON DELETE CASCADE); INSERT INTO c VALUES ('1')
            """)
        try await expectRefused(stage, try await self.removal(source), "\"c\" refer to it")
    }

    @Test("A rival's lock is waited for, and not for ever; its write makes this one stale")
    func rivals() async throws {
        let stage = try await Stage(
            "CREATE TABLE t (id text, v text); INSERT INTO t VALUES ('1', 'a')")
        let set = change(["v": .text("a")], ["v": .text("b")])
        try stage.database.run("BEGIN; UPDATE t SET v = 'c' WHERE id = '1'")
        let error = await #expect(throws: StoreError.self) {
            try await stage.source().update(set)
        }
        #expect(error?.isRefusal == true)
        #expect(error?.description.contains("lockTimeout") == true)
        let patient = stage.source(options: PostgresOptions(lockTimeout: .seconds(20)))
        async let outcome = patient.update(set)
        try await Task.sleep(for: .milliseconds(200))
        try stage.database.run("COMMIT")
        #expect(try await outcome.staleness?.contains("another value") == true)
        #expect(try stage.database.rows("SELECT * FROM t") == [["1", "c"]])
    }

    @Test("Identifiers of every kind are matched by their bytes")
    func identifiers() async throws {
        let stage = try await Stage(
            """
            CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2',
                deterministic = false);
            CREATE TABLE t (a int, b uuid, c text COLLATE loose, d numeric, e timestamptz,
                f char(3), g bytea, h bool, i real, j date, k int[]);
            INSERT INTO t VALUES (7, '6f9619ff-8b86-d011-b42d-00c04fc964ff', 'Ab', 1.50,
                '2026-01-01 00:00:00.5Z', 'x', '\\xff', true, 0.1, '2026-01-01', '{1}')
            """)
        let source = stage.source()
        func count(_ column: String, _ id: RecordID) async throws -> Int {
            try await source.rows(table: "t", idColumns: [column], id: id, columns: []).count
        }
        let row = try await stage.read("t", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")[0]
        for (column, value) in zip("abcdefghij", row) {
            #expect(try await count(String(column), RecordID(value.bytes ?? [])) == 1, "\(column)")
        }
        for (column, other) in [
            ("a", "07"), ("a", "7.0"), ("a", "x"), ("a", "99999999999999999999"), ("c", "ab"),
            ("b", "6F9619FF-8B86-D011-B42D-00C04FC964FF"), ("b", "x"), ("d", "1.5"), ("d", "x"),
            ("e", "2026-01-01"), ("e", "x"), ("f", "x"), ("g", "x"), ("h", "t"), ("i", "0.1"),
            ("j", "2026-1-1"), ("c", "A\0b"),
        ] {
            #expect(try await count(column, RecordID(other)) == 0, "\(column) \(other)")
        }
        let list = await #expect(throws: StoreError.self) {
            try await count("k", RecordID("[1]"))
        }
        #expect(list?.reason == "column \"k\" of type integer[] cannot name a record")
    }

    @Test("The grants of the documentation suffice for what they are for")
    func grants() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, v text, w text); INSERT INTO t VALUES ('1', 'a', 'b');
            CREATE TABLE c (id text REFERENCES u)
            """.replacing(
                "CREATE TABLE c", with: "CREATE TABLE u (id text PRIMARY KEY); CREATE TABLE c"))
        let updates = stage.source(
            try stage.role("GRANT pg_read_all_data TO ROLE; GRANT UPDATE (v) ON t TO ROLE"))
        let removal = try await removal(updates)
        #expect(
            try await updates.update(change(["v": .text("a")], ["v": .null])) == .written)
        #expect(
            try await updates.update(change(["v": .null], ["v": .text("a")])) == .written)
        for refused in [removal, change(["v": .text("a")], ["w": .null])] {
            let error = await #expect(throws: StoreError.self) { try await updates.update(refused) }
            #expect(error?.isRefusal == true)
            #expect(error?.description.contains("permission denied") == true)
        }
        let removes = stage.source(
            try stage.role(
                "GRANT pg_read_all_data TO ROLE; GRANT UPDATE, DELETE, INSERT ON t TO ROLE"))
        #expect(try await removes.update(removal) == .written)
        #expect(try await removes.update(restoration(removal)) == .written)
        #expect(try stage.database.rows("SELECT * FROM t") == [["1", "a", "b"]])
    }

    @Test("An app's triggers run under the settings of the role, and not under Mooring's")
    func settings() async throws {
        let stage = try await Stage(
            """
            CREATE SCHEMA own; CREATE TABLE own.log (zone text);
            CREATE TABLE t (id text, v text); INSERT INTO t VALUES ('1', 'a');
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO log VALUES (current_setting('TimeZone')); RETURN NEW; END $$;
            CREATE TRIGGER x AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION note()
            """)
        let name = stage.database.name
        try stage.database.run(
            """
            ALTER DATABASE \(name) SET search_path = public, own;
            ALTER DATABASE \(name) SET TimeZone = 'Asia/Tokyo'
            """)
        let set = change(["v": .text("a")], ["v": .text("b")])
        #expect(try await stage.source().update(set) == .written)
        #expect(try stage.database.rows("SELECT * FROM own.log") == [["Asia/Tokyo"]])
    }
}
