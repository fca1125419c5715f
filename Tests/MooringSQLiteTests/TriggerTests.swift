import MooringModel
import Testing

@testable import MooringSQLite

/// Triggers that an app runs when one of its rows is written: what they do to what Mooring reads
/// was proven by nobody.
@Suite("A conditional write and the triggers of an app")
struct TriggerTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    private static let tables = """
        CREATE TABLE Song(id PRIMARY KEY, key, thumb, album, gone, title, updatedAt);
        CREATE TABLE Child(id PRIMARY KEY, song, file UNIQUE, note);
        CREATE TABLE Log(id PRIMARY KEY, song, what);
        CREATE TABLE Bare(id PRIMARY KEY, file, note) WITHOUT ROWID;
        INSERT INTO Song VALUES ('a', 'old', 't/a', 'l', 0, 'A', 1);
        INSERT INTO Song VALUES ('b', 'o', 't/b', 'l', 0, 'B', 1);
        INSERT INTO Child VALUES ('c', 'a', 'c/1', 'x'), ('d', 'a', 'c/2', 'x');
        INSERT INTO Log VALUES (1, 'a', 'x');
        INSERT INTO Bare VALUES ('e', 'e/1', 'x');
        """

    private static let mapping: RecordMapping = {
        var song = ModelMapping(model: "Song", changed: "updatedAt", deleted: "gone")
        song.files = [FileField(field: "key"), FileField(field: "thumb")]
        song.relations = [Relation(field: "album", model: "Album")]
        var child = ModelMapping(model: "Child")
        child.files = [FileField(field: "file")]
        var bare = ModelMapping(model: "Bare")
        bare.files = [FileField(field: "file")]
        return RecordMapping(source: "app", models: [song, child, bare])
    }()

    private func source(_ mapping: RecordMapping = mapping) -> SQLiteSource {
        SQLiteSource(
            name: "app", path: path, scratch: folder.path, mapping: mapping,
            busyTimeout: .milliseconds(100))
    }

    private let nulling = RecordChange(
        table: "Song", idColumns: ["id"], id: RecordID("a"),
        expected: [ColumnValue("key", .text("old"))], assignments: [ColumnValue("key", .null)])

    /// The tables with a trigger of this body, and what they hold.
    private func app(_ body: String, more: String = "") throws -> AppDatabase {
        try AppDatabase(
            path,
            """
            \(Self.tables)\(more)
            CREATE TRIGGER r AFTER UPDATE OF key ON Song WHEN NEW.key IS NULL BEGIN \(body); END;
            """)
    }

    private static let columns = [
        "Song": ["id", "key", "thumb", "album", "gone", "title", "updatedAt"],
        "Child": ["id", "song", "file", "note"], "Log": ["id", "song", "what"],
        "Bare": ["id", "file", "note"],
    ]

    private func content(_ app: AppDatabase) throws -> [String: [String]] {
        var content: [String: [String]] = [:]
        for (table, columns) in Self.columns {
            let row = columns.map { "ifnull(\($0), '-')" }.joined(separator: " || '|' || ")
            content[table] = try app.strings("SELECT \(row) FROM \(table) ORDER BY id")
        }
        return content
    }

    private func expectRefused(
        _ app: AppDatabase, by source: SQLiteSource? = nil, _ reason: String
    ) async throws {
        let before = try content(app)
        let error = await #expect(throws: StoreError.self) {
            try await (source ?? self.source()).update(nulling)
        }
        #expect(try content(app) == before)
        let found = try #require(error)
        #expect(found.isRefusal)
        #expect(found.reason.contains(reason), "\(found.reason)")
        #expect(found.reason.hasSuffix("nothing is written"))
        #expect(found.hint == "make the change in the app itself")
    }

    @Test(
        "which change another mapped column of the row is refused",
        arguments: ["thumb = NULL", "album = NULL", "gone = 1", "thumb = 't/b', updatedAt = 2"])
    func ownRow(setter: String) async throws {
        let app = try app("UPDATE Song SET \(setter) WHERE id = NEW.id")
        try await expectRefused(app, "a trigger changes column")
    }

    private static let child = "a trigger changes rows of \"Child\" with it"
    private static let other = "a trigger changes other rows of \"Song\" with it"
    private static let bare =
        "a trigger may change rows of \"Bare\", whose changes SQLite does not tell with it"

    @Test(
        "which change or remove another row that is mapped is refused",
        arguments: [
            ("UPDATE Child SET file = NULL WHERE id = 'c'", child),
            ("DELETE FROM Child WHERE id = 'c'", child), ("DELETE FROM Child", child),
            ("UPDATE Song SET thumb = NULL WHERE id = 'b'", other),
            ("DELETE FROM Song WHERE id = 'b'", other),
            ("UPDATE Child SET id = 'z' WHERE id = 'c'", child),
            ("INSERT OR REPLACE INTO Child VALUES ('c', 'a', NULL, 'x')", child),
            ("INSERT OR REPLACE INTO Child VALUES ('z', 'a', 'c/1', 'x')", child),
            ("UPDATE OR REPLACE Child SET file = 'c/1' WHERE id = 'd'", child),
            ("UPDATE Bare SET file = NULL", bare), ("DELETE FROM Bare WHERE id = 'e'", bare),
            ("INSERT OR REPLACE INTO Bare VALUES ('e', NULL, 'x')", bare),
        ])
    func otherRows(body: String, reason: String) async throws {
        try await expectRefused(try app(body), reason)
    }

    @Test(
        "which take the written row away, or its name, is refused as such",
        arguments: [
            ("DELETE FROM Song WHERE id = NEW.id", "a trigger takes the row away with it"),
            (
                "UPDATE Song SET id = 'z' WHERE id = NEW.id",
                "a trigger changes column \"id\" with it"
            ),
        ])
    func takenRow(body: String, reason: String) async throws {
        try await expectRefused(try app(body), reason)
    }

    @Test("which reach a mapped row through another table's trigger are refused")
    func nested() async throws {
        let app = try app(
            "INSERT INTO Log VALUES (2, NEW.id, 'nulled')",
            more: """
                CREATE TRIGGER s AFTER INSERT ON Log BEGIN DELETE FROM Child WHERE song = NEW.song;
                END;
                """)
        try await expectRefused(app, "\"Child\"")
    }

    @Test("which change a table under a mapped view are refused")
    func views() async throws {
        let app = try app(
            "DELETE FROM Log", more: "CREATE VIEW Seen AS SELECT id, what AS file FROM Log;")
        var mapping = Self.mapping
        var seen = ModelMapping(model: "Seen")
        seen.files = [FileField(field: "file")]
        mapping.models.append(seen)
        try await expectRefused(app, by: source(mapping), "\"Log\"")
    }

    @Test(
        "which write what nothing reads, or add rows, stay as they are",
        arguments: [
            "UPDATE Song SET updatedAt = 2, title = 'n' WHERE id = NEW.id",
            "INSERT INTO Log VALUES (2, NEW.id, 'nulled')", "DELETE FROM Log",
            "UPDATE Log SET what = 'y'", "INSERT OR REPLACE INTO Log VALUES (1, 'a', 'y')",
            "INSERT INTO Child VALUES ('z', 'a', 'c/9', 'x')",
            "INSERT OR REPLACE INTO Child VALUES ('z', 'a', 'c/9', 'x')",
            "UPDATE Child SET note = 'y'", "UPDATE Bare SET note = 'y'",
            "UPDATE Child SET file = NULL WHERE id = 'none'", "SELECT 1",
        ])
    func allowed(body: String) async throws {
        let app = try app(body)
        #expect(try await source().update(nulling) == .written)
        #expect(try app.strings("SELECT key FROM Song ORDER BY id") == ["nil", "o"])
    }
}
