import Glibc

/// A file that a person wrote: small, and read whole.
package enum HandWrittenFile {
    /// Why one was not read, without its name.
    package struct Refusal: Error, Hashable, Sendable {
        /// What was found: `cannot be opened: …`.
        package let reason: String
    }

    /// Its bytes; refused when it cannot be read, or is over the limit in bytes, a whole number of
    /// MiB that no file of this kind (`configuration`, `schema`) needs.
    package static func bytes(
        of path: String, limit: Int, kind: String
    ) throws(Refusal) -> [UInt8] {
        let descriptor = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason =
                path.utf8.contains(0) ? "NUL in its name" : String(cString: strerror(errno))
            throw Refusal(reason: "cannot be opened: \(reason)")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Refusal(reason: "cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw Refusal(reason: "over \(limit >> 20) MiB, which no \(kind) needs")
            }
        }
    }
}
