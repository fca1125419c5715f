import MooringModel
import MooringSQLite
import Testing

@Suite("A scan of an SQLite database")
struct ScanTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func database(_ sql: String, _ file: String = "app.sqlite") throws -> SQLiteSource {
        _ = try AppDatabase("\(folder.path)/\(file)", sql)
        return SQLiteSource(folder, file)
    }

    @Test("keeps storage classes and every byte, in either encoding of the database")
    func storageClasses() async throws {
        let source = try database(
            """
            CREATE TABLE v(x);
            INSERT INTO v VALUES (NULL), (9223372036854775807), (-1.5), ('7'), (x'37'), (''),
              (x''), (CAST(x'ff00fe' AS TEXT)), ('a' || char(10) || char(0) || 'b'), ('é');
            """)
        let read = try await collect(source)
        let values: [FieldValue] = [
            .null, .integer(.max), .real(-1.5), .text("7"), .blob([0x37]), .text([]), .blob([]),
            .text([0xff, 0, 0xfe]), .text("a\n\0b"), .text("é"),
        ]
        #expect(read.rows("v") == values.map { [$0] })
        #expect(read.result.isComplete)
        #expect(read.result.consistency == "snapshot")
        #expect(read.batches.first?.columns == ["x"])
    }

    @Test("reads UTF-16 databases as UTF-8, and broken text in them without a crash")
    func utf16() async throws {
        for encoding in ["UTF-16le", "UTF-16be"] {
            let source = try database(
                """
                PRAGMA encoding = '\(encoding)';
                CREATE TABLE "é"("ü" TEXT);
                INSERT INTO "é" VALUES ('añ' || char(0) || '😀'), (CAST(x'00d8' AS TEXT)),
                  (CAST(x'd8' AS TEXT)), (CAST(x'dc00d8004100' AS TEXT)), (x'ff');
                """, encoding)
            let read = try await collect(
                source, .columns([TableColumns(table: "é", columns: ["ü"])]))
            #expect(read.result.isComplete)
            let rows = read.rows("é")
            #expect(rows.count == 5)
            #expect(rows.first == [.text("añ\0😀")])
            #expect(rows.last == [.blob([0xff])])
        }
    }

    @Test("reads any name of a table or column, down to one that is not valid UTF-8")
    func names() async throws {
        let odd = ["we\"ird ]`'", "select", "Ünï\u{301}", "a;b--", "%s", " ", "line\nbreak"]
        var sql = ""
        for name in odd {
            let quoted =
                "\""
                + name.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\""
            sql +=
                "CREATE TABLE \(quoted)(\(quoted)); INSERT INTO \(quoted) VALUES ('\(odd.count)');"
        }
        sql += "PRAGMA writable_schema = ON; CREATE TABLE aXb(y); INSERT INTO aXb VALUES (1);"
        sql += "UPDATE sqlite_master SET name = CAST(x'61ff62' AS TEXT), "
        sql += "tbl_name = CAST(x'61ff62' AS TEXT), "
        sql += "sql = CAST(x'435245415445205441424c452022' || x'61ff62' || x'22287929' AS TEXT) "
        sql += "WHERE name = 'aXb';"
        let source = try database(sql)
        let wanted = odd.map { TableColumns(table: $0, columns: [$0]) }
        let read = try await collect(source, .columns(wanted))
        #expect(read.problems == [])
        for name in odd { #expect(read.rows(name) == [[.text("7")]]) }
        let all = try await collect(source)
        #expect(all.problems == [])
        #expect(all.rows("a\u{fffd}b") == [[.integer(1)]])
        #expect(Set(all.tables) == Set(odd + ["a\u{fffd}b"]))
    }

    @Test("tells names apart that differ only in their Unicode form or their case")
    func nameForms() async throws {
        let source = try database(
            """
            CREATE TABLE "\u{e9}"(x); INSERT INTO "\u{e9}" VALUES ('one');
            CREATE TABLE "e\u{301}"(x); INSERT INTO "e\u{301}" VALUES ('two');
            """)
        let wanted = ["e\u{301}", "\u{c9}"].map { TableColumns(table: $0, columns: ["x"]) }
        let read = try await collect(source, .columns(wanted))
        #expect(read.batches.map(\.rows) == [[[.text("two")]]])
        let upper = try await collect(
            source, .columns([TableColumns(table: "\u{e9}", columns: ["X"])]))
        #expect(upper.batches.isEmpty)
        #expect(upper.result.problemCount == 1)
    }

    @Test("names what is missing with its nearest names, and reads the other tables")
    func unknownNames() async throws {
        let source = try database(
            """
            CREATE TABLE Song(id, coverArtKey, title); CREATE TABLE Tag(id);
            INSERT INTO Tag VALUES (1); INSERT INTO Song VALUES (1, 2, 3);
            """)
        let read = try await collect(
            source,
            .columns([
                TableColumns(table: "Sogn", columns: ["id"]),
                TableColumns(table: "Song", columns: ["id", "coverKey"]),
                TableColumns(table: "Tag", columns: ["id"]),
            ]))
        #expect(read.tables == ["Tag"])
        let path = "\(folder.path)/app.sqlite"
        #expect(
            read.problems == [
                "\(path), table \"Sogn\": there is no such table; "
                    + "the nearest are \"Song\", \"Tag\"",
                "\(path), table \"Song\": there is no column \"coverKey\"; "
                    + "the nearest are \"coverArtKey\", \"title\", \"id\"",
            ])
    }

    @Test("of everything reads generated columns, virtual tables and their insides, not views")
    func everything() async throws {
        let source = try database(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, k,
              g TEXT AS (k || '!') VIRTUAL, s TEXT AS (k || '?') STORED);
            INSERT INTO t(k) VALUES ('key');
            CREATE VIEW w AS SELECT k FROM t;
            CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('inside');
            CREATE TABLE p(a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO p VALUES ('a', 1);
            """)
        let read = try await collect(source)
        #expect(read.problems == [])
        #expect(read.rows("t") == [[.integer(1), .text("key"), .text("key!"), .text("key?")]])
        #expect(read.rows("f") == [[.text("inside")]])
        #expect(read.rows("f_content") == [[.integer(1), .text("inside")]])
        #expect(read.rows("p") == [[.text("a"), .integer(1)]])
        #expect(!read.tables.contains { $0 == "w" || $0.hasPrefix("sqlite_") })
    }

    @Test("reports a virtual table whose module is missing and reads the others")
    func missingModule() async throws {
        let source = try database(
            """
            CREATE TABLE t(x); INSERT INTO t VALUES (1); PRAGMA writable_schema = ON;
            INSERT INTO sqlite_master VALUES
              ('table', 'a', 'a', 0, 'CREATE VIRTUAL TABLE a USING nowhere(x)');
            """)
        let read = try await collect(source)
        #expect(read.tables == ["t"])
        #expect(
            read.problems == ["\(folder.path)/app.sqlite, table \"a\": no such module: nowhere"])
        let table = try #require(try source.tables().first)
        #expect(table.name == "a")
        #expect(!table.isOrdinary)
    }

    @Test("delivers 100,000 rows in batches within their bounds")
    func manyRows() async throws {
        let source = try database(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
            INSERT INTO t SELECT i, 'private/' || i FROM n;
            """)
        let read = try await collect(
            source, .columns([TableColumns(table: "t", columns: ["k", "id"])]))
        #expect(read.batches.allSatisfy { (1...1_000).contains($0.rows.count) })
        #expect(read.batches.count == 101)
        let ids = read.rows("t").map { $0[1] }
        #expect(ids == (1...100_001).map { .integer($0) })
        #expect(read.rows("t").last == [.text("private/100001"), .integer(100_001)])
    }

    @Test("ends a batch with the row that brings it to 4 MiB")
    func largeRows() async throws {
        let source = try database(
            """
            CREATE TABLE t(x);
            INSERT INTO t VALUES (zeroblob(3000000)), (zeroblob(1000000)), (zeroblob(500000)),
              (zeroblob(6000000)), (zeroblob(1)), (zeroblob(2));
            """)
        let sizes = try await collect(source).batches.map { batch in
            batch.rows.map { $0[0].bytes?.count }
        }
        #expect(sizes == [[3_000_000, 1_000_000, 500_000], [6_000_000], [1, 2]])
    }

    @Test("passes on an error of the receiver, and only that")
    func receiverError() async throws {
        struct Stop: Error {}
        let source = try database("CREATE TABLE t(x); INSERT INTO t VALUES (1);")
        await #expect(throws: Stop.self) {
            try await source.scan(.everything) { _ in throw Stop() }
        }
        #expect(TestFolder.names(in: folder.path) == ["app.sqlite", "scratch"])
    }

    @Test("takes a path that SQLite would read as a URI or as memory for a file")
    func specialPaths() async throws {
        for path in [":memory:", "file:nowhere?mode=memory", "", "a\0b"] {
            let read = try await collect(SQLiteSource(name: "app", path: path))
            #expect(!read.result.isComplete)
        }
    }
}
