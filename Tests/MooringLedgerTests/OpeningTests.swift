import Foundation
import GRDB
import MooringModel
import Testing

@testable import MooringLedger

struct OpeningTests {
    private let folder: TemporaryFolder

    /// Both ways to open a ledger; the first one writes.
    private let openers: [@Sendable (String) throws -> Ledger] = [
        { try Ledger.open(path: $0) }, { try Ledger.openExisting(path: $0) },
    ]

    init() throws { folder = try TemporaryFolder() }

    @Test("A ledger is created, in WAL, with full synchronisation, for this user alone")
    func creation() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        let (mode, level, keys) = try ledger.queue.read { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(mode == "wal")
        #expect(level == 2)
        #expect(keys == 1)
        #expect(try ledger.check().isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.ledger)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("What was written is there when the ledger is opened again, also for reading only")
    func reopening() throws {
        do {
            let ledger = try Ledger.open(path: folder.ledger)
            try ledger.record(run: 1, [Sample.finding("f")])
        }
        #expect(try Ledger.open(path: folder.ledger).runs().count == 1)
        let reader = try Ledger.openExisting(path: folder.ledger)
        #expect(try reader.allFindings(in: Sample.run(1)).map(\.id) == ["f"])
    }

    @Test("Reading and writing at once do not wait for one another")
    func readerBesideWriter() throws {
        let writer = try Ledger.open(path: folder.ledger)
        let reader = try Ledger.openExisting(path: folder.ledger)
        try writer.queue.write { db in
            try db.execute(sql: "INSERT INTO history VALUES (x'00', 1, 1)")
            #expect(try reader.runs().isEmpty)
        }
        try writer.record(run: 1)
        #expect(try reader.runs().count == 1)
    }

    @Test("A reader changes nothing")
    func readerIsReadOnly() throws {
        _ = try Ledger.open(path: folder.ledger)
        let reader = try Ledger.openExisting(path: folder.ledger)
        let error = #expect(throws: LedgerError.self) { try reader.begin(Sample.summary(1)) }
        #expect(error?.kind == .readOnly && error?.found == "it cannot be written")
        #expect(
            error?.hint
                == "make the file and its folder writable for this user, or name another ledger")
    }

    @Test("A missing ledger is only created for those who write")
    func missing() throws {
        let error = #expect(throws: LedgerError.self) {
            _ = try Ledger.openExisting(path: folder.ledger)
        }
        #expect(error?.kind == .missing)
        #expect(error?.hint == "run mooring audit first")
        #expect(try folder.names.isEmpty)
    }

    @Test("A ledger in a folder that is missing, or whose folder is a file, is refused")
    func noFolder() throws {
        let file = try folder.write([], to: "file")
        for (path, found, hint) in [
            (
                folder.path + "/none/x.ledger", "its folder does not exist",
                "create the folder first"
            ), (file + "/x.ledger", "a part of its path is a file", "correct the path"),
        ] {
            let error = #expect(throws: LedgerError.self) { _ = try Ledger.open(path: path) }
            #expect(error?.kind == .noFolder)
            #expect(error?.path == path)
            #expect(error?.found == found && error?.hint == hint)
        }
    }

    @Test("A folder in which nothing can be created is named as such")
    func readOnlyFolder() throws {
        // Even root cannot create files in /sys, while permissions of a folder do not stop root.
        let error = #expect(throws: LedgerError.self) {
            _ = try Ledger.open(path: "/sys/mooring.ledger")
        }
        #expect(error?.kind == .readOnly)
        #expect(error?.found.hasPrefix("it cannot be created (") == true)
        #expect(
            error?.hint == "make its folder writable for this user, or name another ledger")
    }

    @Test(
        "What is no SQLite database is refused and left as it is",
        arguments: [Array("hello".utf8), Array(repeating: 0, count: 4_096), [0x0A]])
    func notSQLite(_ bytes: [UInt8]) throws {
        let path = try folder.write(bytes, to: "some.txt")
        for open in openers {
            let error = #expect(throws: LedgerError.self) { _ = try open(path) }
            #expect(error?.kind == .notDatabase)
            #expect(error?.found == "it is not an SQLite database, so it is no ledger")
        }
        #expect(try folder.bytes(of: "some.txt") == bytes)
        #expect(try folder.names == ["some.txt"])
    }

    @Test("A folder, a named pipe and a path with NUL are refused without waiting")
    func notAFile() throws {
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let (noFile, noPath) = (
            "it is not a regular file", "the path is empty or holds a NUL byte"
        )
        let (otherLedger, otherFile) = ("name another ledger", "name another file")
        for (path, found, hint) in [
            (folder.path, noFile, otherLedger), (pipe, noFile, otherLedger),
            ("", noPath, otherFile), (folder.ledger + "\0.txt", noPath, otherFile),
        ] {
            let error = #expect(throws: LedgerError.self) { _ = try Ledger.open(path: path) }
            #expect(error?.kind == .notDatabase && error?.found == found)
            #expect(error?.hint == hint && error?.refused == "opening the ledger")
        }
    }

    @Test("The database of another program is refused and never written")
    func otherProgram() throws {
        let path = folder.path + "/other.sqlite"
        do {
            let other = try DatabaseQueue(path: path)
            try other.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
        }
        let before = try folder.bytes(of: "other.sqlite")
        for open in openers {
            let error = #expect(throws: LedgerError.self) { _ = try open(path) }
            #expect(error?.kind == .otherProgram)
            #expect(error?.found == "it is a SQLite database of another program")
        }
        #expect(try folder.bytes(of: "other.sqlite") == before)
        #expect(try folder.names == ["other.sqlite"])
    }

    @Test("A ledger of a newer version is refused, and nothing in it changes")
    func newer() throws {
        do {
            let ledger = try Ledger.open(path: folder.ledger)
            try ledger.queue.write {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999-later')")
            }
        }
        let before = try folder.bytes(of: "test.ledger")
        for open in openers {
            let error = #expect(throws: LedgerError.self) { _ = try open(folder.ledger) }
            #expect(error?.kind == .newer)
            #expect(error?.found.contains("made by a newer mooring") == true)
            #expect(error?.hint == "update mooring; nothing was changed")
        }
        #expect(try folder.bytes(of: "test.ledger") == before)
    }

    @Test("A ledger of an older version is brought up to date, but not by a reader")
    func older() throws {
        do {
            let ledger = try Ledger.open(path: folder.ledger)
            try ledger.queue.write { db in
                try db.execute(
                    sql: """
                        ALTER TABLE watch DROP COLUMN looks;
                        ALTER TABLE watch DROP COLUMN closedLooks;
                        ALTER TABLE recordSight DROP COLUMN wasSeen;
                        DELETE FROM grdb_migrations WHERE identifier = '013-looks'
                        """)
            }
        }
        let error = #expect(throws: LedgerError.self) {
            _ = try Ledger.openExisting(path: folder.ledger)
        }
        #expect(error?.kind == .older)
        #expect(error?.found.contains("made by an older mooring") == true)
        #expect(try Ledger.open(path: folder.ledger).quarantineWatch(bucket: "b").isEmpty)
    }

    @Test("What a crash during creation leaves becomes a ledger")
    func halfCreated() throws {
        _ = try folder.write([], to: "test.ledger")
        #expect(try Ledger.open(path: folder.ledger).runs().isEmpty)
        let half = folder.path + "/half.ledger"
        do {
            let queue = try DatabaseQueue(path: half)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA application_id = \(LedgerFile.applicationID)")
            }
        }
        #expect(try Ledger.open(path: half).runs().isEmpty)
    }

    @Test("What a crash in its very first write leaves becomes one that later commands know")
    func hotFirstWrite() throws {
        let half = folder.path + "/half.ledger"
        do {
            let queue = try DatabaseQueue(path: half)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA application_id = \(LedgerFile.applicationID)")
            }
        }
        // The journal of a transaction that began when the file had no page: SQLite takes the file
        // back to that as it is opened. The header is of one sector, without any page behind it.
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        for number in [0, 0, 0, 512, 4_096] as [UInt32] {
            journal += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        _ = try folder.write(journal, to: "half.ledger-journal")
        #expect(try Ledger.open(path: half).runs().isEmpty)
        #expect(try Ledger.openExisting(path: half).runs().isEmpty)
        #expect(try Ledger.open(path: half).runs().isEmpty)
    }
}
