import Foundation
import GRDB
import MooringModel
import Testing

@testable import MooringLedger

struct DamageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A damaged file is named as damaged, by its check or by the error of a read")
    func corruption() throws {
        do {
            let ledger = try Ledger.open(path: folder.ledger)
            let findings = (0..<500).map { Sample.finding("f\($0)", key: Array("\($0)".utf8)) }
            try ledger.record(run: 1, findings)
        }
        var bytes = try folder.bytes(of: "test.ledger")
        for index in 8_192..<(bytes.count - 4_096) { bytes[index] = 0x5A }
        _ = try folder.write(bytes, to: "test.ledger")
        do {
            let ledger = try Ledger.open(path: folder.ledger)
            #expect(try !ledger.check().isEmpty)
        } catch {
            #expect(error.kind == .corrupt)
            #expect(
                error.hint
                    == "keep a copy of it, run mooring ledger check, and restore it from a backup")
        }
    }

    @Test("A document that cannot be read is an error that shows none of it")
    func damagedDocument() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try ledger.record(run: 1, [Sample.finding("f")])
        for damage in ["{\"secret\"", "{\"id\": \"secret\"}"] {
            try ledger.queue.write {
                try $0.execute(sql: "UPDATE finding SET document = ?", arguments: [Blob(damage)])
            }
            let error = #expect(throws: LedgerError.self) {
                _ = try ledger.allFindings(in: Sample.run(1))
            }
            #expect(error?.kind == .corrupt)
            #expect(error?.found.hasPrefix("a stored document cannot be read (") == true)
            #expect(error?.hint == "keep a copy of it and run mooring ledger check")
            #expect(error?.refused == "reading findings of run \(Sample.run(1).text)")
            #expect(error?.description.contains("secret") == false)
        }
    }

    // A cap on the pages gives the same SQLITE_FULL as a full disk, and needs no mount.
    @Test("On a full disk a batch is refused as a whole, and the ledger works again afterwards")
    func fullDisk() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try ledger.record(run: 1, [Sample.finding("before")])
        let findings = (0..<1_000).map { Sample.finding("f\($0)") }
        try ledger.queue.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 5)")
        }
        let error = #expect(throws: LedgerError.self) {
            try ledger.record(findings, in: Sample.run(1))
        }
        #expect(error?.kind == .full)
        #expect(error?.path == folder.ledger)
        #expect(error?.refused == "recording findings of run \(Sample.run(1).text)")
        #expect(try ledger.allFindings(in: Sample.run(1)).map(\.id) == ["before"])
        #expect(try ledger.history(of: findings.map(\.id)).isEmpty)
        try ledger.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        try ledger.record(findings, in: Sample.run(1))
        #expect(try ledger.allFindings(in: Sample.run(1)).count == 1_001)
    }

    @Test("Every error says where, what, what is refused, and what to do")
    func wording() throws {
        let error = #expect(throws: LedgerError.self) {
            _ = try Ledger.openExisting(path: folder.ledger)
        }
        #expect(
            error?.description == "\(folder.ledger): no ledger at this path; "
                + "refused: reading the ledger; run mooring audit first")
    }

    @Test("A ledger that another connection holds for too long is busy, not broken")
    func busy() throws {
        let error = LedgerError(
            DatabaseError(resultCode: .SQLITE_BUSY), path: "x", refused: "this")
        #expect(error.kind == .busy)
        #expect(
            error.found == "another process is writing to it and did not finish in time")
        #expect(error.hint == "wait for that process, then run the command again")
        let other = LedgerError(DatabaseError(resultCode: .SQLITE_IOERR), path: "x", refused: "y")
        #expect(other.kind == .failed && other.hint == "run mooring ledger check")
        #expect(other.found.hasPrefix("SQLite failed: "))
        for (code, kind, found, hint) in [
            (
                ResultCode.SQLITE_CANTOPEN, LedgerError.Kind.denied,
                "it cannot be opened (SQLite code 14)",
                "let this user read and write the file and its folder, or name another ledger"
            ),
            (
                .SQLITE_NOTADB, .notDatabase, "it is not an SQLite database",
                "name another ledger"
            ),
            (
                .SQLITE_CORRUPT, .corrupt,
                "it is damaged (database disk image is malformed)",
                "keep a copy of it, run mooring ledger check, and restore it from a backup"
            ),
            (
                .SQLITE_FULL, .full, "the disk is full",
                "free some space there and run the command again"
            ),
        ] {
            let error = LedgerError(DatabaseError(resultCode: code), path: "x", refused: "y")
            #expect(error.kind == kind && error.found == found && error.hint == hint)
        }
        let odd = LedgerError(CancellationError(), path: "x", refused: "y")
        #expect(odd.found == "an unexpected error, CancellationError")
    }

    @Test("What was refused is told in the words of what was asked of the ledger")
    func refusedWork() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        let run = Sample.run(1)
        try ledger.queue.erase()
        for (refused, ask) in [
            ("checking the ledger", { _ = try ledger.health() }),
            ("reading a finding of run \(run.text)", { _ = try ledger.finding("a", in: run) }),
            (
                "remembering the sources of run \(run.text)",
                { try ledger.remember(sources: ["app": "hash"], of: run) }
            ),
            ("reading the sources of run \(run.text)", { _ = try ledger.sources(readBy: run) }),
        ] as [(String, () throws -> Void)] {
            let error = #expect(throws: LedgerError.self) { try ask() }
            #expect(error?.refused == refused && error?.hint == "run mooring ledger check")
        }
    }
}
