import Crypto
import Glibc

/// An open spool: frames one behind the other, each with a checksum that covers the frames before
/// it too, so that none can be lost, repeated or put elsewhere without being noticed.
///
/// This process alone may write it: a lock of the kernel stands on it until it is closed.
final class SpoolFile {
    /// What a frame holds.
    enum Kind: UInt8 {
        /// What was listed, and since when; the first frame.
        case header = 1
        /// Objects.
        case objects = 2
        /// How far the listing came with all the objects before.
        case checkpoint = 3
    }

    /// Why there is no spool.
    enum Refusal: Error {
        /// There is none.
        case missing
        /// Another process lists with it.
        case taken
        /// The system refuses it, by its number, or it is no plain file.
        case failed(Int32)
    }

    // Length, kind and checksum.
    private static let headSize = 4 + 1 + checksumSize
    private static let checksumSize = 16
    // No page of a listing is that long.
    private static let lengthLimit = 64 << 20
    private static let bufferLimit = 256 << 10

    private let path: String
    // Not there before the first bytes are written: a short listing leaves no trace.
    private var descriptor: Int32 = -1
    private var end = 0
    private var chain = [UInt8](repeating: 0, count: checksumSize)
    // Frames that are not written yet.
    private var buffer: [UInt8] = []

    /// A spool that is made as soon as there is something to write.
    init(newAt path: String) { self.path = path }

    /// Opens the spool that is there; throws `Refusal`.
    init(at path: String) throws(Refusal) {
        self.path = path
        try open(creating: false)
    }

    private func open(creating: Bool) throws(Refusal) {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT | O_EXCL : 0)
        descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT where !creating: throw .missing
            case EEXIST: throw .taken
            default: throw .failed(errno)
            }
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .taken : .failed(errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(errno) }
        // Removed between the opening and the lock, by the process that had it.
        guard status.st_nlink > 0 else { throw creating ? .taken : .missing }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw .failed(EPERM)
        }
        guard fchmod(descriptor, 0o600) == 0 else { throw .failed(errno) }
        end = Int(status.st_size)
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A child that was forked and has not run its program yet has the descriptor too, and the
        // lock would stand until then.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Removes the file, where there is one; what is still open of it goes with this object.
    func remove() { if descriptor >= 0 { unlink(path) } }

    // MARK: Reading

    /// A place between two frames, with what the checksum of the next one begins with.
    struct Mark {
        /// Bytes from the beginning.
        fileprivate(set) var offset = 0
        fileprivate var chain = [UInt8](repeating: 0, count: checksumSize)
        /// The beginning.
        init() {}
    }

    /// The frame at a mark, which moves behind it; nil at the end. Throws `SpoolFault`.
    func frame(at mark: inout Mark) throws(SpoolFault) -> (kind: Kind, payload: ArraySlice<UInt8>)?
    {
        guard mark.offset < end else { return nil }
        let head = try bytes(Self.headSize, at: mark.offset)
        var length = 0
        for index in 0..<4 { length |= Int(head[index]) << (8 * index) }
        guard let kind = Kind(rawValue: head[4]), length <= Self.lengthLimit else { throw .odd }
        let payload = try bytes(length, at: mark.offset + Self.headSize)
        let checksum = payload.withUnsafeBytes { Self.checksum(mark.chain, kind, $0) }
        guard checksum.elementsEqual(head[5...]) else { throw .odd }
        mark.offset += Self.headSize + length
        mark.chain = checksum
        return (kind, payload[...])
    }

    private func bytes(_ count: Int, at offset: Int) throws(SpoolFault) -> [UInt8] {
        guard offset + count <= end else { throw .odd }
        var reason: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, size in
            while size < count {
                let got = pread(
                    descriptor, room.baseAddress.map { $0 + size }, count - size,
                    off_t(offset + size))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    reason = got < 0 ? errno : EIO
                    return
                }
                size += got
            }
        }
        guard reason == 0 else { throw .unreadable(reason) }
        return bytes
    }

    // MARK: Writing

    /// Cuts off all that stands behind a mark, and goes on from there; false where it cannot.
    func cut(to mark: Mark) -> Bool {
        buffer = []
        chain = mark.chain
        end = mark.offset
        return ftruncate(descriptor, off_t(mark.offset)) == 0
    }

    /// Adds a frame; it is written with others, once there are enough. Throws `Refusal`.
    func add(_ kind: Kind, _ write: (inout [UInt8]) -> Void) throws(Refusal) {
        let begin = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.headSize))
        write(&buffer)
        let length = buffer.count - begin - Self.headSize
        guard length <= Self.lengthLimit else { throw .failed(EFBIG) }
        chain = buffer.withUnsafeBytes {
            Self.checksum(chain, kind, .init(rebasing: $0[(begin + Self.headSize)...]))
        }
        for index in 0..<4 {
            buffer[begin + index] = UInt8(truncatingIfNeeded: length >> (8 * index))
        }
        buffer[begin + 4] = kind.rawValue
        for (index, byte) in chain.enumerated() { buffer[begin + 5 + index] = byte }
        if buffer.count > Self.bufferLimit { try flush() }
    }

    /// Writes what was added; throws `Refusal`.
    func flush() throws(Refusal) {
        if descriptor < 0 { try open(creating: true) }
        var (done, reason) = (0, Int32(0))
        buffer.withUnsafeBytes { bytes in
            while done < bytes.count {
                let count = pwrite(
                    descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
                    off_t(end + done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    reason = count < 0 ? errno : ENOSPC
                    return
                }
                done += count
            }
        }
        guard reason == 0 else { throw .failed(reason) }
        end += done
        buffer.removeAll(keepingCapacity: true)
    }

    private static func checksum(
        _ chain: [UInt8], _ kind: Kind, _ payload: UnsafeRawBufferPointer
    ) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: chain)
        hash.update(data: [kind.rawValue])
        hash.update(bufferPointer: payload)
        return Array(hash.finalize().prefix(checksumSize))
    }
}
