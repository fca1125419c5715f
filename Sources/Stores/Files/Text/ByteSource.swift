import Crypto
import Glibc
import MooringModel

/// Why a file could not be read on.
package struct ReadFailure: Error {
    /// What was found.
    package let reason: String

    /// A failure for a reason.
    package init(reason: String) {
        self.reason = reason
    }
}

/// The bytes of a file in pieces; a gzip stream, known by its first bytes, is inflated.
final class ByteSource {
    private let descriptor: Int32
    private let start: stat
    private let isNamedGzip: Bool
    private var input: UnsafeMutableBufferPointer<UInt8>
    private var room: UnsafeMutableBufferPointer<UInt8>
    private var inflater: GzipInflater?
    private var isStarted = false
    private var digest: Insecure.MD5?

    /// How many bytes of a file are read at once, unless somebody wants fewer.
    static let pieceSize = 256 << 10

    /// Opens a regular file; anything else is refused. A pipe could be read only once, and holds
    /// whoever opens it until somebody writes. With `isSummed` its MD5 is reckoned on the way. One
    /// `read` appends at most a thousand times `pieceSize`.
    init(
        path: String, isSummed: Bool = false, pieceSize: Int = ByteSource.pieceSize
    ) throws(ReadFailure) {
        guard !path.utf8.contains(0) else { throw ReadFailure(reason: "the path holds NUL") }
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ReadFailure(reason: "cannot be opened: \(SystemFailure().text)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ReadFailure(reason: "cannot be read: it is no regular file")
        }
        start = status
        isNamedGzip = path.hasSuffix(".gz")
        digest = isSummed ? Insecure.MD5() : nil
        input = .allocate(capacity: pieceSize)
        room = .allocate(capacity: pieceSize)
    }

    deinit {
        close(descriptor)
        input.deallocate()
        room.deallocate()
    }

    /// When the file was written last, as it was opened.
    var modified: Instant { Instant(start.st_mtim) }

    /// How many bytes the file had as it was opened, inflated or not.
    var size: Int64 { Int64(start.st_size) }

    /// The MD5 of the file's own bytes as far as they were read, so of all of them once `read` said
    /// that the end is reached; empty where it is not summed.
    var checksum: [UInt8] { digest.map { Array($0.finalize()) } ?? [] }

    /// Appends the next bytes; false at the end. Throws when the rest cannot be had, after what
    /// could be read was appended.
    func read(into bytes: inout [UInt8]) throws(ReadFailure) -> Bool {
        if isStarted, inflater == nil { return try readPlain(into: &bytes) }
        while true {
            let count = try fill(input)
            let raw = UnsafeRawBufferPointer(input)[..<count]
            digest?.update(bufferPointer: UnsafeRawBufferPointer(rebasing: raw))
            if !isStarted { try decideFormat(count) }
            if count == 0 {
                if let inflater, !inflater.mayEnd {
                    throw ReadFailure(reason: "the gzip data is cut off")
                }
                return false
            }
            let piece = UnsafeMutableBufferPointer(rebasing: input[..<count])
            guard let inflater else {
                bytes.append(contentsOf: piece)
                return true
            }
            let before = bytes.count
            try inflater.inflate(piece, room: room, into: &bytes)
            if bytes.count > before { return true }
        }
    }

    // As `read`, of a file that is no gzip stream: nothing is copied on the way.
    private func readPlain(into bytes: inout [UInt8]) throws(ReadFailure) -> Bool {
        let before = bytes.count
        var failure: ReadFailure?
        bytes.append(addingCapacity: input.count) { (room: inout OutputSpan<UInt8>) in
            room.withUnsafeMutableBufferPointer { room, filled in
                do throws(ReadFailure) {
                    let count = try fill(
                        UnsafeMutableBufferPointer(rebasing: room[filled..<filled + input.count]))
                    filled += count
                } catch { failure = error }
            }
        }
        if let failure { throw failure }
        bytes[before...].withUnsafeBytes { digest?.update(bufferPointer: $0) }
        return bytes.count > before
    }

    /// Which file it is, and as of which write: also where its time was set back behind that.
    var state: String {
        let times = [start.st_mtim, start.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(start.st_dev):\(start.st_ino):\(start.st_size):\(times.joined(separator: ":"))"
    }

    /// Why what was read may belong to no one moment; nil when the file is still as it was.
    func changeWhileRead() -> String? {
        var now = stat()
        guard fstat(descriptor, &now) == 0 else { return SystemFailure().text }
        let isSame =
            now.st_size == start.st_size && now.st_mtim.tv_sec == start.st_mtim.tv_sec
            && now.st_mtim.tv_nsec == start.st_mtim.tv_nsec
        return isSame ? nil : "the file was written to while it was read"
    }

    // Reads until the piece is full, so that the first piece always holds the magic bytes.
    private func fill(_ piece: UnsafeMutableBufferPointer<UInt8>) throws(ReadFailure) -> Int {
        var count = 0
        while count < piece.count {
            let result = Glibc.read(
                descriptor, piece.baseAddress?.advanced(by: count), piece.count - count)
            if result < 0 {
                if errno == EINTR { continue }
                throw ReadFailure(reason: "cannot be read on: \(SystemFailure().text)")
            }
            if result == 0 { break }
            count += result
        }
        return count
    }

    private func decideFormat(_ count: Int) throws(ReadFailure) {
        isStarted = true
        if count >= 2, input[0] == 0x1f, input[1] == 0x8b {
            inflater = try GzipInflater()
        } else if count == 0, isNamedGzip {
            throw ReadFailure(reason: "the gzip data is cut off: the file is empty")
        }
    }
}
