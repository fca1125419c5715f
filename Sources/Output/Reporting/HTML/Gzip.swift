import CZlib

/// Writes gzip, the same bytes for the same content wherever the same zlib runs: no name and no
/// time stand in it.
enum Gzip {
    /// The content as one gzip member; throws where zlib has no memory.
    static func compressed(_ content: [UInt8]) throws(ReportError) -> [UInt8] {
        var stream = z_stream()
        // 16 asks for the gzip format, 15 for its largest window; 8 is zlib's own choice of memory.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { throw ReportError(path: "zlib", reason: "it could not be started") }
        defer { deflateEnd(&stream) }
        var input = content
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let room = output.count
        // With room for the bound, one call writes everything.
        let result = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(room)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else {
            throw ReportError(path: "zlib", reason: "it did not compress a block")
        }
        output.removeLast(Int(stream.avail_out))
        return output
    }

    /// What one gzip member holds; nil of anything else, and of more than 1 GiB.
    static func inflated(_ packed: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 16 + 15, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = packed
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 20)
        return input.withUnsafeMutableBufferPointer { source -> [UInt8]? in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            while true {
                let result = room.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                output += room.dropLast(Int(stream.avail_out))
                if result == Z_STREAM_END { return output }
                // Without room left to fill, zlib waits for input that there is not.
                guard result == Z_OK, stream.avail_out == 0, output.count < 1 << 30 else {
                    return nil
                }
            }
        }
    }
}
