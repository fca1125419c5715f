import CZlib

/// Deflates a stream into one gzip member without name or time, so that the same bytes always give
/// the same file.
final class GzipDeflater {
    // zlib keeps the address of its stream, so the stream must never move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let room: UnsafeMutableBufferPointer<UInt8>

    private static let roomSize = 64 << 10

    /// A deflater at the start of a stream.
    init() throws(WriteFailure) {
        room = .allocate(capacity: Self.roomSize)
        stream.initialize(to: z_stream())
        // 16 asks for the gzip format, 15 for its largest window; 8 is zlib's own memory level.
        let result = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            throw WriteFailure(reason: "zlib could not be started")
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        room.deallocate()
    }

    /// Deflates a piece, at most 4 GiB; what is ready goes to `output`.
    func deflate(_ piece: [UInt8], into output: inout [UInt8]) throws(WriteFailure) {
        var piece = piece
        let isDeflated = piece.withUnsafeMutableBufferPointer { buffer in
            stream.pointee.next_in = buffer.baseAddress
            stream.pointee.avail_in = UInt32(buffer.count)
            return run(Z_NO_FLUSH, into: &output)
        }
        guard isDeflated else { throw Self.failure }
    }

    /// Ends the member; nothing may follow.
    func finish(into output: inout [UInt8]) throws(WriteFailure) {
        stream.pointee.avail_in = 0
        guard run(Z_FINISH, into: &output) else { throw Self.failure }
    }

    private static let failure = WriteFailure(reason: "zlib could not deflate it")

    // With room to write to, zlib takes all of its input; false where it cannot go on.
    private func run(_ flush: Int32, into output: inout [UInt8]) -> Bool {
        repeat {
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            let result = CZlib.deflate(stream, flush)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                return false
            }
            output.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
        } while stream.pointee.avail_out == 0
        return true
    }
}
