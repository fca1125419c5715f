import Glibc

/// A live database that is reached by a second name.
///
/// SQLite finds a database's log beside the name by which it was opened: under another one the log
/// that the app writes to is not seen, and what is written goes to a log that the app does not see
/// (sqlite.org, howtocorrupt.html, "Multiple links to the same file").
enum MountedFile {
    /// Throws where the file may have the log that counts beside another name. A symbolic link is
    /// none: SQLite follows it.
    static func refuseSecondName(of path: String) throws(SQLiteFailure) {
        guard let real = realpath(path.isEmpty ? "./" : path, nil) else { return }
        defer { free(real) }
        var information = stat()
        // Opening it tells what is wrong with it.
        guard stat(real, &information) == 0 else { return }
        let path = String(cString: real)
        if isMounted(path, device: information.st_dev) {
            throw SQLiteFailure(
                "the file itself is a mount, and the log in which an app keeps what it wrote last "
                    + "lies beside its other name; nothing is read or written",
                hint: "mount the folder, not the file")
        }
        if information.st_mode & S_IFMT == S_IFREG, information.st_nlink > 1 {
            throw SQLiteFailure(
                "the file has \(information.st_nlink) hard links, and the log in which an app "
                    + "keeps what it wrote last may lie beside another name; nothing is read or "
                    + "written",
                hint: "keep one name of it, or declare a copy with `taken`")
        }
    }

    /// Whether a list of mounts in the form of `/proc/self/mountinfo` has one at this path, which
    /// is absolute and holds no link. Source: proc_pid_mountinfo(5), field 5.
    static func isMountPoint(_ path: [UInt8], in list: [UInt8]) -> Bool {
        let place = escaped(path)
        return list.split(separator: UInt8(ascii: "\n")).contains { line in
            let fields = line.split(
                separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
            return fields.count > 5 && fields[4].elementsEqual(place)
        }
    }

    // Where the list cannot be read, a file of another file system than its folder is a mount; one
    // of the same file system is not told.
    private static func isMounted(_ path: String, device: dev_t) -> Bool {
        if let list = mounts() { return isMountPoint(Array(path.utf8), in: list) }
        var folder = stat()
        let name = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        return stat(name.isEmpty ? "/" : String(name), &folder) == 0 && folder.st_dev != device
    }

    private static func mounts() -> [UInt8]? {
        let file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return text }
            text += piece[..<count]
        }
    }

    // The kernel writes blanks, tabs, line ends and backslashes as `\` and three octal digits.
    private static func escaped(_ path: [UInt8]) -> [UInt8] {
        path.flatMap { byte -> [UInt8] in
            guard " \t\n\\".utf8.contains(byte) else { return [byte] }
            let digits = String(byte, radix: 8)
            return Array(("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8)
        }
    }
}
