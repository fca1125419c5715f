import GRDBSQLite
import Glibc
import MooringModel
import MooringText

/// One connection to a database file; used by one task at a time, closed when released.
final class SQLiteConnection {
    /// How the file is opened. None of them but `scratch` creates a file.
    enum Mode {
        case readOnly
        case readWrite
        /// Read-only, and taken for a file that nobody changes: no locks, no files beside it.
        case immutable
        /// A new file of Mooring's own.
        case scratch
    }

    /// The file, as it was opened.
    let path: String
    /// Whether the database holds text as UTF-8, so that a text's bytes are those of the file.
    /// Known from `begin` on.
    private(set) var textIsUTF8 = true
    private var handle: OpaquePointer?
    private var watch: TriggerWatch?

    /// Opens a file; SQLite reads it, and notices what is wrong with it, only later.
    init(path: String, mode: Mode, busyTimeout: Duration) throws(SQLiteFailure) {
        self.path = path
        if mode != .scratch { try Self.requireFile(path) }
        let code = sqlite3_open_v2(
            mode == .immutable ? Self.immutableURI(path) : Self.plainName(path), &handle,
            Self.flags(mode) | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.milliseconds))
        if mode == .readOnly || mode == .immutable {
            // A file from elsewhere must not run functions through its schema while it is read,
            // and a damaged page shall be noticed.
            try execute("PRAGMA trusted_schema = OFF")
            try execute("PRAGMA cell_size_check = ON")
        }
    }

    deinit { close() }

    /// Closes the connection; an open transaction is rolled back. May be called twice.
    func close() {
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Begins a transaction and makes it see the database as it is now: a plain `BEGIN` would
    /// wait for the first read. `immediately` takes the write lock as well.
    func begin(immediately: Bool = false) throws(SQLiteFailure) {
        try execute(immediately ? "BEGIN IMMEDIATE" : "BEGIN")
        try execute("SELECT 1 FROM main.sqlite_master LIMIT 1")
        textIsUTF8 = try text(of: "PRAGMA main.encoding") == "UTF-8"
    }

    /// Whether a transaction is open; some errors end it.
    var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }

    /// Whether this connection cannot write, whatever it was opened for.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// The number of rows that the last statement changed, not counting its triggers'.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that were changed since the connection was opened, by triggers too.
    var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    /// Has the statements that are compiled and run from now on watched for what triggers do; nil
    /// ends it.
    func watchTriggers(_ watch: TriggerWatch?) {
        let context = watch.map { Unmanaged.passUnretained($0).toOpaque() }
        if watch == nil {
            sqlite3_set_authorizer(handle, nil, nil)
            sqlite3_update_hook(handle, nil, nil)
        } else {
            sqlite3_set_authorizer(
                handle, { TriggerWatch.authorize($0, $1, $2, $3, $5) }, context)
            sqlite3_update_hook(handle, { TriggerWatch.take($0, $1, $3, $4) }, context)
        }
        self.watch = watch
    }

    /// The path of the database's write-ahead log, which need not exist; symbolic links resolved.
    var logPath: String? {
        guard let name = sqlite3_db_filename(handle, "main"),
            let log = sqlite3_filename_wal(name)
        else { return nil }
        return String(cString: log)
    }

    /// The journal mode: `wal`, or one of those that lock readers and writers against each other.
    func journalMode() throws(SQLiteFailure) -> String {
        try text(of: "PRAGMA main.journal_mode")
    }

    /// Compiles a statement.
    func prepare(_ sql: SQLText) throws(SQLiteFailure) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sql.bytes.withUnsafeBytes { bytes in
            sqlite3_prepare_v2(
                handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                Int32(clamping: bytes.count), &statement, nil)
        }
        // The message of a statement that does not compile names parts of the schema only.
        guard code == SQLITE_OK, let statement else {
            throw failure(code, detail: String(cString: sqlite3_errmsg(handle)))
        }
        return SQLiteStatement(statement, connection: self)
    }

    /// Runs a statement to its end and drops its rows.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let statement = try prepare(SQLText(sql))
        while try statement.step() {}
    }

    /// Rolls the open transaction back, if one is open.
    func rollBack() {
        guard isInTransaction else { return }
        // If it fails the connection is closed without a commit, which comes to the same.
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Copies the whole database, as this connection's transaction sees it, over another one.
    func copy(to target: SQLiteConnection) throws(SQLiteFailure) {
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw target.failure(sqlite3_errcode(target.handle))
        }
        // All pages in one step: the read lock is held for the shortest time, and no write of the
        // app can make the copy begin again.
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw SQLiteFailure(
                code: code, systemError: max(systemError, sqlite3_system_errno(target.handle)))
        }
    }

    /// The failure that a result code of this connection means.
    func failure(_ code: Int32, detail: String? = nil) -> SQLiteFailure {
        SQLiteFailure(code: code, systemError: systemError, detail: detail)
    }

    private var systemError: Int32 { handle == nil ? 0 : sqlite3_system_errno(handle) }

    private func text(of sql: String) throws(SQLiteFailure) -> String {
        let statement = try prepare(SQLText(sql))
        guard try statement.step() else { return "" }
        return String(decoding: try statement.value(at: 0).bytes ?? [], as: UTF8.self)
    }

    private static func flags(_ mode: Mode) -> Int32 {
        switch mode {
        case .readOnly: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .scratch: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}

extension SQLiteConnection {
    /// A path in a form that SQLite takes for a file only: it may read `file:…` and `:memory:`
    /// in other ways.
    private static func plainName(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    private static func immutableURI(_ path: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : "file:./"
        for byte in path.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
            if isPlain || "/-._~".contains(character) {
                uri.append(character)
            } else {
                let digits = String(byte, radix: 16)
                uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return uri + "?immutable=1"
    }

    /// Refuses what is not there or is no file: SQLite would say less, or wait for a pipe.
    private static func requireFile(_ path: String) throws(SQLiteFailure) {
        guard !path.utf8.contains(0) else { throw SQLiteFailure("the path holds a NUL") }
        var information = stat()
        guard stat(path.isEmpty ? "./" : path, &information) == 0 else {
            let error = errno
            if error == ENOENT { throw SQLiteFailure("there is no such file") }
            throw SQLiteFailure(String(cString: strerror(error)))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw SQLiteFailure("this is no file but a folder or a device")
        }
    }
}

extension Duration {
    /// Whole milliseconds, held at the ends of `Int64`.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : value + attoseconds / 1_000_000_000_000_000
    }
}
