import CRename
import Glibc

/// A new file that appears under its name whole or not at all, and replaces nothing; only its owner
/// may read it.
///
/// Until `commit` it lies beside its name, under another one, which goes with this value.
package final class NewFile {
    private let path: String
    private let temporary: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    private static let bufferSize = 256 << 10

    /// Begins the file; throws where its name is taken, or its folder cannot be written.
    package init(path: String) throws(WriteFailure) {
        guard !path.isEmpty, !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
            throw WriteFailure(reason: "the path names no file")
        }
        self.path = path
        temporary = path + ".\(getpid()).part"
        var status = stat()
        guard lstat(path, &status) != 0 else { throw Self.taken }
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot be created") }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(WriteFailure) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Puts the file on disk and under its name; throws where somebody took that meanwhile.
    package func commit() throws(WriteFailure) {
        try flush()
        guard fsync(descriptor) == 0 else { throw Self.failure("cannot be synchronised") }
        if renameat2(AT_FDCWD, temporary, AT_FDCWD, path, LinuxFlag.renameWithoutReplacing) != 0 {
            // Not every file system can rename without replacing; each of those can link.
            guard errno == EINVAL || errno == ENOSYS, link(temporary, path) == 0 else {
                throw errno == EEXIST ? Self.taken : Self.failure("cannot be put in place")
            }
            unlink(temporary)
        }
        close(descriptor)
        descriptor = -1
        try synchroniseFolder()
    }

    private func synchroniseFolder() throws(WriteFailure) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        guard fsync(opened) == 0 || errno == EINVAL else {
            throw Self.failure("was written, and its folder cannot be synchronised")
        }
    }

    private func flush() throws(WriteFailure) {
        var done = 0
        while done < buffer.count {
            let count = buffer.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot be written") }
            done += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static let taken = WriteFailure(
        reason: "the name is taken, and nothing is replaced; --output names another")

    private static func failure(_ what: String) -> WriteFailure {
        WriteFailure(reason: "\(what): \(SystemFailure().text)")
    }
}
