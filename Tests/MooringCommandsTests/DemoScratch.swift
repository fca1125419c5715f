import Glibc
import MooringModel
import Testing

/// A temporary folder for one test, removed with it.
final class Scratch {
    private let root: String

    init() throws {
        var template = Array("/tmp/mooring-setup-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        removeAll(Array(root.utf8))
    }

    /// The path of a name in the folder.
    func path(_ name: String) -> String { name.isEmpty ? root : root + "/" + name }

    /// Writes a file and the folders above it.
    func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: Array(name.utf8))
    }

    func write(_ content: [UInt8], to name: [UInt8]) throws {
        for index in name.indices where name[index] == UInt8(ascii: "/") {
            mkdir(bytes(Array(name[..<index])), 0o755)
        }
        let file = try #require(fopen(bytes(name), "w"))
        fwrite(content, 1, content.count, file)
        fclose(file)
    }

    /// What a file holds.
    func contents(of name: [UInt8]) throws -> [UInt8] {
        let file = try #require(fopen(bytes(name), "r"))
        defer { fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return content }
            content += buffer[..<count]
        }
    }

    /// When a file was written.
    func modified(_ name: [UInt8]) throws -> Instant {
        var facts = stat()
        try #require(lstat(bytes(name), &facts) == 0)
        return Instant(seconds: Int64(facts.st_mtim.tv_sec))
            + .nanoseconds(Int64(facts.st_mtim.tv_nsec))
    }

    /// The names in a folder, sorted.
    func names(in folder: String) throws -> [String] {
        try entries(of: Array(path(folder).utf8)).map { String(decoding: $0.name, as: UTF8.self) }
    }

    /// The paths of all files below a folder, sorted.
    func files(below folder: String) throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        try collect(Array(path(folder).utf8), [], &found)
        return found
    }

    private func collect(
        _ folder: [UInt8], _ prefix: [UInt8], _ found: inout [[UInt8]]
    ) throws {
        for (name, isFolder) in try entries(of: folder) {
            if isFolder {
                let slash = [UInt8(ascii: "/")]
                try collect(folder + slash + name, prefix + name + slash, &found)
            } else {
                found.append(prefix + name)
            }
        }
    }

    private func entries(of folder: [UInt8]) throws -> [(name: [UInt8], isFolder: Bool)] {
        let stream = try #require(opendir(Self.terminated(folder)))
        defer { closedir(stream) }
        var found: [(name: [UInt8], isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == Array(".".utf8) || name == Array("..".utf8) { continue }
            found.append((name, Int32(entry.pointee.d_type) == Int32(DT_DIR)))
        }
        return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private func removeAll(_ folder: [UInt8]) {
        // What cannot be read here stays in the temporary folder, and fails no test.
        for (name, isFolder) in (try? entries(of: folder)) ?? [] {
            let path = folder + [UInt8(ascii: "/")] + name
            if isFolder { removeAll(path) } else { unlink(Self.terminated(path)) }
        }
        rmdir(Self.terminated(folder))
    }

    private static func terminated(_ path: [UInt8]) -> [CChar] {
        (path + [0]).map { CChar(bitPattern: $0) }
    }

    private func bytes(_ name: [UInt8]) -> [CChar] {
        Self.terminated(Array("\(root)/".utf8) + name)
    }
}
