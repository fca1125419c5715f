import Glibc

/// A new file that is written through a buffer; every write is checked.
///
/// What was appended is on disk only after `close()` has returned without an error.
final class OutputFile {
    /// Where the file lies.
    let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16
    /// How many bytes were appended so far.
    private(set) var size = 0

    /// Creates the file; an existing one, or a link of its name, is refused.
    convenience init(creating path: String) throws(ReportError) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else {
            throw ReportError(path: path, doing: "the file cannot be created", code: errno)
        }
        self.init(path: path, descriptor: descriptor)
    }

    /// A file over a descriptor that it takes over and closes.
    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// Appends bytes; throws when the buffer is full and the disk does not take it.
    func append(_ bytes: some Collection<UInt8>) throws(ReportError) {
        let before = buffer.count
        buffer.append(contentsOf: bytes)
        size += buffer.count - before
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Appends a text's UTF-8 bytes.
    func append(_ text: String) throws(ReportError) { try append(text.utf8) }

    /// Appends what was appended to another file so far, or only its first bytes.
    func append(contentsOf other: OutputFile, upTo end: Int? = nil) throws(ReportError) {
        try other.flush()
        guard lseek(other.descriptor, 0, SEEK_SET) == 0 else {
            throw ReportError(path: other.path, doing: "the file cannot be read", code: errno)
        }
        var chunk = [UInt8](repeating: 0, count: Self.bufferSize)
        var rest = end ?? Int.max
        while rest > 0 {
            let count = chunk.withUnsafeMutableBytes {
                read(other.descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ReportError(path: other.path, doing: "the file cannot be read", code: errno)
            }
            if count == 0 { return }
            try append(chunk.prefix(min(count, rest)))
            rest -= count
        }
    }

    /// Writes the rest, waits until the disk has it, and closes the file.
    func close() throws(ReportError) {
        try flush()
        guard fsync(descriptor) == 0 else {
            throw ReportError(path: path, doing: "the file cannot be synchronised", code: errno)
        }
        let closed = Glibc.close(descriptor)
        descriptor = -1
        guard closed == 0 else {
            throw ReportError(path: path, doing: "the file cannot be closed", code: errno)
        }
    }

    /// Removes the file without closing it.
    func remove() throws(ReportError) {
        guard unlink(path) == 0 else {
            throw ReportError(path: path, doing: "the file cannot be removed", code: errno)
        }
    }

    private func flush() throws(ReportError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ReportError(path: path, doing: "the file cannot be written", code: errno)
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
