import MooringModel
import MooringSQLite
import Testing

@Suite("The columns of an SQLite table that do not take every write")
struct ColumnLimitTests {
    @Test("are those that are NOT NULL, in whatever table, and those that are computed")
    func limits() async throws {
        let folder = try TestFolder()
        _ = try AppDatabase(
            "\(folder.path)/app.sqlite",
            """
            CREATE TABLE Song(id TEXT PRIMARY KEY, cover TEXT NOT NULL, free TEXT,
              low TEXT AS (lower(cover)) VIRTUAL, high TEXT NOT NULL AS (upper(cover)) STORED);
            CREATE TABLE Exact(id TEXT PRIMARY KEY, cover TEXT NOT NULL DEFAULT '') STRICT;
            CREATE TABLE Pair(a TEXT, b TEXT, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
            """)
        let source = SQLiteSource(folder)
        #expect(
            try await source.columnLimits(table: "Song")
                == ["cover": .noNull, "low": .computed, "high": .computed])
        #expect(
            try await source.columnLimits(table: "Exact") == ["id": .noNull, "cover": .noNull])
        #expect(try await source.columnLimits(table: "Pair") == ["a": .noNull, "b": .noNull])
        await #expect(throws: StoreError.self) { try await source.columnLimits(table: "Sing") }
    }
}
