import Glibc

/// The file behind a ledger's path, looked at before SQLite may touch it.
///
/// SQLite writes to whatever it opens, a journal of another program included; so the header's
/// bytes are read first, and a file that is not Mooring's is never opened as a database.
struct LedgerFile {
    /// What stands at the path.
    enum State: Hashable {
        /// There is no file.
        case missing
        /// A file without any bytes, such as a crash during creation leaves.
        case empty
        /// A SQLite database that carries Mooring's application id.
        case ledger
    }

    /// `MOOR`, in the header of every ledger.
    static let applicationID: Int32 = 0x4D4F_4F52

    /// The path as it was given.
    let path: String
    /// What is refused when the file is not fit.
    let refused: String

    /// What stands at the path; throws when it can be no ledger.
    func state() throws(LedgerError) -> State {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw error(.notDatabase, "the path is empty or holds a NUL byte", "name another file")
        }
        // Non-blocking, so that a named pipe does not hold the program.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return try stateOfUnopened(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw error(.failed, "it cannot be looked at (\(Self.words(errno)))", "check the disk")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw error(.notDatabase, "it is not a regular file", "name another ledger")
        }
        if status.st_size == 0 { return .empty }
        try checkHeader(descriptor)
        return .ledger
    }

    /// Creates an empty file that only this user can read: the journal holds record values.
    func create() throws(LedgerError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            throw error(
                reason == ENOSPC
                    ? .full : reason == EROFS || reason == EACCES ? .readOnly : .denied,
                "it cannot be created (\(Self.words(reason)))",
                "make its folder writable for this user, or name another ledger")
        }
        close(descriptor)
    }

    /// The path without symbolic links, as far as it exists, so that one ledger has one lock.
    var resolvedPath: String {
        if let whole = Self.resolve(path) { return whole }
        guard let slash = path.lastIndex(of: "/") else {
            return Self.resolve(".").map { $0 + "/" + path } ?? path
        }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return Self.resolve(folder).map { $0 + path[slash...] } ?? path
    }

    /// The system's words for an error number.
    static func words(_ number: Int32) -> String { String(cString: strerror(number)) }

    private static func resolve(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    private func stateOfUnopened(_ reason: Int32) throws(LedgerError) -> State {
        switch reason {
        case ENOENT:
            guard folderExists else {
                throw error(.noFolder, "its folder does not exist", "create the folder first")
            }
            return .missing
        case ENOTDIR:
            throw error(.noFolder, "a part of its path is a file", "correct the path")
        default:
            throw error(
                .denied, "it cannot be opened (\(Self.words(reason)))",
                "let this user read and write the file, or name another ledger")
        }
    }

    private var folderExists: Bool {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return true }
        var status = stat()
        return stat(String(path[..<slash]), &status) == 0
    }

    private func checkHeader(_ descriptor: Int32) throws(LedgerError) {
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 100, 0) }
        guard count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw error(
                .notDatabase, "it is not an SQLite database, so it is no ledger",
                "name another ledger")
        }
        let found = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        guard found == Self.applicationID else {
            throw error(
                .otherProgram, "it is a SQLite database of another program",
                "name another ledger; nothing was written to it")
        }
    }

    private func error(_ kind: LedgerError.Kind, _ found: String, _ hint: String) -> LedgerError {
        LedgerError(path: path, kind: kind, found: found, refused: refused, hint: hint)
    }
}
