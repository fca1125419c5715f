import CZlib

/// Inflates a stream of gzip members, one after another, as `cat a.gz b.gz` makes it.
package final class GzipInflater {
    /// Where the compressed stream stands.
    private enum State {
        /// Between members: at the very start, or after one that ended well.
        case between
        case inside
        /// Only zeros may follow: padding, as tape tools write it.
        case padding
    }

    // zlib keeps the address of its stream, so the stream must never move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var state = State.between
    private var membersEnded = 0

    /// An inflater at the start of a stream.
    package init() throws(ReadFailure) {
        // 16 asks for the gzip format, 15 for its largest window.
        let size = Int32(MemoryLayout<z_stream>.size)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, 16 + 15, ZLIB_VERSION, size) == Z_OK else {
            throw ReadFailure(reason: "zlib could not be started")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the stream may end here.
    package var mayEnd: Bool { state != .inside && membersEnded > 0 }

    /// Inflates a piece into `output`; what was inflated before a fault is there too.
    package func inflate(
        _ input: UnsafeMutableBufferPointer<UInt8>, room: UnsafeMutableBufferPointer<UInt8>,
        into output: inout [UInt8]
    ) throws(ReadFailure) {
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 {
            if state != .inside, try skipBetweenMembers() { return }
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            output.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
            switch result {
            case Z_OK: state = .inside
            case Z_BUF_ERROR: return
            case Z_STREAM_END:
                state = .between
                membersEnded += 1
                stream.pointee.avail_out = 1
                inflateReset(stream)
            default: throw ReadFailure(reason: "the gzip data is damaged")
            }
        }
    }

    // Whether the input is used up.
    private func skipBetweenMembers() throws(ReadFailure) -> Bool {
        while stream.pointee.avail_in > 0, membersEnded > 0, stream.pointee.next_in.pointee == 0 {
            state = .padding
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
        if stream.pointee.avail_in == 0 { return true }
        if state == .padding { throw ReadFailure(reason: "other data follows the gzip data") }
        return false
    }
}
