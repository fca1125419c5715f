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

    /// Writes a new file of this name, of texts that are made one by one, and gives how many bytes
    /// these are. Throws `NarrowingFailure`.
    @discardableResult
    func write(
        _ texts: some Sequence<[UInt8]>, to name: String
    ) throws(NarrowingFailure) -> Int {
        let file = try NewRows("\(path)/\(name)")
        for text in texts { try file.append(text) }
        try file.end()
        return Int(file.checksum.size)
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
        var lines: [ArraySlice<UInt8>] = []
        return eachLine(of: folder) { lines.append(ArraySlice(Array($0))) } ? lines : nil
    }

    /// Gives the lines of such a folder one by one, but for empty ones; false where it is not
    /// whole, or a file cannot be read. Throws what `receive` throws.
    func eachLine<Failure>(
        of folder: String, _ receive: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let parts = parts(of: folder) else { return false }
        for part in parts {
            var waiting: [UInt8] = []
            let isRead = try Self.eachPiece(of: part) { piece throws(Failure) in
                // What waits is one line that has no end so far.
                var (start, look) = (0, waiting.count)
                waiting += piece
                while let end = waiting[look...].firstIndex(of: UInt8(ascii: "\n")) {
                    if end > start { try receive(waiting[start..<end]) }
                    (start, look) = (end + 1, end + 1)
                }
                waiting.removeFirst(start)
            }
            guard isRead else { return false }
            // The last line of a file may have no end.
            if !waiting.isEmpty { try receive(waiting[...]) }
        }
        return true
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
        var bytes: [UInt8] = []
        return eachPiece(of: path) { bytes += $0 } ? bytes : nil
    }

    // Gives a file's bytes piece by piece; false where it cannot be read.
    private static func eachPiece<Failure>(
        of path: String, _ receive: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 }
            try receive(piece[..<count])
        }
    }
}
