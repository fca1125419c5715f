import Glibc

/// The folder of files, written as careful apps write: a temporary file elsewhere, then a rename.
struct Files {
    /// The folder in which files lie at their keys.
    let folder: String
    /// The folder for files that are not whole yet.
    let incoming: String

    /// A file that was put at its key.
    struct Upload {
        /// Its own number and mtime, which name this version.
        let inode: UInt64
        let modified: Int64
        /// When it appeared.
        let span: Span
    }

    /// Puts content at a key, in place of what is there.
    func upload(_ key: String, _ content: String, by hand: String) throws -> Upload {
        let temporary = incoming + "/" + hand
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Trouble("\(temporary) cannot be made") }
        let bytes = Array(content.utf8)
        var status = stat()
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fstat(file, &status) == 0
        close(file)
        let before = Clock.now
        guard isWritten, rename(temporary, folder + "/" + key) == 0 else {
            throw Trouble("\(key) cannot be uploaded: errno \(errno)")
        }
        return Upload(
            inode: UInt64(status.st_ino), modified: Clock.nanoseconds(status.st_mtim),
            span: Span(before: before, after: Clock.now))
    }

    /// Removes what is at a key; nil when nothing was there.
    func remove(_ key: String) throws -> Span? {
        let before = Clock.now
        guard unlink(folder + "/" + key) == 0 else {
            guard errno == ENOENT else { throw Trouble("\(key) cannot be removed") }
            return nil
        }
        return Span(before: before, after: Clock.now)
    }

    /// Whether a file is at a key now.
    func holds(_ key: String) -> Bool { access(folder + "/" + key, F_OK) == 0 }

    /// The names of the files in one folder.
    func names(in place: String) -> [String] {
        guard let stream = opendir(folder + "/" + place) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
