import Glibc
import Testing

/// A temporary folder for one test, removed with it; names in it are bytes.
class Folder {
    let path: String

    /// Owns a folder that is there.
    init(path: String) {
        self.path = path
    }

    convenience init() throws {
        self.init(path: try Self.make())
    }

    /// Makes a temporary folder.
    static func make() throws -> String {
        var template = Array("/tmp/mooring-e2e-XXXXXX".utf8CString)
        return try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        Folder.command(["rm", "-rf", path])
    }

    /// Runs a system command and returns its status.
    @discardableResult
    static func command(_ words: [String]) -> Int32 {
        var process = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        guard posix_spawnp(&process, words[0], nil, nil, arguments, nil) == 0 else { return -1 }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status == 0 ? 0 : (status >> 8) & 0xFF
    }

    /// Writes a file and the folders above it; `age` in seconds sets its times back.
    func write(_ name: [UInt8], _ content: [UInt8], age: Int? = nil) throws {
        var above: [UInt8] = []
        for part in name.split(separator: UInt8(ascii: "/")).dropLast() {
            above += (above.isEmpty ? [] : [UInt8(ascii: "/")]) + part
            try #require(mkdir(text(above), 0o755) == 0 || errno == EEXIST)
        }
        let file = open(text(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0, "\(String(cString: strerror(errno)))")
        defer { close(file) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            try #require(count > 0)
            rest = rest.dropFirst(count)
        }
        if let age { try set(age: age, of: name) }
    }

    func write(_ name: String, _ content: String, age: Int? = nil) throws {
        try write(Array(name.utf8), Array(content.utf8), age: age)
    }

    /// Writes a program that a test starts. Another process makes the file, for one that this one
    /// had open for writing may still be open in a child that another test starts meanwhile, and
    /// the system then refuses to run it: "Text file busy".
    func program(_ name: String, _ content: String) throws {
        try write(name + ".text", content)
        let text = path + "/" + name + ".text"
        try #require(Self.command(["install", "-m", "755", text, path + "/" + name]) == 0)
    }

    /// Sets a file's times so many seconds back.
    func set(age: Int, of name: [UInt8]) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let moment = timespec(tv_sec: now.tv_sec - age, tv_nsec: now.tv_nsec)
        try #require(utimensat(AT_FDCWD, text(name), [moment, moment], 0) == 0)
    }

    /// A file's content; nil when there is no such file.
    func read(_ name: [UInt8]) -> [UInt8]? {
        let file = open(text(name), O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &piece, piece.count)
            guard count > 0 else { return output }
            output += piece[..<count]
        }
    }

    func read(_ name: String) -> String? {
        read(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a name is there, as a link too.
    func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(text(Array(name.utf8)), &status) == 0
    }

    func remove(_ name: String) { Folder.command(["rm", "-rf", path + "/" + name]) }

    func rename(_ name: String, to other: String) throws {
        try #require(Glibc.rename(path + "/" + name, path + "/" + other) == 0)
    }

    /// All files below a name with their bytes, folders and a bucket's marker left out; keys are
    /// paths below it.
    func files(below name: String) -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        collect(Array(name.utf8), key: [], into: &found)
        return found
    }

    private func collect(
        _ name: [UInt8], key: [UInt8], into found: inout [[UInt8]: [UInt8]]
    ) {
        guard let stream = opendir(text(name)) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let part = withUnsafeBytes(of: entry.pointee.d_name) { buffer in
                Array(buffer.prefix { $0 != 0 })
            }
            guard part != Array(".".utf8), part != Array("..".utf8) else { continue }
            let below = name + [UInt8(ascii: "/")] + part
            let own = key + (key.isEmpty ? [] : [UInt8(ascii: "/")]) + part
            if String(decoding: below, as: UTF8.self).hasSuffix("/.mooring/store") { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                collect(below, key: own, into: &found)
            } else {
                found[own] = read(below) ?? []
            }
        }
    }

    func text(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name).map { CChar(bitPattern: $0) } + [0]
    }
}

/// Ages in seconds, and lengths in days.
enum Age {
    static let young = 60
    static let day = 86_400
    /// Past the grace of the preset `standard`, which is three days and an hour.
    static let old = 30 * day
}
