import Glibc
import MooringModel
import MooringText

/// A folder of one run below the one that both sides reach. It holds what records hold, and the
/// program that Spark runs, so that nobody but its user may look into it or write there.
struct WorkFolder: Sendable {
    /// Its absolute path.
    let path: String

    /// Makes a folder of a new name below another, which is made too. Throws `NarrowingFailure`.
    init(below work: String) throws(NarrowingFailure) {
        _ = mkdir(work, 0o755)
        var template = Array("\(work)/mooring-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw NarrowingFailure(
                found: "no folder can be made in \(work), which spark.work names: "
                    + String(cString: strerror(errno)),
                next: "name a folder that this machine and every part of Spark can write")
        }
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// How a file is opened that nobody may have made before.
    static let anew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC

    /// Writes a new file of this name. Throws `NarrowingFailure`.
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = open("\(path)/\(name)", Self.anew, 0o600)
        var isWritten = file >= 0
        if file >= 0 {
            var start = 0
            while isWritten, start < bytes.count {
                let count = bytes[start...].withUnsafeBytes {
                    Glibc.write(file, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                isWritten = count > 0
                start += max(0, count)
            }
            // A mounted bucket has a file when it is synchronised, and may not when it is closed.
            if fsync(file) != 0 { isWritten = false }
            if close(file) != 0 { isWritten = false }
        }
        guard isWritten else {
            throw NarrowingFailure(
                found: "\(path)/\(name) cannot be written: \(String(cString: strerror(errno)))",
                next: "make room there, or name another folder as spark.work")
        }
    }

    /// The files that Spark wrote into a folder, in the order of their parts; nil where it did not
    /// end writing there.
    func parts(of folder: String) -> [String]? {
        let whole = "\(path)/\(folder)"
        guard access("\(whole)/_SUCCESS", F_OK) == 0, let names = Self.names(in: whole) else {
            return nil
        }
        return names.filter { $0.hasPrefix("part-") }.sorted().map { "\(whole)/\($0)" }
    }

    /// The lines of such a folder; nil as above, or where a file cannot be read.
    func lines(of folder: String) -> [ArraySlice<UInt8>]? {
        guard let parts = parts(of: folder) else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        for part in parts {
            guard let bytes = Self.bytes(of: part) else { return nil }
            lines += bytes.split(separator: UInt8(ascii: "\n"))
        }
        return lines
    }

    /// Removes it with all that lies in it.
    func remove() { Self.remove(path) }

    /// Removes what lies in it but for what jobs said.
    func removeButLogs() {
        for name in Self.names(in: path) ?? []
        where !name.hasSuffix(".log") && !name.hasSuffix(".out") {
            Self.remove("\(path)/\(name)")
        }
    }

    // Never through a link: what it leads to is not the run's.
    private static func remove(_ path: String) {
        guard unlink(path) != 0, errno == EISDIR else { return }
        for name in names(in: path) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }

    private static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether a file begins as a gzip stream does.
    static func startsAsGzip(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head: [UInt8] = [0, 0]
        return read(file, &head, 2) == 2 && head == [0x1F, 0x8B]
    }

    /// A file's bytes; nil where it cannot be read.
    static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }
}
