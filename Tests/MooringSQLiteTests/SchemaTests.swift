import MooringModel
import MooringSQLite
import Testing

@Suite("The schema of an SQLite database")
struct SchemaTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test("lists tables with declared types and the primary key in its own order")
    func tables() throws {
        _ = try AppDatabase(
            "\(folder.path)/app.sqlite",
            """
            CREATE TABLE [b "x"](k TEXT, s VARCHAR(10), n, g INT AS (n) VIRTUAL,
              PRIMARY KEY (s, k));
            CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT);
            CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(body);
            """)
        let tables = try SQLiteSource(folder).tables()
        #expect(tables.filter(\.isOrdinary).map(\.name) == ["a", "b \"x\""])
        #expect(tables.contains { $0.name == "f" && !$0.isOrdinary })
        #expect(!tables.contains { $0.name == "v" || $0.name.hasPrefix("sqlite_") })
        #expect(tables[0].primaryKey == ["id"])
        #expect(tables[1].primaryKey == ["s", "k"])
        #expect(tables[1].columns.map(\.name) == ["k", "s", "n", "g"])
        #expect(tables[1].columns.map(\.declaredType) == ["TEXT", "VARCHAR(10)", "", "INT"])
    }

    @Test("says the journal mode", arguments: ["wal", "delete"])
    func journalMode(mode: String) throws {
        _ = try AppDatabase(
            "\(folder.path)/app.sqlite", "PRAGMA journal_mode = \(mode); CREATE TABLE t(x);")
        #expect(try SQLiteSource(folder).journalMode() == mode)
    }

    @Test("escapes control characters of a name in messages, and bounds what long names cost")
    func hostileNames() async throws {
        var sql = "BEGIN; CREATE TABLE \"a\u{1b}[2J\nb\"(x);"
        for number in 0..<50 {
            let long = String(repeating: "n", count: 500)
            sql += "CREATE TABLE \"\(long)\(number)\"(x);"
        }
        _ = try AppDatabase("\(folder.path)/app.sqlite", sql + "COMMIT")
        let wanted = ["a\u{1b}[2J\nc", String(repeating: "n", count: 500)]
        let read = try await collect(
            SQLiteSource(folder), .columns(wanted.map { TableColumns(table: $0, columns: ["x"]) }))
        #expect(read.result.problemCount == 2)
        #expect(read.problems.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\n") })
        #expect(read.problems.allSatisfy { $0.utf8.count < 1_000 })
        #expect(try #require(read.problems.first).contains("\"a\\u{1B}[2J\\nb\""))
    }
}
