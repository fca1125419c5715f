import Glibc

/// A database without a name, whose room is free again as soon as its process ends.
enum NamelessDatabase {
    // For as long as it takes to open a file, it has a name in a folder of its own.
    private static let prefix = "mooring-copy-"
    private static let file = "copy.sqlite"
    // Far longer than that takes.
    private static let patience = 3_600

    /// Makes one in a folder, where room for all that is written to it is needed.
    static func make(in scratch: String) throws(SQLiteFailure) -> SQLiteConnection {
        removeLeftovers(in: scratch)
        var template = Array("\(scratch)/\(prefix)XXXXXX".utf8CString)
        // mkdtemp makes the folder with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw SQLiteFailure(String(cString: strerror(errno)))
        }
        let folder = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { remove(folder) }
        let target = try SQLiteConnection(
            path: "\(folder)/\(file)", mode: .scratch, busyTimeout: .zero)
        // A journal would need a name beside the database's, and nothing here is worth a sync.
        try target.execute("PRAGMA journal_mode = OFF")
        try target.execute("PRAGMA synchronous = OFF")
        return target
    }

    /// Removes the folders of processes that were killed in between; what cannot be removed, or is
    /// another user's, stays.
    private static func removeLeftovers(in scratch: String) {
        guard let entries = opendir(scratch) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = "\(scratch)/\(name)"
            var status = stat()
            guard name.hasPrefix(prefix), lstat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > patience
            else { continue }
            remove(path)
        }
    }

    private static func remove(_ folder: String) {
        unlink("\(folder)/\(file)")
        rmdir(folder)
    }
}
