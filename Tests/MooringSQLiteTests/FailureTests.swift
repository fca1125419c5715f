import Dispatch
import Foundation
import Glibc
import MooringModel
import MooringSQLite
import Testing

@Suite("A database that cannot be read")
struct FailureTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    private func fill(_ mode: String = "DELETE") throws {
        _ = try AppDatabase(
            path,
            """
            PRAGMA page_size = 1024; PRAGMA journal_mode = \(mode);
            CREATE TABLE a(x); CREATE TABLE z(x); INSERT INTO z VALUES ('rest');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO a SELECT 'text that takes room ' || i FROM n;
            """)
    }

    @Test("A script is written over nothing, and not where no database can be made")
    func scripts() throws {
        try fill()
        let taken = #expect(throws: StoreError.self) { try SQLiteScript.run([], path: path) }
        #expect(taken?.reason == "it exists, and nothing is written over it")
        let nowhere = #expect(throws: StoreError.self) {
            try SQLiteScript.run([], path: "\(folder.path)/none/app.sqlite")
        }
        #expect(nowhere?.reason == "cannot make a database: unable to open database file")
    }

    /// What a scan, a point read and a look at the tables say; all must fail.
    private func reasons(_ source: SQLiteSource) async throws -> [String] {
        let read = try await collect(source)
        #expect(read.batches.isEmpty)
        #expect(!read.result.isComplete)
        let point = await #expect(throws: StoreError.self) {
            try await source.rows(
                table: "a", idColumns: ["x"], id: RecordID("1"), columns: ["x"])
        }
        let look = #expect(throws: StoreError.self) { try source.tables() }
        return try [#require(read.result.problems.first).reason]
            + [try #require(point).reason, try #require(look).reason]
    }

    @Test("is named when it is missing, and is never created")
    func missing() async throws {
        let source = SQLiteSource(folder, "none.sqlite")
        let all = try await reasons(source)
        #expect(all == Array(repeating: "there is no such file", count: 3))
        let problem = try await collect(source).result.problems.first
        #expect(problem?.place == "\(folder.path)/none.sqlite")
        let change = RecordChange(
            table: "a", idColumns: ["x"], id: RecordID("1"), expected: [],
            assignments: [ColumnValue("x", .null)])
        await #expect(throws: StoreError.self) { try await source.update(change) }
        #expect(TestFolder.names(in: folder.path) == ["scratch"])
    }

    @Test("is named when it is a folder or a pipe, which would block for ever")
    func noFile() async throws {
        try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        for name in ["pipe", "scratch"] {
            let all = try await reasons(SQLiteSource(folder, name))
            #expect(all.allSatisfy { $0 == "this is no file but a folder or a device" })
        }
    }

    @Test("is named when it holds something else")
    func otherContent() async throws {
        try write(Array(repeating: 65, count: 5000), to: path)
        let all = try await reasons(SQLiteSource(folder))
        #expect(all.allSatisfy { $0.contains("the file is not a database") })
        let none = try await reasons(SQLiteSource(name: "app", path: path + "\0"))
        #expect(none == Array(repeating: "the path holds a NUL", count: 3))
    }

    @Test("is named when it is empty, since no table proves nothing")
    func empty() async throws {
        try write([], to: path)
        let read = try await collect(SQLiteSource(folder))
        #expect(read.problems == ["\(path): the database holds no table"])
    }

    @Test("is named when its end is missing")
    func truncated() async throws {
        try fill()
        let whole = try bytes(of: path)
        try write(Array(whole.prefix(whole.count / 2)), to: path)
        let all = try await reasons(SQLiteSource(folder))
        #expect(
            all.allSatisfy {
                $0.hasSuffix(
                    "the database file is malformed; "
                        + "check it with PRAGMA integrity_check, or restore it")
                    || $0.hasSuffix("the database file is malformed")
            })
    }

    @Test(
        "gives the rows before a damaged page, and the tables after it",
        arguments: [
            "DELETE", "WAL",
        ])
    func damaged(mode: String) async throws {
        try fill(mode)
        var content = try bytes(of: path)
        // A page of 1,024 bytes begins with 13 when it is a leaf of a table.
        let leaves = stride(from: content.count / 2048 * 1024, to: content.count, by: 1024)
            .filter { content[$0] == 13 }
        for leaf in leaves { content[leaf] = 0xee }
        try write(content, to: path)
        let read = try await collect(SQLiteSource(folder))
        #expect((1...4_999).contains(read.rows("a").count))
        #expect(read.rows("z") == [[.text("rest")]])
        let problem = try #require(read.result.problems.first)
        #expect(read.result.problemCount == 1)
        #expect(problem.place == "\(path), table \"a\"")
        #expect(problem.reason.hasPrefix("the database file is malformed"))
    }

    @Test("ends the scan when an error ended its transaction: later tables are of a later moment")
    func lostSnapshot() async throws {
        try fill("WAL")
        let source = SQLiteSource(folder)
        let read = try await collect(source) { _ in
            // From here on the database cannot be read any more.
            let closed = open("/dev/null", O_WRONLY)
            for name in TestFolder.names(in: "/proc/self/fd") where link(name) == path {
                try #require(dup2(closed, try #require(Int32(name))) >= 0)
            }
            close(closed)
        }
        #expect((1...4_999).contains(read.rows("a").count))
        #expect(read.tables == ["a"])
        try #require(read.problems.count == 2)
        #expect(read.problems[0].hasPrefix("\(path), table \"a\": disk I/O error"))
        #expect(
            read.problems[1] == "\(path): the error ended the read transaction; "
                + "1 further tables were not read")
    }

    @Test("says that it is locked, after waiting for the lock", arguments: ["DELETE", "WAL"])
    func locked(mode: String) async throws {
        try fill(mode)
        let app = try AppDatabase(path, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        try app.run("INSERT INTO z VALUES (1)")
        let start = ContinuousClock.now
        let all = try await reasons(SQLiteSource(folder))
        #expect(all.allSatisfy { $0.contains("locked by another process") })
        let look = #expect(throws: StoreError.self) { try SQLiteSource(folder).tables() }
        #expect(look?.hint == "run again when no other process writes to it for long")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        try app.run("COMMIT")
    }

    @Test("waits for a lock that is released in time")
    func releasedLock() throws {
        try fill()
        let path = path
        let isLocked = DispatchSemaphore(value: 0)
        // A thread of its own: the wait may hold the threads on which tasks run.
        Thread.detachNewThread {
            // A failure here or below shows in what the test finds.
            let app = try? AppDatabase(path, "BEGIN EXCLUSIVE; CREATE TABLE y(x)")
            isLocked.signal()
            usleep(200_000)
            // As above.
            try? app?.run("COMMIT")
        }
        isLocked.wait()
        #expect(try SQLiteSource(name: "app", path: path).tables().map(\.name) == ["a", "y", "z"])
    }

    @Test("says so when an interrupted write must be rolled back first")
    func hotJournal() async throws {
        try fill()
        let app = try AppDatabase(
            path, "PRAGMA cache_size = 1; BEGIN; UPDATE a SET x = 'changed' || x")
        let copy = "\(folder.path)/crashed.sqlite"
        try write(try bytes(of: path), to: copy)
        try write(try bytes(of: path + "-journal"), to: copy + "-journal")
        try app.run("ROLLBACK")
        let before = try bytes(of: copy)
        let all = try await reasons(SQLiteSource(folder, "crashed.sqlite"))
        #expect(all.allSatisfy { $0.contains("an interrupted write left a journal") })
        let point = await #expect(throws: StoreError.self) {
            try await SQLiteSource(folder, "crashed.sqlite").rows(
                table: "a", idColumns: ["x"], id: RecordID("1"), columns: ["x"])
        }
        #expect(
            point?.hint
                == "open the database once with its app or with sqlite3; where a repair of mooring "
                + "was killed, the next run that acts does so")
        #expect(try bytes(of: copy) == before)
        try await SQLiteSource(name: "app", path: copy, isLive: false).endInterruptedWrite()
        #expect(try bytes(of: copy) == before)
        // Where it was this program's own, it ends it as any writer would.
        let source = SQLiteSource(folder, "crashed.sqlite")
        try await source.endInterruptedWrite()
        #expect(try await collect(source).result.isComplete)
        let repaired = try AppDatabase(copy)
        #expect(try repaired.strings("SELECT count(*) FROM a WHERE x LIKE 'ch%'") == ["0"])
    }

    @Test("says that permission is denied")
    func permission() throws {
        try fill()
        try #require(chmod(path, 0o000) == 0)
        chmod(folder.path, 0o755)
        let source = SQLiteSource(name: "app", path: path)
        let error = try asNobody { #expect(throws: StoreError.self) { try source.tables() } }
        let reason = try #require(error).reason
        #expect(reason == "the database, or a file beside it, cannot be opened (Permission denied)")
    }

    @Test("of WAL mode in a folder that cannot be written is refused live, and read as a copy")
    func readOnlyFolder() throws {
        try fill("WAL")
        chmod(path, 0o644)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let live = SQLiteSource(name: "app", path: path)
        let error = try asNobody { #expect(throws: StoreError.self) { try live.journalMode() } }
        #expect(
            try #require(error).description.contains(
                "SQLite needs a folder in which it can make its"))
        let copy = SQLiteSource(name: "app", path: path, isLive: false)
        let tables = try asNobody { try copy.tables() }
        #expect(tables.map(\.name) == ["a", "z"])
    }
}

/// What an open file descriptor of this process leads to.
func link(_ descriptor: String) -> String {
    var target = [CChar](repeating: 0, count: 512)
    let count = readlink("/proc/self/fd/\(descriptor)", &target, 511)
    return String(
        decoding: target.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Runs something that does not suspend with the file permissions of nobody: the bits of a file do
/// not bind root. A test that runs as another user stays that user.
func asNobody<Value>(_ body: () throws -> Value) throws -> Value {
    // Counts for this thread alone, unlike seteuid; the module map of Glibc lacks its header.
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
    let user = uid_t(setUser(65_534))
    defer { _ = setUser(user) }
    return try body()
}
