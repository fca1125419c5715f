import Glibc
import MooringModel
import Testing

@testable import MooringFiles

/// A temporary folder that is removed with all it holds; `files` in it is the bucket's folder.
final class Sandbox: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/mooring-files-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
        try makeFolder("files")
    }

    deinit {
        // rm copes with every name and depth that the tests make.
        var process = pid_t()
        let words: [String] = ["rm", "-rf", path]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        guard posix_spawn(&process, "/bin/rm", nil, nil, arguments + [nil], nil) == 0 else {
            return
        }
        waitpid(process, nil, 0)
    }

    var folder: String { path + "/files" }

    static let quarantine = Array(".q/bin/".utf8)

    func bucket(
        trust: DirectoryBucket.Trust = .mtime,
        interruption: @escaping @Sendable (DirectoryBucket.Moment) -> Void = { _ in }
    ) throws -> DirectoryBucket {
        try DirectoryBucket(
            name: "media", folder: folder, quarantine: Self.quarantine, trust: trust,
            interruption: interruption)
    }

    func makeFolder(_ name: String) throws {
        try makeFolder(Array(name.utf8))
    }

    /// Makes a folder below the sandbox and those that hold it.
    func makeFolder(_ name: [UInt8]) throws {
        var made: [UInt8] = []
        for part in name.split(separator: UInt8(ascii: "/")) {
            made += (made.isEmpty ? [] : [UInt8(ascii: "/")]) + part
            let result = mkdir(text(made), 0o755)
            try #require(result == 0 || errno == EEXIST)
        }
    }

    /// Writes a file in the bucket's folder.
    func put(_ key: [UInt8], _ content: [UInt8] = [1, 2, 3]) throws {
        try write(Array("files/".utf8) + key, content)
    }

    func put(_ key: String, _ content: String = "abc") throws {
        try put(Array(key.utf8), Array(content.utf8))
    }

    /// Writes a file below the sandbox.
    func write(_ name: [UInt8], _ content: [UInt8]) throws {
        if let end = name.lastIndex(of: UInt8(ascii: "/")) { try makeFolder(Array(name[..<end])) }
        let file = open(text(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0)
        defer { close(file) }
        var done = 0
        while done < content.count {
            let count = content.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress?.advanced(by: done), content.count - done)
            }
            try #require(count > 0)
            done += count
        }
    }

    func write(_ name: String, _ content: String) throws -> String {
        try write(Array(name.utf8), Array(content.utf8))
        return path + "/" + name
    }

    /// Makes a link in the bucket's folder.
    func link(_ key: String, to target: String) throws {
        let name = Array("files/".utf8) + Array(key.utf8)
        if let end = name.lastIndex(of: UInt8(ascii: "/")) { try makeFolder(Array(name[..<end])) }
        try #require(symlink(target, text(name)) == 0)
    }

    /// A file's content; nil when there is no such file.
    func content(_ name: [UInt8]) -> [UInt8]? {
        let file = open(text(name), O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { return output }
            output += piece[..<count]
        }
    }

    func content(_ name: String) -> String? {
        content(Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a name exists, as a link too.
    func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(text(Array(name.utf8)), &status) == 0
    }

    func remove(_ name: String) {
        Glibc.remove(text(Array(name.utf8)))
    }

    func rename(_ name: String, to other: String) throws {
        try #require(Glibc.rename(text(Array(name.utf8)), text(Array(other.utf8))) == 0)
    }

    private func text(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name).map { CChar(bitPattern: $0) } + [0]
    }
}
