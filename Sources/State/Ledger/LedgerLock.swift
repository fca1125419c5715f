import Glibc
package import MooringModel
import MooringText
import Synchronization

/// The right to write to one ledger, held by one process at a time.
///
/// A lock of the kernel on `LEDGER.lock`, which lets go of it when the process dies, however it
/// dies. The file stays; only the lock on it counts. It does not keep two machines apart whose
/// file system shares no locks.
package final class LedgerLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Takes the lock, or throws `LedgerError` of kind `locked` at once, which names the holder.
    ///
    /// The command and the moment are written into the lock file for others to read.
    package static func acquire(
        ledgerPath: String, command: String, at instant: Instant
    ) throws(LedgerError) -> LedgerLock {
        let file = LedgerFile(path: ledgerPath, refused: "running \(command)")
        _ = try file.state()
        let path = file.resolvedPath + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw LedgerError(
                path: path, kind: errno == EACCES || errno == EROFS ? .readOnly : .denied,
                found: "the lock file cannot be opened (\(LedgerFile.words(errno)))",
                refused: file.refused,
                hint: "let this user write it and its folder; it must be no link")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(descriptor) }
            guard errno == EWOULDBLOCK else {
                throw LedgerError(
                    path: path, kind: .failed,
                    found: "the file system refuses locks (\(LedgerFile.words(errno)))",
                    refused: file.refused, hint: "keep the ledger on a local disk")
            }
            throw LedgerError(
                path: ledgerPath, kind: .locked, found: "in use by \(holder(descriptor))",
                refused: file.refused, hint: "wait for that process, or look at it")
        }
        write("process \(getpid()), \(command), since \(instant.iso8601)", to: descriptor)
        return LedgerLock(descriptor)
    }

    /// Lets go of the lock; a second call does nothing.
    package func release() {
        descriptor.withLock { held in
            guard let open = held else { return }
            held = nil
            // Emptied while it is still ours, so that nobody is told of a holder that is gone.
            Self.write("", to: open)
            // Closing alone would not do while a child that is just being started shares it.
            flock(open, LOCK_UN)
            close(open)
        }
    }

    /// Who holds a ledger's lock, in the words of the holder; nil where nobody does.
    ///
    /// Nothing is written. Only where a holder's words stand in the file is the lock tried, for a
    /// moment and shared with others who look; a command that begins in that moment leaves.
    package static func holder(ledgerPath: String) -> String? {
        let path = LedgerFile(path: ledgerPath, refused: "").resolvedPath + ".lock"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return nil
        }
        return holder(descriptor)
    }

    /// What the holder wrote; a failure to write it is no reason to give up the lock.
    private static func write(_ text: String, to descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// What the holder wrote, without anything that could steer a terminal.
    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return "another process" }
        return String(decoding: bytes.prefix(count), as: UTF8.self).printable(mark: "?")
    }
}
