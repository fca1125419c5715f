import GRDB
import MooringModel

/// All of Mooring's state in one SQLite file: runs, findings, sights, plans, journal and watch.
///
/// Every call is synchronous and is one transaction, on disk when the call returns; batches hold
/// at most some thousand items, which bounds the memory. A ledger is not a lock: who writes holds a
/// `LedgerLock` meanwhile. Every error is a `LedgerError`, unless a callback threw another.
package final class Ledger: Sendable {
    /// The path as it was given.
    package let path: String
    /// The one connection; its calls wait for one another and must not be nested.
    let queue: DatabaseQueue

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
    }

    /// Opens a ledger for writing and creates it when it is missing; its folder must exist.
    ///
    /// A file that is not Mooring's, or was made by a newer Mooring, is refused and not changed.
    package static func open(path: String) throws(LedgerError) -> Ledger {
        let refused = "opening the ledger"
        let file = LedgerFile(path: path, refused: refused)
        if try file.state() != .ledger { try file.create() }
        do {
            let ledger = Ledger(path: path, queue: try connection(path: path, readOnly: false))
            try ledger.refuseNewer(refused)
            try ledger.queue.writeWithoutTransaction { db in
                // Before WAL is on, so that it stands in the file's own header from the start.
                // Asked for only now: a crash while the file was made leaves one that had the id,
                // and that SQLite took back to nothing as it was opened.
                if try Int32.fetchOne(db, sql: "PRAGMA application_id") != LedgerFile.applicationID
                {
                    try db.execute(
                        sql: "PRAGMA application_id = \(LedgerFile.applicationID)")
                }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
            }
            if try !ledger.queue.read(LedgerSchema.migrator.hasCompletedMigrations) {
                try LedgerSchema.migrator.migrate(ledger.queue)
            }
            return ledger
        } catch {
            throw LedgerError(error, path: path, refused: refused)
        }
    }

    /// Opens a ledger for reading only, beside a run that may be writing to it.
    package static func openExisting(path: String) throws(LedgerError) -> Ledger {
        let refused = "reading the ledger"
        let file = LedgerFile(path: path, refused: refused)
        guard try file.state() == .ledger else {
            throw LedgerError(
                path: path, kind: .missing, found: "no ledger at this path", refused: refused,
                hint: "run mooring audit first")
        }
        do {
            let ledger = Ledger(path: path, queue: try connection(path: path, readOnly: true))
            try ledger.refuseNewer(refused)
            guard try ledger.queue.read(LedgerSchema.migrator.hasCompletedMigrations) else {
                throw LedgerError(
                    path: path, kind: .older, found: "made by an older mooring",
                    refused: refused, hint: "run mooring audit, which brings it up to date")
            }
            return ledger
        } catch {
            throw LedgerError(error, path: path, refused: refused)
        }
    }

    /// What is wrong with the file and its journal, in words; empty when it is sound.
    ///
    /// Reads the whole file. Does not look into the documents.
    package func check() throws(LedgerError) -> [String] {
        let health = try health(thorough: false)
        return health.integrity + health.foreignKeys + health.journal.breaks.map(\.text)
    }

    /// Reads inside one transaction, so that all of it is from one moment.
    func read<T>(
        _ refused: String, _ body: (Database) throws -> T
    ) throws(LedgerError) -> T {
        do {
            // Not `read`: it forbids writes by a setting that makes SQLite prepare each statement
            // anew.
            return try queue.unsafeRead { db in
                try db.beginTransaction(.deferred)
                // Swallowed: a transaction that only read has nothing to lose, and where SQLite
                // ended it by itself already, the error that made it do so is thrown.
                defer { try? db.rollback() }
                return try body(db)
            }
        } catch {
            throw LedgerError(error, path: path, refused: refused)
        }
    }

    /// Writes inside one transaction: all of it is on disk afterwards, or nothing is changed.
    func write<T>(
        _ refused: String, _ body: (Database) throws -> T
    ) throws(LedgerError) -> T {
        do {
            return try queue.write(body)
        } catch {
            throw LedgerError(error, path: path, refused: refused)
        }
    }

    /// An error for a request that contradicts what is stored.
    func conflict(_ found: String, refused: String, hint: String) -> LedgerError {
        LedgerError(path: path, kind: .conflict, found: found, refused: refused, hint: hint)
    }

    private static let cacheKibibytes = 32_768
    // 32 MiB. With SQLite's own 4 MiB, a page that many transactions write is copied into the file,
    // and waited for, nearly as often as it is written.
    private static let checkpointPages = 8_192

    private static func connection(path: String, readOnly: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(10)
        configuration.label = "ledger"
        // SQLite's own 2 MiB hold the top of no index of 100,000 findings.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func refuseNewer(_ refused: String) throws {
        guard try queue.read(LedgerSchema.migrator.hasBeenSuperseded) else { return }
        throw LedgerError(
            path: path, kind: .newer, found: "made by a newer mooring", refused: refused,
            hint: "update mooring; nothing was changed")
    }
}

/// Reads a stored document; throws where it is no JSON, or lacks what the noun needs.
func document<Noun>(_ blob: Blob, _ make: (JSONNode) throws -> Noun) throws -> Noun {
    try make(try JSONNode(parsing: blob.bytes))
}
