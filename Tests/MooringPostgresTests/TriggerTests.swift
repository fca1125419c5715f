import MooringModel
import TestServers
import Testing

@testable import MooringPostgres

/// Triggers that an app runs when one of its rows is written: what they do to what Mooring reads
/// was proven by nobody.
@Suite("A conditional write and the triggers of an app")
struct TriggerTests {
    private static let tables = """
        CREATE TABLE song (id text PRIMARY KEY, key text, thumb text, title text, updated int);
        CREATE TABLE child (id text PRIMARY KEY, song text, file text, note text);
        CREATE TABLE log (id text, what text);
        CREATE TABLE part (id text, file text) PARTITION BY LIST (id);
        CREATE TABLE part_a PARTITION OF part FOR VALUES IN ('a');
        INSERT INTO song VALUES ('a', 'old', 't/a', 'A', 1), ('b', 'o', 't/b', 'B', 1);
        INSERT INTO child VALUES ('c', 'a', 'c/1', 'x'), ('d', 'a', 'c/2', 'x');
        INSERT INTO log VALUES ('a', 'x'); INSERT INTO part VALUES ('a', 'p/1');
        """
    private static let keys = [
        "song": ["key", "thumb"], "child": ["file"], "part": ["file"],
    ]

    private let nulling = RecordChange(
        table: "song", idColumns: ["id"], id: RecordID("a"),
        expected: [ColumnValue("key", .text("old"))], assignments: [ColumnValue("key", .null)])

    /// The tables with a trigger of this body.
    private func stage(_ time: String, _ body: String, more: String = "") async throws -> Stage {
        try await Stage(
            """
            \(Self.tables)\(more)
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF NEW.key IS NULL THEN \(body); END IF; RETURN NEW; END $$;
            CREATE TRIGGER x \(time) UPDATE ON song FOR EACH ROW EXECUTE FUNCTION f()
            """)
    }

    private func content(_ stage: Stage) throws -> [[[String?]]] {
        try ["song", "child", "log", "part"].map {
            try stage.database.rows("SELECT * FROM \($0) ORDER BY 1, 2")
        }
    }

    private static let refusals: [(time: String, body: String, reason: String)] = [
        ("BEFORE", "NEW.thumb = NULL", "column \"thumb\""),
        (
            "AFTER", "UPDATE song SET thumb = NULL WHERE id = NEW.id AND thumb IS NOT NULL",
            "column \"thumb\""
        ),
        ("AFTER", "UPDATE song SET title = 'n' WHERE id = 'b'", "other rows of \"song\""),
        (
            "AFTER",
            """
            BEGIN UPDATE song SET thumb = NULL WHERE id = 'b';
            EXCEPTION WHEN division_by_zero THEN NULL; END
            """, "other rows of \"song\""
        ),
        ("BEFORE", "DELETE FROM song WHERE id = 'b'", "other rows of \"song\""),
        ("BEFORE", "UPDATE child SET file = NULL WHERE id = 'c'", "rows of \"child\""),
        ("AFTER", "DELETE FROM child WHERE song = NEW.id", "rows of \"child\""),
        ("AFTER", "TRUNCATE child", "rows of \"child\""),
        (
            "AFTER",
            """
            INSERT INTO child VALUES ('c') ON CONFLICT (id) DO UPDATE SET file = EXCLUDED.file
            """, "rows of \"child\""
        ),
        ("AFTER", "UPDATE part SET file = NULL", "rows of \"part_a\""),
        ("AFTER", "DELETE FROM part_a", "rows of \"part_a\""),
    ]

    @Test("which change what nobody proved is refused, and nothing is written", arguments: refusals)
    func refused(time: String, body: String, reason: String) async throws {
        let stage = try await stage(time, body)
        let before = try content(stage)
        let error = await #expect(throws: StoreError.self) {
            try await stage.source(keys: Self.keys).update(nulling)
        }
        #expect(try content(stage) == before)
        let found = try #require(error)
        #expect(found.isRefusal)
        #expect(found.reason.contains("a trigger changes \(reason)"), "\(found.reason)")
        #expect(found.reason.hasSuffix("nothing is written"))
    }

    @Test(
        "which take the written row away, or put another beside it, are refused as such",
        arguments: [
            (
                "UPDATE song SET id = 'z' WHERE id = NEW.id AND id <> 'z'",
                "takes the row away or changes its identifier"
            ),
            (
                "DELETE FROM song WHERE id = NEW.id",
                "takes the row away or changes its identifier"
            ),
            (
                "INSERT INTO song VALUES ('a', 'k', 't', 'A', 1)",
                "adds a row of the same identifier"
            ),
        ])
    func takenRow(body: String, reason: String) async throws {
        let stage = try await stage("AFTER", body)
        try stage.database.run("ALTER TABLE song DROP CONSTRAINT song_pkey")
        let before = try content(stage)
        let error = await #expect(throws: StoreError.self) {
            try await stage.source(keys: Self.keys).update(nulling)
        }
        #expect(try content(stage) == before)
        #expect(error?.reason == "a trigger \(reason) with it; nothing is written")
        #expect(error?.hint == "make the change in the app itself" && error?.isRefusal == true)
    }

    @Test("which wait for the transaction's end, or change what a mapped view shows, are refused")
    func waiting() async throws {
        let late = try await Stage(
            """
            \(Self.tables)
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN DELETE FROM child WHERE id = 'c'; RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER x AFTER UPDATE ON song DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION f()
            """)
        let before = try content(late)
        await #expect(throws: StoreError.self) {
            try await late.source(keys: Self.keys).update(nulling)
        }
        #expect(try content(late) == before)
        let view = try await stage(
            "AFTER", "DELETE FROM log", more: "CREATE VIEW seen AS SELECT id, what FROM log;")
        let error = await #expect(throws: StoreError.self) {
            try await view.source(keys: Self.keys.merging(["seen": ["what"]]) { $1 })
                .update(nulling)
        }
        #expect(error?.reason.contains("rows of \"log\"") == true)
    }

    @Test(
        "which write what nothing reads, or add rows, stay as they are",
        arguments: [
            ("BEFORE", "NEW.updated = 2; NEW.title = 'n'"),
            ("AFTER", "UPDATE song SET updated = 2 WHERE id = NEW.id AND updated = 1"),
            ("AFTER", "INSERT INTO log VALUES (NEW.id, 'nulled')"),
            ("AFTER", "UPDATE log SET what = 'y'"), ("AFTER", "DELETE FROM log"),
            ("AFTER", "INSERT INTO child VALUES ('z', 'a', 'c/9', 'x')"),
            ("AFTER", "UPDATE child SET file = NULL WHERE id = 'none'"),
            ("AFTER", "PERFORM 1"),
        ])
    func allowed(time: String, body: String) async throws {
        let stage = try await stage(time, body)
        #expect(try await stage.source(keys: Self.keys).update(nulling) == .written)
        #expect(
            try stage.database.rows("SELECT key FROM song ORDER BY id") == [[nil], ["o"]])
    }

    @Test("which could do so where the server counts nothing are refused")
    func uncounted() async throws {
        let stage = try await stage("AFTER", "PERFORM 1")
        try stage.database.run(
            "ALTER DATABASE \(stage.database.name) SET track_counts = off")
        let error = await #expect(throws: StoreError.self) {
            try await stage.source(keys: Self.keys).update(nulling)
        }
        #expect(error?.reason.contains("track_counts is off") == true)
        try stage.database.run("DROP TRIGGER x ON song")
        #expect(try await stage.source(keys: Self.keys).update(nulling) == .written)
    }
}
