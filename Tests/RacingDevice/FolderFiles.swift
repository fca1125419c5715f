import Glibc

/// The files of a folder, written as careful apps write: a temporary file elsewhere, then a rename.
struct FolderFiles: Files {
    /// The folder in which files lie at their keys.
    let folder: String
    /// The folder for files that are not whole yet.
    private let incoming: String

    /// A folder that is there. What is being written lies beside it, so that no content is ever
    /// seen in part.
    init(_ folder: String) throws {
        self.folder = folder
        incoming = folder + "-incoming"
        guard mkdir(incoming, 0o755) == 0 || errno == EEXIST else {
            throw Trouble("\(incoming) cannot be made")
        }
    }

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
        // Mooring takes the mtime for the file's birth, and the rename came after it.
        let modified = Clock.nanoseconds(status.st_mtim)
        return Upload(
            version: "m\(modified).i\(status.st_ino)", born: modified,
            span: Span(before: before, after: Clock.now))
    }

    func remove(_ key: String) throws -> Span? {
        let before = Clock.now
        guard unlink(folder + "/" + key) == 0 else {
            guard errno == ENOENT else { throw Trouble("\(key) cannot be removed") }
            return nil
        }
        return Span(before: before, after: Clock.now)
    }

    func holds(_ key: String) -> Bool { access(folder + "/" + key, F_OK) == 0 }

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
