import Glibc
import MooringModel
import Testing

@testable import MooringSQLite

@Suite("A conditional write that the database refuses")
struct UpdateRefusalTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    private func change(_ value: FieldValue, _ table: String = "t") -> RecordChange {
        RecordChange(
            table: table, idColumns: ["id"], id: RecordID("a"),
            expected: [ColumnValue("v", .text("old"))], assignments: [ColumnValue("v", value)])
    }

    /// Runs a change that must fail, and expects the table's rows to be as before.
    private func refusal(
        _ schema: String, _ value: FieldValue = .text("new"), table: String = "t"
    ) async throws -> String {
        let app = try AppDatabase(path, schema)
        let query = "SELECT id || ' ' || v FROM \(table) ORDER BY 1"
        let before = try app.strings(query)
        try #require(!before.isEmpty)
        let source = SQLiteSource(folder)
        let error = await #expect(throws: StoreError.self) {
            try await source.update(change(value, table))
        }
        #expect(try app.strings(query) == before)
        try app.run("BEGIN IMMEDIATE; ROLLBACK")
        let found = try #require(error)
        #expect(found.place == "\(path), table \"\(table)\"")
        #expect(!found.description.contains("secret"))
        #expect(found.isRefusal, "nothing was written, and nothing comes later")
        return found.reason
    }

    @Test(
        "names the constraint and shows no content",
        arguments: [
            ("v NOT NULL", .null, "a NOT NULL constraint refused it"),
            ("v CHECK (v <> 'new')", .text("new"), "a CHECK constraint refused it"),
            ("v UNIQUE", .text("secret"), "a UNIQUE constraint refused it"),
            ("v UNIQUE ON CONFLICT REPLACE", .text("secret"), "a UNIQUE constraint refused it"),
            (
                "v, g AS (v) UNIQUE ON CONFLICT REPLACE", .text("secret"),
                "a UNIQUE constraint refused it"
            ),
            ("v UNIQUE ON CONFLICT IGNORE", .text("secret"), "a UNIQUE constraint refused it"),
            ("v UNIQUE ON CONFLICT ROLLBACK", .text("secret"), "a UNIQUE constraint refused it"),
        ] as [(String, FieldValue, String)])
    func constraints(column: String, value: FieldValue, reason: String) async throws {
        let found = try await refusal(
            "CREATE TABLE t(id, \(column)); INSERT INTO t VALUES ('a', 'old'), ('b', 'secret');",
            value)
        #expect(found == reason)
    }

    @Test("names the primary key, and a type that a strict table does not take")
    func keysAndTypes() async throws {
        #expect(
            try await refusal(
                "CREATE TABLE t(id, v PRIMARY KEY) WITHOUT ROWID; "
                    + "INSERT INTO t VALUES ('a', 'old'), ('b', 'secret');", .text("secret"))
                == "a PRIMARY KEY constraint refused it")
        #expect(
            try await refusal(
                "CREATE TABLE u(id TEXT, v TEXT) STRICT; INSERT INTO u VALUES ('a', 'old');",
                .blob([1]), table: "u")
                == "the table's column types refused it")
    }

    @Test("because its columns hide every name by which a row can be told")
    func hiddenRow() async throws {
        #expect(
            try await refusal(
                "CREATE TABLE t(id, v, rowid, _rowid_, oid); "
                    + "INSERT INTO t VALUES ('a', 'old', 1, 2, 3);")
                == "its columns hide the rowid, so that no row can be named exactly")
    }

    @Test(
        "by a trigger is rolled back, whatever the trigger does",
        arguments: [
            ("BEFORE", "SELECT RAISE(ABORT, 'secret')", "a trigger refused it"),
            ("AFTER", "SELECT RAISE(ROLLBACK, 'secret')", "a trigger refused it"),
            ("AFTER", "SELECT RAISE(FAIL, 'secret')", "a trigger refused it"),
            (
                "BEFORE", "SELECT RAISE(IGNORE)",
                "the table did not take the change; a trigger may have skipped it"
            ),
            (
                "AFTER", "UPDATE t SET v = 'x' WHERE id = NEW.id",
                "the column's type or a trigger stores another value than the one written"
            ),
            (
                "AFTER", "DELETE FROM t WHERE id = NEW.id",
                "a trigger takes the row away with it; nothing is written"
            ),
        ])
    func triggers(time: String, body: String, reason: String) async throws {
        let found = try await refusal(
            """
            CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old');
            CREATE TRIGGER r \(time) UPDATE ON t BEGIN \(body); END;
            """)
        #expect(found == reason)
    }

    @Test(
        "of a removal where a trigger changes other rows with it",
        arguments: ["DELETE FROM o WHERE t = OLD.id", "UPDATE o SET t = NULL WHERE t = OLD.id"])
    func removals(body: String) async throws {
        let app = try AppDatabase(
            path,
            """
            CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old'), ('b', 'old');
            CREATE TABLE o(t, v); INSERT INTO o VALUES ('a', 'other');
            CREATE TRIGGER r AFTER DELETE ON t BEGIN \(body); END;
            """)
        func remove(_ id: String) async throws -> UpdateOutcome {
            try await SQLiteSource(folder).update(
                RecordChange(
                    .delete, table: "t", idColumns: ["id"], id: RecordID(id),
                    expected: [ColumnValue("v", .text("old"))], assignments: []))
        }
        let error = await #expect(throws: StoreError.self) { try await remove("a") }
        #expect(error?.reason == "a trigger changes other rows with it; nothing is removed")
        #expect(try app.strings("SELECT t || v FROM o") == ["aother"])
        #expect(try app.strings("SELECT id FROM t ORDER BY id") == ["a", "b"])
        #expect(try await remove("b") == .written)
    }

    @Test("leaves the conflict clauses of the app's triggers alone")
    func triggerClauses() async throws {
        let app = try AppDatabase(
            path,
            """
            CREATE TABLE t(id PRIMARY KEY, v); INSERT INTO t VALUES ('a', 'old');
            CREATE TABLE log(id PRIMARY KEY, v); INSERT INTO log VALUES ('a', 'old');
            CREATE TRIGGER r AFTER UPDATE ON t BEGIN
              INSERT OR REPLACE INTO log VALUES (NEW.id, NEW.v); END;
            """)
        #expect(try await SQLiteSource(folder).update(change(.text("new"))) == .written)
        #expect(try app.strings("SELECT v FROM log") == ["new"])
    }

    @Test(
        "because the column's type would store another value",
        arguments: [
            ("INTEGER", .text("5")), ("TEXT", .integer(5)), ("REAL", .integer(5)),
            ("NUMERIC", .text("1e3")), ("", .json([0x5b, 0x5d])), ("", .absent), ("", .real(.nan)),
        ] as [(String, FieldValue)])
    func affinity(type: String, value: FieldValue) async throws {
        let reason = try await refusal(
            "CREATE TABLE t(id, v \(type)); INSERT INTO t VALUES ('a', 'old');", value)
        let isNested = [.absent, .json([0x5b, 0x5d])].contains(value)
        #expect(
            reason
                == (isNested
                    ? "a column of SQLite cannot hold an absent or a nested value"
                    : "the column's type or a trigger stores another value than the one written"))
    }

    @Test("because the target is a view, inside a virtual table, computed, or SQLite's own")
    func targets() async throws {
        let view = try await refusal(
            """
            CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old');
            CREATE VIEW w AS SELECT * FROM t;
            """,
            table: "w")
        #expect(view == "a view cannot be written by a repair")
        _ = try AppDatabase(
            path,
            """
            CREATE VIRTUAL TABLE f USING fts5(id, v); INSERT INTO f VALUES ('a', 'old');
            CREATE TABLE g(id, v AS ('old'));  INSERT INTO g VALUES ('a');
            """)
        let source = SQLiteSource(folder)
        for (table, column) in [("f_content", "c1"), ("sqlite_master", "sql"), ("g", "v")] {
            let change = RecordChange(
                table: table, idColumns: [table == "g" ? "id" : column], id: RecordID("a"),
                expected: [], assignments: [ColumnValue(column, .text("new"))])
            await #expect(throws: StoreError.self, "\(table)") { try await source.update(change) }
        }
        #expect(try await source.update(change(.text("new"), "f")) == .written)
    }

    @Test("because it is locked, a copy, or the change names what is not there")
    func circumstances() async throws {
        let reason = try await {
            let app = try AppDatabase(
                path, "CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old'); BEGIN IMMEDIATE")
            defer { withExtendedLifetime(app) {} }
            let error = await #expect(throws: StoreError.self) {
                try await SQLiteSource(folder).update(change(.null))
            }
            #expect(error?.isRefusal == true)
            return try #require(error).reason
        }()
        #expect(reason == "the database is locked by another process")
        let copy = SQLiteSource(folder, isLive: false)
        let ofCopy = await #expect(throws: StoreError.self) {
            try await copy.update(change(.null))
        }
        #expect(
            ofCopy?.reason == "this is a copy of a database, and a copy is never written")
        let source = SQLiteSource(folder)
        for (id, expected, assigned) in [("idd", "v", "v"), ("id", "w", "v"), ("id", "v", "w")] {
            let change = RecordChange(
                table: "t", idColumns: [id], id: RecordID("a"),
                expected: [ColumnValue(expected, .text("old"))],
                assignments: [ColumnValue(assigned, .null)])
            await #expect(throws: StoreError.self) { try await source.update(change) }
        }
        let empty = RecordChange(
            table: "t", idColumns: ["id"], id: RecordID("a"), expected: [], assignments: [])
        let ofEmpty = await #expect(throws: StoreError.self) { try await source.update(empty) }
        #expect(
            ofEmpty?.reason == "the change assigns no column, or removes a row that it assigns")
        #expect(try AppDatabase(path).strings("SELECT v FROM t") == ["old"])
    }

    @Test("because the file, or its folder, cannot be written")
    func readOnlyFile() throws {
        let app = try AppDatabase(path, "CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old')")
        let write = ConditionalUpdate(change: change(.null), file: SQLiteSource(folder).file)
        chmod(folder.path, 0o555)
        chmod(path, 0o444)
        let file = try asNobody { #expect(throws: SQLiteFailure.self) { try write.run() } }
        #expect(try #require(file).reason == "this process may read the file but not write to it")
        chmod(path, 0o666)
        let journal = try asNobody { #expect(throws: SQLiteFailure.self) { try write.run() } }
        chmod(folder.path, 0o755)
        #expect(try #require(journal).reason == "the files beside the database cannot be written")
        #expect(try app.strings("SELECT v FROM t") == ["old"])
        #expect(try write.run() == .written)
    }

    @Test("while a reader keeps the commit waiting, and nothing is left of it")
    func readerInTheWay() async throws {
        let app = try AppDatabase(
            path, "CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old'); BEGIN;")
        #expect(try app.strings("SELECT v FROM t") == ["old"])
        let source = SQLiteSource(folder)
        let error = await #expect(throws: StoreError.self) {
            try await source.update(change(.null))
        }
        #expect(try #require(error).reason == "the database is locked by another process")
        #expect(error?.isRefusal == true)
        try app.run("COMMIT")
        #expect(try app.strings("SELECT v FROM t") == ["old"])
        #expect(try await source.update(change(.null)) == .written)
    }
}
