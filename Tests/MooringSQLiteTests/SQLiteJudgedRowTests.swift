import Glibc
import MooringModel
import MooringSQLite
import StoreConformance
import Testing

@Suite("What an act reads of an SQLite row, and what pass B saw of it")
struct SQLiteJudgedRowTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    // Every storage class under every affinity, and what SQLite computes beside it.
    private static let tables = """
        CREATE TABLE t(id TEXT PRIMARY KEY, a INTEGER, b REAL, c NUMERIC, d BLOB, e,
          f TEXT COLLATE NOCASE, g DATETIME, h BOOLEAN, "odd ""name" TEXT,
          i TEXT AS (a || '!') VIRTUAL, j INTEGER AS (length(d)) STORED);
        CREATE TABLE w(pk TEXT, sk INTEGER, v, PRIMARY KEY (pk, sk)) WITHOUT ROWID;
        INSERT INTO w VALUES ('a', 1, 1.0), ('a', 2, x''), ('b', -1, NULL);
        """
    private static let values = [
        "NULL", "0", "-9223372036854775808", "9223372036854775807", "5.0", "-0.0", "0.1", "1e300",
        "9e999", "-9e999", "12345678901234567890", "''", "x''", "x'00ff00'", "CAST(x'ff' AS TEXT)",
        "'007'", "' 5 '", "'true'", "'2026-11-22 03:04:05'", "'é' || char(0) || 'b'",
        "'{\"k\": [1, 2]}'", "'[]'", "zeroblob(5000000)", "'Ab'",
    ]

    private func source(_ pragmas: String) throws -> SQLiteSource {
        let app = try AppDatabase("\(folder.path)/app.sqlite", pragmas + Self.tables)
        for (number, value) in Self.values.enumerated() {
            let cells = Array(repeating: value, count: 9).joined(separator: ", ")
            let names = "id, a, b, c, d, e, f, g, h, \"odd \"\"name\""
            try app.run("INSERT INTO t(\(names)) VALUES ('r\(number)', \(cells))")
        }
        return SQLiteSource(folder)
    }

    @Test(
        "every value of every class is the same, in each form of the file",
        arguments: [
            "", "PRAGMA journal_mode = WAL;", "PRAGMA encoding = 'UTF-16le';",
            "PRAGMA encoding = 'UTF-16be'; PRAGMA journal_mode = WAL;",
        ])
    func values(pragmas: String) async throws {
        let source = try source(pragmas)
        let count = try await source.readsAtTheActWhatWasScanned("t", id: ["id"])
        #expect(count == Self.values.count)
        #expect(try await source.readsAtTheActWhatWasScanned("w", id: ["pk", "sk"]) == 3)
    }

    @Test(
        "a virtual table's hidden columns are no part of a row, which goes and comes back without")
    func hiddenColumns() async throws {
        let app = try AppDatabase(
            "\(folder.path)/app.sqlite",
            "CREATE VIRTUAL TABLE t USING fts5(id, v); INSERT INTO t VALUES ('a', 'x'), ('b', '')")
        let source = SQLiteSource(folder)
        #expect(try await source.readsAtTheActWhatWasScanned("t", id: ["id"]) == 2)
        let columns = try await source.columns(table: "t")
        let id = RecordID("a")
        let row = try await source.rows(table: "t", idColumns: ["id"], id: id, columns: columns)
        let whole = zip(columns, try #require(row.first)).map { ColumnValue($0, $1) }
        func change(_ act: RecordChange.Act) -> RecordChange {
            RecordChange(
                act, table: "t", idColumns: ["id"], id: id, expected: act == .delete ? whole : [],
                assignments: act == .delete ? [] : whole)
        }
        #expect(try await source.update(change(.delete)) == .written)
        #expect(try app.strings("SELECT id FROM t") == ["b"])
        #expect(try await source.update(change(.insert)) == .written)
        #expect(try app.strings("SELECT id || v FROM t ORDER BY id") == ["ax", "b"])
    }

    private func deviceSource(_ tables: String) throws -> SQLiteSource {
        let path = "\(folder.path)/phone.sqlite"
        _ = try AppDatabase(
            path,
            "CREATE TABLE Song(id TEXT PRIMARY KEY, cover TEXT);"
                + "INSERT INTO Song VALUES ('a', 'k');" + tables)
        var model = ModelMapping(model: "Song")
        model.version = "_version"
        return SQLiteSource(
            name: "phone", path: path, scratch: folder.path, device: [DeviceModel(model)])
    }

    private static let event =
        "CREATE TABLE MutationEvent(id TEXT, modelId TEXT, modelName TEXT, "
        + "json TEXT, mutationType TEXT, createdAt TEXT, version INTEGER, inProcess INTEGER);"
    private static let metadata =
        "CREATE TABLE MutationSyncMetadata(id TEXT PRIMARY KEY, deleted "
        + "INTEGER, lastChangedAt INTEGER, version INTEGER);"

    @Test("a device's copy whose outbox is not known, or holds the record, is not written")
    func unsent() async throws {
        let nulling = RecordChange(
            table: "Song", idColumns: ["id"], id: RecordID("a"),
            expected: [ColumnValue("cover", .text([107]))],
            assignments: [ColumnValue("cover", .null)])
        for (tables, reason) in [
            (Self.metadata, "it has DataStore's tables, but no MutationEvent"),
            (
                Self.metadata + "CREATE TABLE MutationEvent(id TEXT);",
                "MutationEvent is of an unknown version: it has no column "
            ),
            (
                "CREATE TABLE PersistentRecord(id TEXT);",
                "it has the outbox of Amplify for Android, PersistentRecord, which is not read"
            ),
            (
                Self.metadata + Self.event
                    + "INSERT INTO MutationEvent(id, modelId, modelName)"
                    + " VALUES ('1', 'a', 'Song');",
                "the device has a write of it in its outbox"
            ),
        ] {
            let source = try deviceSource(tables)
            let outcome: String
            do {
                outcome = try await source.update(nulling).staleness ?? "written"
            } catch let error as StoreError {
                outcome = error.reason
            }
            #expect(outcome.hasPrefix(reason), "\(outcome)")
            unlink("\(folder.path)/phone.sqlite")
        }
    }

    @Test("a record of which the service said nothing gets no word of it")
    func noMetadata() async throws {
        let source = try deviceSource(Self.metadata + Self.event)
        let error = await #expect(throws: StoreError.self) {
            try await source.update(
                RecordChange(
                    table: "Song", idColumns: ["id"], id: RecordID("a"),
                    expected: [ColumnValue("cover", .text([107]))],
                    assignments: [ColumnValue("_version", .integer(2))]))
        }
        #expect(
            error?.reason == "the device keeps nothing that the service said of the record")
    }

    @Test("what a device's copy keeps beside its records is a part of their rows")
    func device() async throws {
        let path = "\(folder.path)/app.sqlite"
        _ = try AppDatabase(
            path,
            """
            CREATE TABLE Song(id TEXT PRIMARY KEY, cover TEXT);
            CREATE TABLE MutationSyncMetadata(id TEXT PRIMARY KEY, deleted INTEGER,
              lastChangedAt INTEGER, version INTEGER);
            CREATE TABLE MutationEvent(id TEXT, modelId TEXT, modelName TEXT, json TEXT,
              mutationType TEXT, createdAt TEXT, version INTEGER, inProcess INTEGER);
            INSERT INTO Song VALUES ('a', 'k'), ('b', NULL);
            INSERT INTO MutationSyncMetadata VALUES ('Song|a', 0, 1790000000000, 3)
            """)
        var model = ModelMapping(model: "Song")
        model.changed = "_lastChangedAt"
        let source = SQLiteSource(
            name: "phone", path: path, scratch: folder.path, device: [DeviceModel(model)])
        #expect(try await source.readsAtTheActWhatWasScanned("Song", id: ["id"]) == 2)
        let columns = try await source.readableColumns(
            table: "Song", idColumns: ["id"], id: RecordID("a"))
        #expect(columns.contains("_lastChangedAt"))
    }
}
