import GRDB
import MooringModel

/// Why the ledger cannot be used: what was found where, what is refused because of it, what to do.
///
/// The text holds no record content and no document.
package struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of failure it is, for exit statuses and tests.
    package enum Kind: Hashable, Sendable {
        /// There is no ledger at the path.
        case missing
        /// The folder of the path does not exist.
        case noFolder
        /// The file is no SQLite database, or no file at all.
        case notDatabase
        /// The file is a SQLite database of another program.
        case otherProgram
        /// The ledger was made by a newer program than this one.
        case newer
        /// The ledger was made by an older program, and this command does not change it.
        case older
        /// The file or a document in it is damaged.
        case corrupt
        /// The disk is full.
        case full
        /// The file or its folder cannot be written.
        case readOnly
        /// The file cannot be opened.
        case denied
        /// Another process holds the lock.
        case locked
        /// Another process did not let go of the file in time.
        case busy
        /// What was asked for contradicts what is stored.
        case conflict
        /// Anything else, such as a failing disk.
        case failed
    }

    /// The ledger's path as it was given.
    package let path: String
    /// What sort of failure it is.
    package let kind: Kind
    /// What was found.
    package let found: String
    /// What is refused because of it.
    package let refused: String
    /// What to do next.
    package let hint: String

    /// A failure.
    package init(path: String, kind: Kind, found: String, refused: String, hint: String) {
        self.path = path
        self.kind = kind
        self.found = found
        self.refused = refused
        self.hint = hint
    }

    /// `path: found; refused: what; hint`.
    package var description: String { "\(path): \(found); refused: \(refused); \(hint)" }
}

extension LedgerError {
    /// The failure behind any error thrown while the ledger was used.
    init(_ error: any Error, path: String, refused: String) {
        switch error {
        case let error as LedgerError: self = error
        case let error as DatabaseError: self.init(error, path: path, refused: refused)
        case let error as JSONError:
            self = .damagedDocument(error.description, path: path, refused: refused)
        case let error as DocumentError:
            self = .damagedDocument(error.description, path: path, refused: refused)
        default:
            self.init(
                path: path, kind: .failed, found: "an unexpected error, \(type(of: error))",
                refused: refused, hint: "run mooring ledger check")
        }
    }

    private init(_ error: DatabaseError, path: String, refused: String) {
        let (kind, found, hint) = Self.explanation(of: error)
        self.init(path: path, kind: kind, found: found, refused: refused, hint: hint)
    }

    private static func explanation(of error: DatabaseError) -> (Kind, String, String) {
        // SQLite's own sentence names tables and columns, never a value.
        let words = error.message ?? "no reason given"
        let code = error.extendedResultCode.rawValue
        return switch error.resultCode {
        case .SQLITE_FULL:
            (.full, "the disk is full", "free some space there and run the command again")
        // The one I/O error that a full disk brings: no room for the file of shared memory.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            (.full, "the disk is full", "free some space there and run the command again")
        case .SQLITE_READONLY:
            (
                .readOnly, "it cannot be written",
                "make the file and its folder writable for this user, or name another ledger"
            )
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            (
                .denied, "it cannot be opened (SQLite code \(code))",
                "let this user read and write the file and its folder, or name another ledger"
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (
                .busy, "another process is writing to it and did not finish in time",
                "wait for that process, then run the command again"
            )
        case .SQLITE_NOTADB:
            (.notDatabase, "it is not an SQLite database", "name another ledger")
        case .SQLITE_CORRUPT:
            (
                .corrupt, "it is damaged (\(words))",
                "keep a copy of it, run mooring ledger check, and restore it from a backup"
            )
        default:
            (.failed, "SQLite failed: \(words) (code \(code))", "run mooring ledger check")
        }
    }

    private static func damagedDocument(
        _ reason: String, path: String, refused: String
    ) -> LedgerError {
        LedgerError(
            path: path, kind: .corrupt, found: "a stored document cannot be read (\(reason))",
            refused: refused, hint: "keep a copy of it and run mooring ledger check")
    }
}
