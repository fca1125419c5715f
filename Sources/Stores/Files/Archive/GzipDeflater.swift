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
    func deflate(_ piece: [UInt8], into output: inout [UInt8]) {
        var piece = piece
        piece.withUnsafeMutableBufferPointer { buffer in
            stream.pointee.next_in = buffer.baseAddress
            stream.pointee.avail_in = UInt32(buffer.count)
            run(Z_NO_FLUSH, into: &output)
        }
    }

    /// Ends the member; nothing may follow.
    func finish(into output: inout [UInt8]) {
        stream.pointee.avail_in = 0
        run(Z_FINISH, into: &output)
    }

    // With room to write to, zlib takes all of its input.
    private func run(_ flush: Int32, into output: inout [UInt8]) {
        repeat {
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            _ = CZlib.deflate(stream, flush)
            output.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
        } while stream.pointee.avail_out == 0
    }
}
