import Glibc
import MooringModel
import Testing

@testable import MooringSQLite

/// Rows that go, and come back, as a whole.
@Suite("Removing and inserting a row")
struct WholeRowTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    /// The removal of the row of `t` with this id, as it is now in every column.
    private func removal(
        _ source: SQLiteSource, _ id: RecordID = RecordID("a"), _ idColumns: [String] = ["id"]
    ) async throws -> RecordChange {
        let columns = try await source.columns(table: "t")
        let row = try #require(
            try await source.rows(table: "t", idColumns: idColumns, id: id, columns: columns).first)
        return RecordChange(
            .delete, table: "t", idColumns: idColumns, id: id,
            expected: zip(columns, row).map { ColumnValue($0, $1) }, assignments: [])
    }

    private func all(_ app: AppDatabase, _ table: String = "t") throws -> [String] {
        try app.strings("SELECT quote(id) FROM \(table) ORDER BY 1")
    }

    /// Wants the removal of `a` refused, and every row of every table as before.
    private func expectRefused(
        _ schema: String, _ reason: String, at place: SourceLocation = #_sourceLocation
    ) async throws {
        for name in TestFolder.names(in: folder.path) where name.hasPrefix("app.sqlite") {
            unlink("\(folder.path)/\(name)")
        }
        let app = try AppDatabase(path, schema)
        let tables = try app.strings(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        func state() throws -> [[String]] {
            try tables.map { try app.strings("SELECT count(*) || ' ' || max(rowid) FROM \($0)") }
        }
        let isPlain = !schema.contains("WITHOUT ROWID")
        let before = isPlain ? try state() : [try all(app)]
        let source = SQLiteSource(folder)
        let change = try await removal(source)
        let error = await #expect(throws: StoreError.self, sourceLocation: place) {
            try await source.update(change)
        }
        #expect(error?.isRefusal == true, sourceLocation: place)
        #expect(
            error?.reason.contains(reason) == true, "\(error?.reason ?? "")",
            sourceLocation: place)
        #expect(try (isPlain ? state() : [all(app)]) == before, sourceLocation: place)
    }

    @Test("the row goes if it is as it was read, and no other row does")
    func removed() async throws {
        let app = try AppDatabase(
            path,
            """
            CREATE TABLE t(id, v, n REAL, g AS (v || 'x'));
            INSERT INTO t VALUES ('a', 'old', 1.5), ('b', 'old', 1.5), (x'61', 'old', 1.5);
            """)
        let source = SQLiteSource(folder)
        let change = try await removal(source, RecordID("b"))
        #expect(change.expected.map(\.column) == ["id", "v", "n"])
        try app.run("UPDATE t SET n = 2.5 WHERE id = 'b'")
        #expect(
            try await source.update(change) == .stale("column \"n\" holds another value now"))
        try app.run("UPDATE t SET n = 1.5 WHERE id = 'b'")
        #expect(try await source.update(change) == .written)
        #expect(try all(app) == ["'a'", "X'61'"])
        #expect(try await source.update(change) == .stale("no such record"))
    }

    @Test("of a table WITHOUT ROWID, one whose columns hide the rowid, and with composite keys")
    func addresses() async throws {
        for schema in [
            "CREATE TABLE t(id TEXT, k TEXT, v, PRIMARY KEY (id, k)) WITHOUT ROWID",
            "CREATE TABLE t(id TEXT, k TEXT COLLATE NOCASE, v, PRIMARY KEY (id, k))",
            "CREATE TABLE t(id TEXT, k TEXT, rowid, oid)",
        ] {
            unlink(path)
            let app = try AppDatabase(path, schema)
            try app.run("INSERT INTO t(id, k) VALUES ('a', '1'), ('a', '2'), ('A', '1')")
            let source = SQLiteSource(folder)
            let id = RecordID(parts: [Array("a".utf8), Array("1".utf8)])
            #expect(
                try await source.update(try await removal(source, id, ["id", "k"])) == .written)
            #expect(try app.strings("SELECT id || k FROM t ORDER BY 1") == ["A1", "a2"])
        }
    }

    @Test("rows that refer to it by a foreign key keep it, however the key is written")
    func foreignKeys() async throws {
        let parent = "CREATE TABLE t(id TEXT PRIMARY KEY, k TEXT, UNIQUE (id, k));"
        let row = "INSERT INTO t VALUES ('a', '1'), ('b', '2');"
        let child = "INSERT INTO c(id, t) VALUES ('c1', 'a')"
        for column in [
            "t REFERENCES t(id)", "t REFERENCES t", "t REFERENCES T(ID)",
            "t REFERENCES t ON DELETE CASCADE", "t REFERENCES t ON DELETE SET NULL",
            "t TEXT COLLATE NOCASE REFERENCES t DEFERRABLE INITIALLY DEFERRED",
            "t, k DEFAULT '1', FOREIGN KEY (t, k) REFERENCES t(id, k)",
        ] {
            try await expectRefused(
                "\(parent) CREATE TABLE c(id, \(column)); \(row) \(child)",
                "rows of table \"c\" refer to it by a foreign key; nothing is removed")
        }
        try await expectRefused(
            """
            CREATE TABLE t(id TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE c(id TEXT PRIMARY KEY, t REFERENCES t) WITHOUT ROWID;
            INSERT INTO t VALUES ('a'); \(child)
            """, "rows of table \"c\" refer to it")
        try await expectRefused(
            """
            CREATE TABLE t(id TEXT PRIMARY KEY, up REFERENCES t(id));
            INSERT INTO t VALUES ('a', NULL), ('b', 'a')
            """, "rows of table \"t\" refer to it")
        // The key compares as the parent's column does, and so does the look for its rows.
        try await expectRefused(
            """
            CREATE TABLE t(id TEXT COLLATE NOCASE PRIMARY KEY);
            CREATE TABLE c(id, t TEXT REFERENCES t); INSERT INTO t VALUES ('a');
            INSERT INTO c VALUES ('c1', 'A')
            """, "rows of table \"c\" refer to it")
        try await expectRefused(
            """
            CREATE TABLE t(id TEXT, n INTEGER PRIMARY KEY); CREATE TABLE c(id, t REFERENCES t(n));
            INSERT INTO t VALUES ('a', 7); INSERT INTO c VALUES ('c1', '7')
            """, "rows of table \"c\" refer to it")
    }

    @Test("keys that refer to another row, to none, or from the row itself keep nothing")
    func otherKeys() async throws {
        for schema in [
            "CREATE TABLE c(id, t REFERENCES t); INSERT INTO c VALUES ('c1', 'b'), ('c2', NULL)",
            """
            CREATE TABLE c(id, t, k, FOREIGN KEY (t, k) REFERENCES t(id, k));
            INSERT INTO c VALUES ('c1', 'a', NULL), ('c2', 'a', '9')
            """,
            "CREATE TABLE c(id, t REFERENCES elsewhere(id)); INSERT INTO c VALUES ('c1', 'a')",
        ] {
            unlink(path)
            let app = try AppDatabase(
                path,
                """
                CREATE TABLE t(id TEXT PRIMARY KEY, k TEXT, up REFERENCES t, UNIQUE (id, k));
                INSERT INTO t VALUES ('a', '1', 'a'), ('b', '2', NULL); \(schema)
                """)
            let source = SQLiteSource(folder)
            #expect(try await source.update(try await removal(source)) == .written, "\(schema)")
            #expect(try all(app) == ["'b'"])
        }
    }

    @Test("a trigger that keeps it, one that refuses, and a view keep it")
    func triggers() async throws {
        let table = "CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old');"
        func trigger(_ act: String) -> String {
            "\(table) CREATE TRIGGER keep BEFORE DELETE ON t BEGIN SELECT \(act); END"
        }
        try await expectRefused(
            trigger("RAISE(IGNORE)"), "the table did not let the row go")
        try await expectRefused(trigger("RAISE(ABORT, 'secret')"), "a trigger")
        try await expectRefused(trigger("RAISE(ROLLBACK, 'secret')"), "a trigger")
        unlink(path)
        _ = try AppDatabase(
            path,
            """
            CREATE TABLE r(id, v); INSERT INTO r VALUES ('a', 1);
            CREATE VIEW t AS SELECT * FROM r
            """)
        let source = SQLiteSource(folder)
        let change = try await removal(source)
        let error = await #expect(throws: StoreError.self) { try await source.update(change) }
        #expect(error?.reason == "a view cannot be written by a repair")
    }

    @Test("a row of a virtual table goes, and none of the tables inside it does")
    func virtual() async throws {
        let app = try AppDatabase(
            path,
            "CREATE VIRTUAL TABLE t USING fts5(id, v); INSERT INTO t VALUES ('a', 'x'), ('b', 'y')")
        let source = SQLiteSource(folder)
        let columns = ["id", "v"]
        let id = RecordID("a")
        func change(_ table: String) -> RecordChange {
            RecordChange(
                .delete, table: table, idColumns: ["id"], id: id,
                expected: [ColumnValue("id", .text("a"))], assignments: [])
        }
        #expect(
            try await source.rows(table: "t", idColumns: ["id"], id: id, columns: columns).count
                == 1)
        await #expect(throws: StoreError.self) { try await source.update(change("t_content")) }
        #expect(try await source.update(change("t")) == .written)
        #expect(try all(app) == ["'b'"])
    }

    @Test("what was removed comes back value for value, generated columns with it")
    func inserted() async throws {
        let app = try AppDatabase(
            path,
            """
            CREATE TABLE t(id, v, n REAL, b BLOB, g AS (v || 'x') STORED, e);
            INSERT INTO t VALUES ('a', 'old', 1.5, x'FF00', NULL), ('b', 'v', 2, x'', 7);
            """)
        let before = try app.strings(
            "SELECT quote(id) || quote(v) || quote(n) || quote(b) || quote(g) || quote(e) FROM t")
        let source = SQLiteSource(folder)
        let gone = try await removal(source)
        let back = RecordChange(
            .insert, table: "t", idColumns: ["id"], id: RecordID("a"), expected: [],
            assignments: gone.expected)
        #expect(try await source.update(back) == .stale("there is a record of this id"))
        #expect(try await source.update(gone) == .written)
        #expect(try await source.update(back) == .written)
        #expect(
            try Set(
                app.strings(
                    """
                    SELECT quote(id) || quote(v) || quote(n) || quote(b) || quote(g) || quote(e)
                    FROM t
                    """)) == Set(before))
    }

    @Test(
        "an insert that a constraint, a type or a trigger does not take leaves no trace",
        arguments: [
            ("v UNIQUE", "", "a UNIQUE constraint refused it"),
            ("v UNIQUE ON CONFLICT REPLACE", "", "a UNIQUE constraint refused it"),
            ("v UNIQUE ON CONFLICT IGNORE", "", "a UNIQUE constraint refused it"),
            ("v CHECK (v <> 'taken' OR id = 'b')", "", "a CHECK constraint refused it"),
            ("v, w NOT NULL DEFAULT NULL", "", "a NOT NULL constraint refused it"),
            (
                "v", "CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE t SET v = 'y'; END",
                "store other values than those written"
            ),
            (
                "v", "CREATE TRIGGER x BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END",
                "store other values than those written"
            ),
        ])
    func insertRefused(column: String, trigger: String, reason: String) async throws {
        let app = try AppDatabase(path, "CREATE TABLE t(id, \(column));")
        try app.run(
            "INSERT INTO t(id, v) SELECT 'b', 'taken' WHERE \(column.contains("w") ? 0 : 1)")
        try app.run(trigger)
        let before = try app.strings("SELECT id || v FROM t")
        let source = SQLiteSource(folder)
        let change = RecordChange(
            .insert, table: "t", idColumns: ["id"], id: RecordID("a"), expected: [],
            assignments: [ColumnValue("id", .text("a")), ColumnValue("v", .text("taken"))])
        let error = await #expect(throws: StoreError.self) { try await source.update(change) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.isRefusal == true)
        #expect(try app.strings("SELECT id || v FROM t") == before)
    }
}
