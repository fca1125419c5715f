/// Reads a tar archive, deflated or not, member by member, in bounded memory. Takes regular files
/// with plain names alone, and writes nothing.
package final class TarReader {
    private let source: ByteSource
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var current = ""
    private var rest: Int64 = 0
    private var padding = 0

    // What is read of the file at once: deflated bytes may stand for a thousand times as many.
    private static let pieceSize = 4 << 10
    private static let handedOver = 64 << 10

    /// Opens an archive; anything but a regular file is refused.
    package init(path: String) throws(ReadFailure) {
        source = try ByteSource(path: path, pieceSize: Self.pieceSize)
    }

    /// The next member, after what is left of the one before it; nil at the archive's end, behind
    /// which nothing may stand.
    package func next() throws(ReadFailure) -> TarHeader? {
        while !(try read().isEmpty) {}
        guard let block = try take(TarHeader.blockSize) else {
            throw ReadFailure(reason: "the archive is cut off after \(place)")
        }
        guard let header = try TarHeader(parsing: block) else {
            try readEnd()
            return nil
        }
        current = header.name
        rest = header.size
        padding = TarHeader.padding(of: header.size)
        return header
    }

    /// The next bytes of the member, at most 64 KiB; none at its end.
    package func read() throws(ReadFailure) -> [UInt8] {
        if rest > 0 {
            try fill(1)
            let count = min(bytes.count - start, Self.handedOver, Int(clamping: rest))
            guard count > 0 else { throw ReadFailure(reason: "\(current) is cut off") }
            let piece = Array(bytes[start..<(start + count)])
            start += count
            rest -= Int64(count)
            return piece
        }
        guard padding > 0 else { return [] }
        guard let filling = try take(padding), filling.allSatisfy({ $0 == 0 }) else {
            throw ReadFailure(reason: "\(current) is cut off, or other bytes follow it")
        }
        padding = 0
        return []
    }

    private var place: String { current.isEmpty ? "its beginning" : current }

    // A second block of zeros, and nothing behind it.
    private func readEnd() throws(ReadFailure) {
        guard let second = try take(TarHeader.blockSize), second.allSatisfy({ $0 == 0 }) else {
            throw ReadFailure(reason: "the archive's end is damaged")
        }
        try fill(1)
        guard start == bytes.count else {
            throw ReadFailure(reason: "other bytes follow the archive's end")
        }
    }

    private func take(_ count: Int) throws(ReadFailure) -> [UInt8]? {
        try fill(count)
        guard bytes.count - start >= count else { return nil }
        defer { start += count }
        return Array(bytes[start..<(start + count)])
    }

    // Reads on until so many bytes are there, or none follow.
    private func fill(_ count: Int) throws(ReadFailure) {
        while bytes.count - start < count, !isAtEnd {
            bytes.removeSubrange(..<start)
            start = 0
            isAtEnd = try !source.read(into: &bytes)
        }
    }
}
