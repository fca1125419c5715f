import MooringModel
import MooringSQLite
import Testing

@Suite("A conditional write to an SQLite database")
struct UpdateTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    private func change(
        _ table: String = "t", id: String = "a", expected: [ColumnValue],
        _ assignments: [ColumnValue]
    ) -> RecordChange {
        RecordChange(
            table: table, idColumns: ["id"], id: RecordID(id), expected: expected,
            assignments: assignments)
    }

    /// Each row's columns, by storage class and bytes, as another reader sees them.
    private func dump(_ table: String = "t", _ columns: String = "v") throws -> [String] {
        let list = columns.split(separator: ",")
            .map { "typeof(\($0)) || ':' || hex(\($0))" }.joined(separator: " || ' ' || ")
        return try AppDatabase(path).strings("SELECT \(list) FROM \(table) ORDER BY \(columns)")
    }

    @Test(
        "changes one record and no other, in every kind of table and journal",
        arguments: ["WAL", "DELETE"], ["", "WITHOUT ROWID"])
    func written(mode: String, suffix: String) async throws {
        _ = try AppDatabase(
            path,
            """
            PRAGMA journal_mode = \(mode);
            CREATE TABLE t(id TEXT PRIMARY KEY COLLATE NOCASE, v TEXT, version INT) \(suffix);
            INSERT INTO t VALUES ('a', 'key', 3), ('b', 'key', 3);
            """)
        let source = SQLiteSource(folder)
        let first = change(
            expected: [ColumnValue("v", .text("key")), ColumnValue("version", .integer(3))],
            [ColumnValue("v", .null), ColumnValue("version", .integer(4))])
        #expect(try await source.update(first) == .written)
        #expect(try dump("t", "v,version") == ["null: integer:34", "text:6B6579 integer:33"])
        #expect(
            try await source.update(first) == .stale("column \"v\" holds another value now"))
        let back = change(
            expected: [ColumnValue("v", .null), ColumnValue("version", .integer(4))],
            [ColumnValue("v", .text("key"))])
        #expect(try await source.update(back) == .written)
        #expect(try dump("t", "v,version") == ["text:6B6579 integer:33", "text:6B6579 integer:34"])
    }

    @Test(
        "compares every byte and the storage class, and changes nothing otherwise",
        arguments: [
            ("'Key'", .text("key")), ("'key'", .blob(Array("key".utf8))),
            ("x'6b6579'", .text("key")),
            ("'key '", .text("key")), ("NULL", .text("")), ("''", .null), ("5", .text("5")),
            ("5", .real(5)), ("5.0", .integer(5)), ("'5'", .integer(5)), ("NULL", .absent),
            ("'a' || char(0) || 'b'", .text("a\0c")), ("CAST(x'ff' AS TEXT)", .text([0xfe])),
            ("9007199254740993", .real(9_007_199_254_740_992)), ("'[1]'", .json(Array("[1]".utf8))),
            ("'é'", .text("e\u{301}")), ("0.1", .real(0.1.nextUp)),
        ] as [(String, FieldValue)])
    func stale(stored: String, expected: FieldValue) async throws {
        _ = try AppDatabase(
            path,
            """
            CREATE TABLE t(id, v COLLATE NOCASE); INSERT INTO t VALUES ('a', \(stored));
            """)
        let before = try dump()
        let outcome = try await SQLiteSource(folder).update(
            change(expected: [ColumnValue("v", expected)], [ColumnValue("v", .text("new"))]))
        #expect(outcome == .stale("column \"v\" holds another value now"))
        #expect(try dump() == before)
    }

    @Test(
        "writes and expects every value byte for byte, in either encoding of the database",
        arguments: ["UTF-8", "UTF-16le"],
        [
            .null, .integer(.min), .real(0.1), .text(""), .blob([]), .blob([0, 0xff]),
            .text("[\"a\", null,\n \"é😀\"]  "), .text("a\0b"), .text("007"),
        ] as [FieldValue])
    func values(encoding: String, value: FieldValue) async throws {
        _ = try AppDatabase(
            path,
            "PRAGMA encoding = '\(encoding)'; CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 1);"
        )
        let source = SQLiteSource(folder)
        let write = change(expected: [ColumnValue("v", .integer(1))], [ColumnValue("v", value)])
        #expect(try await source.update(write) == .written)
        let rows = try await source.rows(
            table: "t", idColumns: ["id"], id: RecordID("a"), columns: ["v"])
        #expect(rows == [[value]])
        let back = change(expected: [ColumnValue("v", value)], [ColumnValue("v", .integer(1))])
        #expect(try await source.update(back) == .written)
        #expect(try dump() == ["integer:31"])
    }

    @Test("keeps text that is not valid UTF-8 where the database can, and refuses elsewhere")
    func invalidText() async throws {
        for encoding in ["UTF-8", "UTF-16be"] {
            _ = try AppDatabase(
                "\(folder.path)/\(encoding)",
                """
                PRAGMA encoding = '\(encoding)';
                CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 1);
                """)
            let source = SQLiteSource(folder, encoding)
            let write = change(
                expected: [ColumnValue("v", .integer(1))], [ColumnValue("v", .text([0x61, 0xff]))])
            if encoding == "UTF-8" {
                #expect(try await source.update(write) == .written)
            } else {
                await #expect(throws: StoreError.self) { try await source.update(write) }
            }
            let rows = try await source.rows(
                table: "t", idColumns: ["id"], id: RecordID("a"), columns: ["v"])
            #expect(rows == [[encoding == "UTF-8" ? .text([0x61, 0xff]) : .integer(1)]])
        }
    }

    @Test("says whether there is no such record or more than one")
    func recordCount() async throws {
        _ = try AppDatabase(
            path,
            """
            CREATE TABLE t(id COLLATE NOCASE, v);
            INSERT INTO t VALUES ('A', 1), ('2', 1), (2, 9), ('c', 1), ('C', 1);
            """)
        let source = SQLiteSource(folder)
        let one = [ColumnValue("v", .integer(1))]
        let new = [ColumnValue("v", .integer(7))]
        #expect(
            try await source.update(change(id: "a", expected: one, new))
                == .stale("no such record"))
        #expect(
            try await source.update(change(id: "2", expected: one, new))
                == .stale("several rows have this id"))
        #expect(try dump().contains("integer:37") == false)
        #expect(try await source.update(change(id: "c", expected: one, new)) == .written)
        #expect(
            try AppDatabase(path).strings("SELECT id FROM t WHERE v = 7") == ["c"])
    }

    @Test("names rows by a rowid that a column hides, and by odd primary keys")
    func addresses() async throws {
        _ = try AppDatabase(
            path,
            """
            CREATE TABLE t(id, rowid, _ROWID_, v);
            INSERT INTO t VALUES ('a', 1, 1, 1), ('b', 1, 1, 1);
            CREATE TABLE n(id, rowid, _rowid_, oid, v); INSERT INTO n VALUES ('a', 1, 1, 1, 1);
            CREATE TABLE p(id, "odd ""k" COLLATE NOCASE, v,
              PRIMARY KEY (id, "odd ""k" COLLATE BINARY)) WITHOUT ROWID;
            INSERT INTO p VALUES ('a', 'x', 1), ('A', 'X', 1), ('b', x'00ff', 1), ('b', 'X', 1),
              ('c', 'x', 1), ('c', 'X', 1);
            """)
        let source = SQLiteSource(folder)
        let one = [ColumnValue("v", .integer(1))]
        let new = [ColumnValue("v", .integer(7))]
        #expect(try await source.update(change("t", expected: one, new)) == .written)
        #expect(try await source.update(change("p", id: "A", expected: one, new)) == .written)
        #expect(try AppDatabase(path).strings("SELECT id FROM t WHERE v = 7") == ["a"])
        #expect(try AppDatabase(path).strings("SELECT id FROM p WHERE v = 7") == ["A"])
        await #expect(throws: StoreError.self) {
            try await source.update(change("n", expected: one, new))
        }
        let composite = RecordChange(
            table: "p", idColumns: ["id", "odd \"k"],
            id: RecordID(parts: [[0x62], [0, 0xff]]), expected: one, assignments: new)
        #expect(try await source.update(composite) == .written)
        let nearlySame = RecordChange(
            table: "p", idColumns: ["id", "odd \"k"], id: RecordID(parts: [[0x63], [0x58]]),
            expected: one, assignments: new)
        #expect(try await source.update(nearlySame) == .written)
        let changed = "SELECT id || hex(\"odd \"\"k\") FROM p WHERE v = 7 ORDER BY 1"
        #expect(try AppDatabase(path).strings(changed) == ["A58", "b00FF", "c58"])
    }

    @Test("loses to a writer that was first, and never overwrites what it wrote")
    func concurrentWriters() async throws {
        _ = try AppDatabase(
            path,
            "PRAGMA journal_mode = WAL; CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 0);")
        let source = SQLiteSource(name: "app", path: path)
        let changes = (1...8).map { number in
            change(
                expected: [ColumnValue("v", .integer(0))],
                [ColumnValue("v", .integer(Int64(number)))])
        }
        let outcomes = try await withThrowingTaskGroup(of: UpdateOutcome.self) { group in
            for change in changes { group.addTask { try await source.update(change) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .written } == 1)
        #expect(outcomes.count == 8)
    }
}
