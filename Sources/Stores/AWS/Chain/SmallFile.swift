import Glibc

/// A file that is read whole: settings, tokens.
enum SmallFile {
    /// Why a file was not read; no content of it.
    enum Failure: Error {
        /// There is no such file.
        case missing
        /// It is there and cannot be read; says why.
        case unreadable(String)
    }

    /// The bytes of a regular file, links followed; throws `Failure`, also above `limit` bytes.
    static func bytes(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Without waiting: a pipe of this name would wait for somebody who writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { throw .missing }
            throw .unreadable(errno == EACCES ? "may not be read" : "cannot be opened")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable("is no regular file")
        }
        guard facts.st_size <= limit else { throw .unreadable("is larger than \(limit) bytes") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable("cannot be read to its end") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .unreadable("is larger than \(limit) bytes") }
        }
    }
}

/// A token in a file, as platforms put it there and change it.
enum TokenFile {
    private static let limit = 1 << 16

    /// The token without the blanks around it; throws `EndpointClient.Failure` with the name of the
    /// variable that holds the path.
    static func token(at path: String, named variable: String) throws -> String {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.bytes(path, limit: limit)
        } catch .missing {
            throw EndpointClient.Failure(description: "the file of \(variable) is not there")
        } catch .unreadable(let reason) {
            throw EndpointClient.Failure(description: "the file of \(variable) \(reason)")
        }
        return try trimmed(bytes, "the file of \(variable)")
    }

    /// A text without the blanks around it; throws `EndpointClient.Failure` where nothing is left.
    static func trimmed(_ bytes: [UInt8], _ what: String) throws -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let token = bytes.drop(while: isBlank)
        guard let last = token.lastIndex(where: { !isBlank($0) }) else {
            throw EndpointClient.Failure(description: "\(what) is empty")
        }
        return String(decoding: token[...last], as: UTF8.self)
    }

    /// Whether a text can stand in a header: printable ASCII, blanks inside included.
    static func isHeader(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
