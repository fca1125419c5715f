import Glibc

/// The entries of one open folder, one after another, without holding more than one name.
final class FolderEntries {
    private let stream: OpaquePointer
    private var name: UnsafePointer<CChar>?

    /// Reads the folder that this descriptor stands for, and closes it in the end.
    init(adopting descriptor: Int32) throws(SystemFailure) {
        guard let stream = fdopendir(descriptor) else {
            let failure = SystemFailure()
            close(descriptor)
            throw failure
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// Steps to the next entry; false at the end.
    func advance() throws(SystemFailure) -> Bool {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                name = nil
                guard errno == 0 else { throw SystemFailure() }
                return false
            }
            let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
            let text = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            if strcmp(text, ".") != 0, strcmp(text, "..") != 0 {
                name = text
                return true
            }
        }
    }

    /// Appends the entry's name.
    func appendName(to bytes: inout [UInt8]) {
        guard let name else { return }
        let raw = UnsafeRawBufferPointer(start: name, count: strlen(name))
        bytes.append(contentsOf: raw)
    }

    /// What the entry is.
    func facts() throws(SystemFailure) -> FileFacts {
        var status = stat()
        guard let name, fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemFailure()
        }
        return FileFacts(status)
    }

    /// Whether something is mounted at the entry, be it a folder of the same file system.
    func isMount() throws(SystemFailure) -> Bool {
        guard let name else { throw SystemFailure(code: ENOENT) }
        return try MountLook.isMount(dirfd(stream), name)
    }

    /// What the entry, a link, leads to in the end.
    func targetFacts() throws(SystemFailure) -> FileFacts {
        var status = stat()
        guard let name, fstatat(dirfd(stream), name, &status, 0) == 0 else {
            throw SystemFailure()
        }
        return FileFacts(status)
    }

    /// What the entry, a link, points to.
    func linkTarget() throws(SystemFailure) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard let name else { throw SystemFailure(code: ENOENT) }
        let length = readlinkat(dirfd(stream), name, &buffer, buffer.count)
        guard length >= 0 else { throw SystemFailure() }
        return buffer[..<length].map { UInt8(bitPattern: $0) }
    }

    /// The entries of the entry, a folder.
    func entries() throws(SystemFailure) -> FolderEntries {
        guard let name else { throw SystemFailure(code: ENOENT) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = openat(dirfd(stream), name, flags)
        guard opened >= 0 else { throw SystemFailure() }
        return try FolderEntries(adopting: opened)
    }
}
