import MooringModel
import MooringSQLite
import Testing

@Suite("The foreign keys that an SQLite database declares")
struct ForeignColumnTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test("are told column by column, as the tables spell them, with the column they point to")
    func columns() async throws {
        _ = try AppDatabase(
            "\(folder.path)/app.sqlite",
            """
            CREATE TABLE Song(id TEXT PRIMARY KEY, cover TEXT UNIQUE, up REFERENCES song);
            CREATE TABLE Pair(sk TEXT, n, pk TEXT, PRIMARY KEY (pk, sk));
            CREATE TABLE Play(id, song REFERENCES SONG(ID), cover REFERENCES song(Cover),
              a, b, c, d, gone REFERENCES nowhere, none REFERENCES Song(missing),
              FOREIGN KEY (a, b) REFERENCES Pair, FOREIGN KEY (c, d) REFERENCES pair(sk, pk));
            CREATE TABLE Free(song TEXT);
            """)
        let found = await SQLiteSource(folder).foreignColumns()
        let told = found.map { "\($0.table).\($0.column) \($0.target).\($0.targetColumn)" }
        #expect(
            told.sorted() == [
                "Play.a Pair.pk", "Play.b Pair.sk", "Play.c Pair.sk", "Play.cover Song.cover",
                "Play.d Pair.pk", "Play.song Song.id", "Song.up Song.id",
            ])
    }

    @Test("are none where the database cannot be read, which protects more")
    func unreadable() async throws {
        #expect(await SQLiteSource(folder, "none.sqlite").foreignColumns() == [])
    }
}
