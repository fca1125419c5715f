import Foundation
import Glibc
import MooringModel
import MooringSQLite
import Testing

@Suite("A point read of an SQLite database")
struct RowsTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func database(_ sql: String) throws -> SQLiteSource {
        _ = try AppDatabase("\(folder.path)/app.sqlite", sql)
        return SQLiteSource(folder)
    }

    private func found(
        _ source: SQLiteSource, _ id: [UInt8], table: String = "t"
    ) async throws -> [FieldValue] {
        let rows = try await source.rows(
            table: table, idColumns: ["id"], id: RecordID(id), columns: ["v"])
        #expect(rows.allSatisfy { $0.count == 1 })
        return rows.map { $0[0] }
    }

    @Test(
        "finds what a scan calls by these bytes, whatever the column's type and storage class",
        arguments: ["", "TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB", "TEXT COLLATE NOCASE"])
    func everyID(type: String) async throws {
        let source = try database(
            """
            CREATE TABLE t(id \(type), v); CREATE INDEX i ON t(id);
            INSERT INTO t VALUES (5, 0), ('5', 1), (x'35', 2), (5.0, 3), (-9.25e100, 4),
              (9223372036854775807, 5), ('007', 6), ('Ab', 7), ('aB', 8), (x'4162', 9),
              (CAST(x'ff' AS TEXT), 10), (x'ff', 11), ('', 12), (x'', 13), (NULL, 14),
              ('a' || char(0) || 'b', 15), ('a', 16), ('é', 17), (1e15, 18), ('1e15', 19),
              ('9223372036854775808', 20), (' 5', 21), ('5 ', 22), ('+5', 23), (-0.0, 24),
              (12345678901234567890, 25), (0.1, 26), ('inf', 27), (9e999, 28), (-9e999, 29);
            """)
        let scanned = try await collect(source).rows("t")
        #expect(scanned.count == 30)
        for row in scanned {
            guard let id = row[0].bytes else { continue }
            let same = scanned.filter { $0[0].bytes == id }.map { $0[1] }
            #expect(Set(try await found(source, id)) == Set(same), "\(type): \(row[0])")
            #expect(try await found(source, id).count == same.count)
        }
        #expect(try await found(source, Array("nothing".utf8)) == [])
    }

    @Test("matches every part of a composite key, in the order of the columns asked for")
    func compositeKey() async throws {
        let source = try database(
            """
            CREATE TABLE t(pk TEXT, sk INTEGER, v, w, PRIMARY KEY (pk, sk)) WITHOUT ROWID;
            INSERT INTO t VALUES ('a', 1, 'x', 'y'), ('a', 2, 'X', 'Y'), ('b', 1, 'z', 'z');
            """)
        let rows = try await source.rows(
            table: "t", idColumns: ["pk", "sk"],
            id: RecordID(parts: [Array("a".utf8), Array("2".utf8)]), columns: ["w", "sk", "v"])
        #expect(rows == [[.text("Y"), .integer(2), .text("X")]])
        let error = await #expect(throws: StoreError.self) {
            try await source.rows(
                table: "t", idColumns: ["pk", "sk"], id: RecordID("a"), columns: ["v"])
        }
        #expect(try #require(error).reason == "the identifier has 1 parts for 2 id columns")
    }

    // Behind an index no other page of the table is read: one that is broken shows which are.
    @Test("uses the index of the column")
    func index() async throws {
        let source = try database(
            """
            PRAGMA page_size = 4096;
            CREATE TABLE t(id TEXT, v);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO t SELECT 'id-' || i, 'v-' || i FROM n;
            CREATE UNIQUE INDEX t_id ON t(id);
            """)
        let file = try #require(FileHandle(forUpdatingAtPath: "\(folder.path)/app.sqlite"))
        try file.seek(toOffset: 200 * 4_096)
        try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 4_096))
        try file.close()
        func rows(_ column: String, _ id: String) async throws -> [[FieldValue]] {
            try await source.rows(
                table: "t", idColumns: [column], id: RecordID(id), columns: ["v"])
        }
        for number in [1, 10, 100_000] {
            #expect(try await rows("id", "id-\(number)") == [[.text("v-\(number)")]])
        }
        await #expect(throws: StoreError.self) { try await rows("v", "v-1") }
    }

    @Test("finds every text in UTF-16 databases, also by an id that is no valid text there")
    func utf16() async throws {
        let source = try database(
            """
            PRAGMA encoding = 'UTF-16le';
            CREATE TABLE t(id TEXT PRIMARY KEY, v);
            INSERT INTO t VALUES ('ascii', 1), ('é😀', 2), (CAST(x'00d8' AS TEXT), 3),
              (CAST(x'00dc4100' AS TEXT), 4);
            """)
        for row in try await collect(source).rows("t") {
            let id = try #require(row[0].bytes)
            #expect(try await found(source, id) == [row[1]])
        }
    }

    @Test("reads a column whose collation only the app knows")
    func missingCollation() async throws {
        let source = try database(
            """
            CREATE TABLE t(id TEXT, v); INSERT INTO t VALUES ('a', 1), ('A', 2);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE t(id TEXT COLLATE app_order, v)';
            """)
        #expect(try await found(source, Array("A".utf8)) == [.integer(2)])
        let change = RecordChange(
            table: "t", idColumns: ["id"], id: RecordID("A"),
            expected: [ColumnValue("v", .integer(2))], assignments: [ColumnValue("v", .null)])
        #expect(try await source.update(change) == .written)
        #expect(try await found(source, Array("A".utf8)) == [.null])
        #expect(try await found(source, Array("a".utf8)) == [.integer(1)])
    }

    @Test("sees a write that was committed just before", arguments: ["WAL", "DELETE"])
    func fresh(mode: String) async throws {
        let source = try database("PRAGMA journal_mode = \(mode); CREATE TABLE t(id, v);")
        let app = try AppDatabase("\(folder.path)/app.sqlite")
        for number in 0..<20 {
            try app.run("INSERT INTO t VALUES ('a', \(number))")
            #expect(try await found(source, Array("a".utf8)).count == number + 1)
        }
    }

    @Test("fails on an unknown table or column instead of finding nothing")
    func unknown() async throws {
        let source = try database("CREATE TABLE t(id, v); INSERT INTO t VALUES ('id', 1);")
        for (table, id, column) in [("tt", "id", "v"), ("t", "idd", "v"), ("t", "id", "w")] {
            await #expect(throws: StoreError.self) {
                try await source.rows(
                    table: table, idColumns: [id], id: RecordID(id), columns: [column])
            }
        }
    }
}
