import Glibc

/// An open folder whose entries are reached by name, never through a link that replaced it.
final class Folder {
    /// Where it lay when it was opened.
    let path: String
    private let descriptor: Int32

    /// Opens an existing folder; a link is refused unless it may be followed.
    init(opening path: String, followingLink: Bool) throws(ReportError) {
        self.path = path
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLink ? 0 : O_NOFOLLOW)
        descriptor = open(path, flags)
        guard descriptor >= 0 else {
            throw ReportError(path: path, doing: "the folder cannot be opened", code: errno)
        }
    }

    deinit {
        // A child that is just being started shares the descriptor, and the lock with it.
        flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Creates a folder and all folders above it that are missing.
    static func create(_ path: String) throws(ReportError) {
        if mkdir(path, 0o777) == 0 { return }
        if errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex
        {
            try create(String(path[..<slash]))
            if mkdir(path, 0o777) == 0 { return }
        }
        var status = stat()
        let code = errno
        if code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        throw ReportError(path: path, doing: "the folder cannot be created", code: code)
    }

    /// Takes the folder's lock, which ends with this value or its process; false when another
    /// process holds it. On a file system without locks it is always taken.
    func lock(waiting: Bool) -> Bool {
        while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno != EWOULDBLOCK
        }
        return true
    }

    /// Waits until the disk has the folder's entries.
    func synchronise() throws(ReportError) {
        guard fsync(descriptor) == 0 else {
            throw ReportError(path: path, doing: "the folder cannot be synchronised", code: errno)
        }
    }

    /// The names of all entries, as C strings since they need not be UTF-8.
    func names() throws(ReportError) -> [[CChar]] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw ReportError(path: path, doing: "the folder cannot be read", code: errno)
        }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 }).map { CChar(bitPattern: $0) } + [0]
            }
            if name != [46, 0], name != [46, 46, 0] { names.append(name) }
        }
        return names
    }

    /// Gives the other folder a second name for each of this one's files that it lacks; what
    /// cannot be linked is left out.
    func linkFiles(into other: Folder) throws(ReportError) {
        for name in try names() {
            // A name that is taken, a folder, or a file system without links: `move` comes later.
            _ = linkat(descriptor, name, other.descriptor, name, 0)
        }
    }

    /// Moves the entries that the other folder lacks there, and removes the rest.
    func move(into other: Folder) throws(ReportError) {
        for name in try names() {
            var status = stat()
            let isTaken = fstatat(other.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            if !isTaken, renameat(descriptor, name, other.descriptor, name) == 0 { continue }
            try remove(name)
        }
    }

    /// Removes every file in the folder; a folder in it is refused.
    func clear() throws(ReportError) {
        for name in try names() { try remove(name) }
    }

    /// Removes one file.
    func remove(_ name: [CChar]) throws(ReportError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw ReportError(path: path, doing: "a file in it cannot be removed", code: errno)
        }
    }

    /// Whether the path still names this folder.
    var isStillThere: Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}
