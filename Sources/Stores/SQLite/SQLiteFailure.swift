import GRDBSQLite
import Glibc
import MooringModel

/// A call of SQLite that failed, or a request that the schema cannot serve.
///
/// The text holds names of tables, columns and files, and never a value of a record.
struct SQLiteFailure: Error {
    /// SQLite's extended result code; `SQLITE_ERROR` for what Mooring itself refuses.
    let code: Int32
    /// What was found; no value of a record.
    let reason: String
    /// What to do next, where there is something to say.
    let hint: String?

    /// A refusal that SQLite knows nothing of.
    init(_ reason: String, hint: String? = nil) {
        self.code = SQLITE_ERROR
        self.reason = reason
        self.hint = hint
    }

    /// The failure that a result code means; `detail` is a text that is known to hold no content.
    init(code: Int32, systemError: Int32 = 0, detail: String? = nil) {
        self.code = code
        let text = Self.explanation(of: code)
        var reason = text.reason ?? detail ?? String(cString: sqlite3_errstr(code))
        let isOfSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff)
        if isOfSystem, systemError != 0 {
            reason += " (\(String(cString: strerror(systemError))))"
        }
        self.reason = reason
        self.hint = text.hint
    }

    private init(code: Int32, reason: String, hint: String?) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xff }

    /// Whether another process's lock stood in the way; what was begun is rolled back.
    var isBusy: Bool { primaryCode == SQLITE_BUSY }

    /// The same failure, with what was being done in front of its reason.
    func during(_ action: String, hint: String? = nil) -> SQLiteFailure {
        SQLiteFailure(code: code, reason: "\(action): \(reason)", hint: hint ?? self.hint)
    }

    /// The failure as an incomplete scan's problem.
    func problem(at place: String) -> ScanProblem {
        ScanProblem(place: place, reason: reason + (hint.map { "; \($0)" } ?? ""))
    }

    /// The failure as a store's error; a refusal where it says that nothing was written.
    func storeError(at place: String, isRefusal: Bool = false) -> StoreError {
        StoreError(place: place, reason: reason, hint: hint, isRefusal: isRefusal)
    }

    private static func explanation(of code: Int32) -> (reason: String?, hint: String?) {
        let sideFiles =
            "SQLite needs a folder in which it can make its -journal, -wal and -shm files"
        // The extended codes are macros with arithmetic, which Swift does not import.
        switch code {
        case SQLITE_READONLY | (3 << 8):
            return (
                "an interrupted write left a journal, which a reader may not roll back",
                "open the database once with its app or with sqlite3; where a repair of mooring "
                    + "was killed, the next run that acts does so"
            )
        case SQLITE_READONLY | (1 << 8), SQLITE_READONLY | (5 << 8), SQLITE_READONLY | (6 << 8):
            return ("the files beside the database cannot be written", sideFiles)
        case SQLITE_CONSTRAINT | (1 << 8): return ("a CHECK constraint refused it", nil)
        case SQLITE_CONSTRAINT | (3 << 8): return ("a FOREIGN KEY constraint refused it", nil)
        case SQLITE_CONSTRAINT | (5 << 8): return ("a NOT NULL constraint refused it", nil)
        case SQLITE_CONSTRAINT | (6 << 8): return ("a PRIMARY KEY constraint refused it", nil)
        case SQLITE_CONSTRAINT | (7 << 8): return ("a trigger refused it", nil)
        case SQLITE_CONSTRAINT | (8 << 8): return ("a UNIQUE constraint refused it", nil)
        case SQLITE_CONSTRAINT | (12 << 8): return ("the table's column types refused it", nil)
        default: break
        }
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return (
                "the database is locked by another process",
                "run again when no other process writes to it for long"
            )
        case SQLITE_CORRUPT:
            return (
                "the database file is malformed",
                "check it with PRAGMA integrity_check, or restore it"
            )
        case SQLITE_NOTADB: return ("the file is not a database, or it is encrypted", nil)
        case SQLITE_CANTOPEN:
            return ("the database, or a file beside it, cannot be opened", sideFiles)
        case SQLITE_READONLY: return ("the database cannot be written", nil)
        default: return (nil, nil)
        }
    }
}
