import Glibc
import MooringModel
import MooringSQLite
import Testing

@Suite("The snapshot that a scan reads")
struct SnapshotTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = "\(folder.path)/app.sqlite"
    }

    private static let filled = """
        CREATE TABLE a(x); CREATE TABLE z(x);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO a SELECT i FROM n;
        INSERT INTO z VALUES ('before');
        """

    @Test(
        "is one moment for all tables while the app writes on",
        arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
    func writerDuringScan(mode: String) async throws {
        let app = try AppDatabase(path, "PRAGMA journal_mode = \(mode);" + Self.filled)
        let source = SQLiteSource(folder)
        var writes = 0
        let read = try await collect(source) { _ in
            // Without a busy timeout: a scan in the way would make this fail at once.
            try app.run(
                """
                BEGIN IMMEDIATE; DELETE FROM a WHERE x > 1500; UPDATE z SET x = 'after';
                INSERT INTO z VALUES ('new'); CREATE TABLE b\(writes)(x); COMMIT;
                """)
            writes += 1
        }
        #expect(read.result.isComplete)
        #expect(writes == 4)
        #expect(read.rows("a").count == 2500)
        #expect(read.rows("z") == [[.text("before")]])
        #expect(read.tables == ["a", "z"])
        #expect(try app.strings("SELECT count(*) FROM z WHERE x = 'after'") == ["4"])
        let later = try await collect(source)
        #expect(later.rows("a").count == 1500)
    }

    @Test("of a live database outside of WAL mode is a copy that has no name even while it is read")
    func copyLeavesNothing() async throws {
        _ = try AppDatabase(path, Self.filled)
        let source = SQLiteSource(folder)
        _ = try await collect(source) { _ in
            #expect(TestFolder.names(in: "\(folder.path)/scratch") == [])
            let open = TestFolder.names(in: "/proc/self/fd").map(link)
            // The copy is the file that is open, under a folder that is gone.
            #expect(open.contains { $0.hasPrefix("\(folder.path)/scratch/mooring-") })
            #expect(!open.contains(path))
        }
        #expect(TestFolder.names(in: folder.path) == ["app.sqlite", "scratch"])
    }

    @Test("leaves what killed processes left of their copies there no longer than an hour")
    func leftovers() async throws {
        _ = try AppDatabase(path, "CREATE TABLE a(x)")
        let scratch = "\(folder.path)/scratch"
        let long = time(nil) - 4_000
        try #require(mkdir(scratch, 0o700) == 0)
        for (name, modified) in [
            ("mooring-copy-old", long), ("mooring-copy-new", time(nil)), ("app-copy-old", long),
        ] {
            let path = "\(scratch)/\(name)"
            try #require(mkdir(path, 0o700) == 0)
            try write([], to: "\(path)/copy.sqlite")
            var times = [timespec(tv_sec: modified, tv_nsec: 0)]
            times.append(times[0])
            try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
        }
        _ = try await collect(SQLiteSource(name: "app", path: path, scratch: scratch))
        #expect(TestFolder.names(in: scratch) == ["app-copy-old", "mooring-copy-new"])
    }

    @Test("needs a scratch folder outside of WAL mode, and says so; nothing is left")
    func noScratch() async throws {
        _ = try AppDatabase(path, Self.filled)
        let source = SQLiteSource(name: "app", path: path, scratch: "\(folder.path)/none")
        let read = try await collect(source)
        #expect(read.batches.isEmpty)
        #expect(
            read.problems == [
                "\(path): it is not in WAL mode, and no copy to read could be made in "
                    + "\(folder.path)/none: No such file or directory; "
                    + "give a folder with more space as the scratch folder"
            ])
    }

    @Test("of a copy that somebody took is read in place, without a scratch folder")
    func takenCopy() async throws {
        _ = try AppDatabase(path, Self.filled)
        let source = SQLiteSource(
            name: "app", path: path, isLive: false, scratch: "\(folder.path)/none")
        #expect(try await collect(source).rows("a").count == 2500)
        #expect(!source.isLive)
    }

    @Test("leaves a WAL database's folder as it was, whether an app has it open or not")
    func walFiles() async throws {
        var app: AppDatabase? = try AppDatabase(path, "PRAGMA journal_mode = WAL;" + Self.filled)
        let source = SQLiteSource(folder)
        let open = ["app.sqlite", "app.sqlite-shm", "app.sqlite-wal", "scratch"]
        #expect(TestFolder.names(in: folder.path) == open)
        #expect(try await collect(source).rows("a").count == 2500)
        #expect(TestFolder.names(in: folder.path) == open)
        try app?.run("PRAGMA wal_checkpoint(TRUNCATE)")
        _ = try await collect(source)
        #expect(TestFolder.names(in: folder.path) == open)
        try app?.run("INSERT INTO z VALUES ('still works')")
        app = nil
        #expect(TestFolder.names(in: folder.path) == ["app.sqlite", "scratch"])
        let before = try bytes(of: path)
        let read = try await collect(source) { _ in
            #expect(TestFolder.names(in: folder.path) == open)
        }
        #expect(read.rows("z") == [[.text("before")], [.text("still works")]])
        _ = try await source.rows(
            table: "z", idColumns: ["x"], id: RecordID("before"), columns: ["x"])
        #expect(try source.journalMode() == "wal")
        #expect(TestFolder.names(in: folder.path) == ["app.sqlite", "scratch"])
        #expect(try bytes(of: path) == before)
    }

    @Test("reads what a crashed app left in its log, and leaves the log to the app")
    func crashedApp() async throws {
        let app = try AppDatabase(
            path, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.filled)
        let copy = "\(folder.path)/crashed.sqlite"
        try write(try bytes(of: path), to: copy)
        try write(try bytes(of: path + "-wal"), to: copy + "-wal")
        let read = try await collect(SQLiteSource(folder, "crashed.sqlite"))
        #expect(read.rows("a").count == 2500)
        #expect(try bytes(of: copy + "-wal") == bytes(of: path + "-wal"))
        #expect(try bytes(of: copy) == bytes(of: path))
        #expect(try app.strings("SELECT count(*) FROM a") == ["2500"])
    }

    @Test("follows a symbolic link to the log of the file that it leads to")
    func symbolicLink() async throws {
        let app = try AppDatabase(path, "PRAGMA journal_mode = WAL;" + Self.filled)
        try #require(symlink(path, "\(folder.path)/scratch-link") == 0)
        let read = try await collect(SQLiteSource(folder, "scratch-link"))
        #expect(read.rows("z").count == 1)
        #expect(try app.strings("SELECT count(*) FROM z") == ["1"])
    }

    @Test("is dated by the given clock")
    func window() async throws {
        _ = try AppDatabase(path, Self.filled)
        let clock = Instant(seconds: 42)
        let source = SQLiteSource(
            name: "app", path: path, scratch: folder.path, clock: { clock })
        let read = try await collect(source)
        #expect(read.result.window == ScanWindow(from: clock, to: clock))
        let real = try await collect(SQLiteSource(folder)).result.window
        #expect(real.from > Instant(seconds: 1_600_000_000))
        #expect(real.from <= real.to)
    }
}

/// A file's bytes.
func bytes(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
        bytes += chunk.prefix(count)
    }
    return bytes
}

/// Writes a file anew.
func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
