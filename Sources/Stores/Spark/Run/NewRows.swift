import Glibc
import MooringFiles
import MooringModel

/// A new file in a run's folder, written from its beginning to its end and never renamed, as a
/// mounted bucket wants it. Nobody but its user may read it.
final class NewRows {
    /// Its absolute path.
    let path: String
    private var sum = RunningMD5()
    private var descriptor: Int32
    private var waiting: [UInt8] = []

    // So many bytes are written at once.
    private static let piece = 1 << 20

    /// Begins a file that nobody may have made before. Throws `NarrowingFailure`.
    init(_ path: String) throws(NarrowingFailure) {
        self.path = path
        descriptor = open(path, WorkFolder.anew, 0o600)
        guard descriptor >= 0 else { throw failure }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many bytes were appended, and their MD5.
    var checksum: (size: Int64, md5: [UInt8]) { (sum.count, sum.digest) }

    /// Appends a text. Throws `NarrowingFailure`.
    func append(_ text: [UInt8]) throws(NarrowingFailure) {
        sum.add(text)
        waiting += text
        if waiting.count >= Self.piece { try flush() }
    }

    /// Has the file where others read it. Throws `NarrowingFailure`.
    func end() throws(NarrowingFailure) {
        try flush()
        // A mounted bucket has a file when it is synchronised, and may not when it is closed.
        guard fsync(descriptor) == 0 else { throw failure }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw failure }
    }

    private func flush() throws(NarrowingFailure) {
        var done = 0
        while done < waiting.count {
            let count = waiting[done...].withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            done += count
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private var failure: NarrowingFailure {
        NarrowingFailure(
            found: "\(path) cannot be written: \(String(cString: strerror(errno)))",
            next: "make room there, or name another folder as spark.work")
    }
}
