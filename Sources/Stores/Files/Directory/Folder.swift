import CRename
import Glibc

/// An open folder; every call names one entry of it and follows no link.
///
/// The number of the descriptor stays inside, so that it is never used after it was closed.
final class Folder {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a folder by the path the user gave; a link in that path is the user's own.
    static func open(_ path: String) throws(SystemFailure) -> Folder {
        guard !path.utf8.contains(0) else { throw SystemFailure(code: EINVAL) }
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        return Folder(descriptor)
    }

    /// Opens an entry that is a folder, and fails when it is anything else, a link included.
    func folder(_ name: [UInt8]) throws(SystemFailure) -> Folder {
        let flags = LinuxFlag.path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = openat(descriptor, cString(name), flags)
        guard opened >= 0 else { throw SystemFailure() }
        return Folder(opened)
    }

    /// What the folder itself is.
    func ownFacts() throws(SystemFailure) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFailure() }
        return FileFacts(status)
    }

    /// What an entry is.
    func facts(_ name: [UInt8]) throws(SystemFailure) -> FileFacts {
        var status = stat()
        guard fstatat(descriptor, cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemFailure()
        }
        return FileFacts(status)
    }

    /// Whether something is mounted at an entry, be it a folder of the same file system.
    func isMount(_ name: [UInt8]) throws(SystemFailure) -> Bool {
        try MountLook.isMount(descriptor, cString(name))
    }

    /// When an entry came to be, in nanoseconds since 1970; nil where nothing tells.
    func birth(_ name: [UInt8]) -> Int64? { BirthLook.birth(descriptor, cString(name)) }

    /// Whether files keep their inodes for good here, whatever is mounted anew.
    var keepsInodes: Bool { BirthLook.keepsInodes(descriptor) }

    /// Metadata of what a name leads to; nil when it is a link that leads nowhere.
    func end(of name: [UInt8]) throws(SystemFailure) -> FileFacts? {
        var status = stat()
        guard fstatat(descriptor, cString(name), &status, 0) == 0 else {
            let failure = SystemFailure()
            guard failure.meansLeadsNowhere else { throw failure }
            return nil
        }
        return FileFacts(status)
    }

    /// Makes a folder with these permissions, less the process's mask.
    func makeFolder(_ name: [UInt8], mode: mode_t) throws(SystemFailure) {
        guard mkdirat(descriptor, cString(name), mode) == 0 else { throw SystemFailure() }
    }

    /// Moves an entry into another folder in one step, under the same name unless another is
    /// given; fails with `EEXIST` rather than replace anything.
    func move(
        _ name: [UInt8], to other: Folder, as newName: [UInt8]? = nil
    ) throws(SystemFailure) {
        let result = renameat2(
            descriptor, cString(name), other.descriptor, cString(newName ?? name),
            LinuxFlag.renameWithoutReplacing)
        guard result == 0 else { throw SystemFailure() }
    }

    /// Exchanges an entry with one of another folder in one step: at no moment is either missing.
    func exchange(
        _ name: [UInt8], with other: Folder, _ otherName: [UInt8]
    ) throws(SystemFailure) {
        let result = renameat2(
            descriptor, cString(name), other.descriptor, cString(otherName),
            LinuxFlag.renameExchanging)
        guard result == 0 else { throw SystemFailure() }
    }

    /// Gives a file a second name in another folder; fails with `EEXIST` rather than replace
    /// anything.
    func link(_ name: [UInt8], to other: Folder, as newName: [UInt8]) throws(SystemFailure) {
        let result = linkat(descriptor, cString(name), other.descriptor, cString(newName), 0)
        guard result == 0 else { throw SystemFailure() }
    }

    /// Removes an entry that is no folder.
    func removeFile(_ name: [UInt8]) throws(SystemFailure) {
        guard unlinkat(descriptor, cString(name), 0) == 0 else { throw SystemFailure() }
    }

    /// Removes an entry that is an empty folder.
    func removeFolder(_ name: [UInt8]) throws(SystemFailure) {
        guard unlinkat(descriptor, cString(name), AT_REMOVEDIR) == 0 else { throw SystemFailure() }
    }

    /// Makes an empty file that was not there and says what it is.
    func makeFile(_ name: [UInt8]) throws(SystemFailure) -> FileFacts {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, cString(name), flags, 0o600)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemFailure() }
        return FileFacts(status)
    }

    /// Makes a file that was not there, with this content on disk, and says what it is.
    func makeFile(
        _ name: [UInt8], holding content: [UInt8]
    ) throws(SystemFailure) -> FileFacts {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, cString(name), flags, 0o644)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure() }
            rest = rest.dropFirst(count)
        }
        var status = stat()
        guard fsync(file) == 0, fstat(file, &status) == 0 else { throw SystemFailure() }
        return FileFacts(status)
    }

    /// The first bytes of an entry and what it is; no bytes of what is no file.
    func beginning(
        of name: [UInt8], limit: Int
    ) throws(SystemFailure) -> (facts: FileFacts, content: [UInt8]) {
        // Non-blocking, so that a named pipe does not hold the program.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = openat(descriptor, cString(name), flags)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemFailure() }
        let facts = FileFacts(status)
        guard facts.kind == .file else { return (facts, []) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while content.count < limit {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemFailure() }
            if count == 0 { break }
            content += piece[..<count]
        }
        return (facts, Array(content.prefix(limit)))
    }

    /// Waits until the folder's entries are on disk, as far as its file system can promise that.
    func synchronize() throws(SystemFailure) {
        let readable = try reopened()
        defer { close(readable) }
        guard fsync(readable) == 0 else {
            let failure = SystemFailure()
            // Some network file systems know no fsync of a folder; there is nothing to wait for.
            if failure.code == EINVAL || failure.code == ENOTSUP { return }
            throw failure
        }
    }

    /// The folder's entries from the first on.
    func entries() throws(SystemFailure) -> FolderEntries {
        try FolderEntries(adopting: reopened())
    }

    private func reopened() throws(SystemFailure) -> Int32 {
        let readable = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard readable >= 0 else { throw SystemFailure() }
        return readable
    }
}

/// Numbers of the Linux kernel that Swift's Glibc module leaves out.
enum LinuxFlag {
    /// O_PATH.
    static let path: Int32 = 0o10_000_000
    /// RENAME_NOREPLACE.
    static let renameWithoutReplacing: UInt32 = 1
    /// RENAME_EXCHANGE.
    static let renameExchanging: UInt32 = 2
}

// The callers' names hold no NUL: `ObjectPath` refuses it.
private func cString(_ name: [UInt8]) -> [CChar] {
    name.map { CChar(bitPattern: $0) } + [0]
}
