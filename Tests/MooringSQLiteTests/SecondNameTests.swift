import Glibc
import MooringModel
import Testing

@testable import MooringSQLite

/// SQLite finds the log beside the name that a database was opened by.
@Suite("A live database that has a second name")
struct SecondNameTests {
    private let folder: TestFolder
    private let app: AppDatabase

    init() throws {
        folder = try TestFolder()
        app = try AppDatabase(
            "\(folder.path)/app.sqlite",
            """
            PRAGMA journal_mode = WAL; CREATE TABLE t(id, v); INSERT INTO t VALUES ('a', 'old');
            PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES ('b', 'in the log');
            """)
    }

    @Test("by a hard link is neither read nor written, under either name")
    func hardLink() async throws {
        mkdir("\(folder.path)/mnt", 0o700)
        try #require(
            link("\(folder.path)/app.sqlite", "\(folder.path)/mnt/app.sqlite") == 0)
        for name in ["mnt/app.sqlite", "app.sqlite"] {
            let source = SQLiteSource(folder, name)
            let scan = try await collect(source)
            #expect(scan.batches.isEmpty)
            #expect(scan.problems.count == 1)
            #expect(
                scan.problems[0].hasSuffix(
                    "the file has 2 hard links, and the log in which an app keeps what it wrote "
                        + "last may lie beside another name; nothing is read or written; keep one "
                        + "name of it, or declare a copy with `taken`"), "\(scan.problems[0])")
            await #expect(throws: StoreError.self) { try await source.columns(table: "t") }
            let error = await #expect(throws: StoreError.self) {
                try await source.update(
                    RecordChange(
                        table: "t", idColumns: ["id"], id: RecordID("a"),
                        expected: [ColumnValue("v", .text("old"))],
                        assignments: [ColumnValue("v", .null)]))
            }
            #expect(error?.isRefusal == true)
            await #expect(throws: StoreError.self) { try await source.endInterruptedWrite() }
        }
        #expect(try app.strings("SELECT v FROM t") == ["old", "in the log"])
        #expect(TestFolder.names(in: "\(folder.path)/mnt") == ["app.sqlite"])
    }

    @Test("by a symbolic link, or beside its own name in a copy that was taken, is read")
    func harmless() async throws {
        try #require(symlink("app.sqlite", "\(folder.path)/soft.sqlite") == 0)
        let scan = try await collect(SQLiteSource(folder, "soft.sqlite"))
        #expect(scan.problems.isEmpty && scan.rows("t").count == 2)
        try app.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try #require(
            link("\(folder.path)/app.sqlite", "\(folder.path)/copy.sqlite") == 0)
        let copy = try await collect(SQLiteSource(folder, "copy.sqlite", isLive: false))
        #expect(copy.problems.isEmpty && copy.rows("t").count == 2)
    }

    @Test("by a mount of the file alone is told by the list of mounts")
    func mounts() {
        func isMount(_ path: String, _ line: String) -> Bool {
            MountedFile.isMountPoint(Array(path.utf8), in: Array(line.utf8))
        }
        let root = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        let file = "40 22 8:1 /srv/app.sqlite /data/app.sqlite rw - ext4 /dev/sda1 rw\n"
        #expect(isMount("/data/app.sqlite", root + file))
        #expect(!isMount("/data/app.sqlite", root))
        #expect(!isMount("/data/app.sqlite2", root + file))
        #expect(!isMount("/data", root + file))
        #expect(!isMount("/srv/app.sqlite", root + file))
        let odd = "41 22 8:1 / /my\\040data/a\\134b.sqlite rw - ext4 /dev/sda1 rw\n"
        #expect(isMount("/my data/a\\b.sqlite", root + odd))
    }
}
