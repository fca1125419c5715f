import GRDBSQLite
import Glibc

/// Where a database lies and how it is read.
struct DatabaseFile: Sendable {
    /// The path as the configuration has it.
    let path: String
    /// Whether an app may write to it while it is read.
    let isLive: Bool
    /// How long to wait for another process's lock.
    let busyTimeout: Duration
    /// The folder for copies.
    let scratch: String
    /// What a device's copy keeps beside its records; nil for any other database.
    var device: DeviceTables?
    /// What the source's mapping reads, which no trigger may change beside a write.
    var mapped = MappedColumns(nil)
}

/// One read transaction of a database: everything read in it belongs to one moment.
///
/// It writes nothing to the database. A WAL database has two files beside it while it is open;
/// those that the session made are removed again when it closes.
final class ReadSession {
    /// The connection, in a transaction.
    let connection: SQLiteConnection
    private let file: DatabaseFile
    /// The log's path if there was no log before.
    private let madeLogPath: String?

    /// Reads the database in place. In WAL mode this never keeps a writer waiting; in the other
    /// modes it does for as long as the session is open.
    init(inPlace file: DatabaseFile) throws(SQLiteFailure) {
        self.file = file
        if file.isLive { try MountedFile.refuseSecondName(of: file.path) }
        let connection = try SQLiteConnection(
            path: file.path, mode: .readOnly, busyTimeout: file.busyTimeout)
        let logPath = connection.logPath
        let hadLog = logPath.map { access($0, F_OK) == 0 } ?? false
        do {
            try connection.begin()
            self.connection = connection
            self.madeLogPath = hadLog ? nil : logPath
        } catch {
            connection.close()
            Self.removeLog(hadLog ? nil : logPath, of: file)
            // A copy in a folder that cannot be written: nobody changes it, so it needs no locks.
            let isRefused = [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.primaryCode)
            guard !file.isLive, !hadLog, isRefused else { throw error }
            self.connection = try SQLiteConnection(
                path: file.path, mode: .immutable, busyTimeout: file.busyTimeout)
            self.madeLogPath = nil
            try self.connection.begin()
        }
    }

    /// Reads the database so that a long session keeps no writer waiting: a live database outside
    /// of WAL mode is copied, and the copy is read.
    init(unhurried file: DatabaseFile) throws(SQLiteFailure) {
        self.file = file
        let original = try ReadSession(inPlace: file)
        guard file.isLive, try original.connection.journalMode() != "wal" else {
            self.connection = original.connection
            self.madeLogPath = original.madeLogPath
            return
        }
        defer { original.close() }
        self.madeLogPath = nil
        self.connection = try Self.copy(original.connection, scratch: file.scratch)
    }

    /// Ends the transaction and closes the database.
    func close() {
        connection.close()
        Self.removeLog(madeLogPath, of: file)
    }

    /// A copy that has no name any more, so that even a killed process leaves nothing behind.
    private static func copy(
        _ original: SQLiteConnection, scratch: String
    ) throws(SQLiteFailure) -> SQLiteConnection {
        do {
            let target = try NamelessDatabase.make(in: scratch)
            try original.copy(to: target)
            try target.execute("PRAGMA trusted_schema = OFF")
            try target.begin()
            return target
        } catch {
            throw error.during(
                "it is not in WAL mode, and no copy to read could be made in \(scratch)",
                hint: error.hint ?? "give a folder with more space as the scratch folder")
        }
    }

    /// Lets SQLite remove an empty log that a session made, by the locks of its own protocol: left
    /// behind, the files would belong to this process's user, and the app might not open them.
    private static func removeLog(_ path: String?, of file: DatabaseFile) {
        var information = stat()
        guard let path, stat(path, &information) == 0, information.st_size == 0 else { return }
        // The last writing connection that closes removes both files. A failure leaves them, which
        // is what a reader does anyway.
        if let connection = try? SQLiteConnection(
            path: file.path, mode: .readWrite, busyTimeout: .zero)
        {
            try? connection.begin()  // As above.
            connection.close()
        }
    }
}
