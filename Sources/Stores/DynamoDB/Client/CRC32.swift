/// The checksum that DynamoDB sends with its answers: CRC-32 as zlib computes it.
enum CRC32 {
    // Eight tables, so that eight bytes are taken at a time.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 {
                value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
            tables[byte] = value
        }
        for byte in 0..<256 {
            for table in 1..<8 {
                let before = tables[(table - 1) * 256 + byte]
                tables[table * 256 + byte] = tables[Int(before & 0xFF)] ^ (before >> 8)
            }
        }
        return tables
    }()

    /// The checksum of a text.
    static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { raw in
            tables.withUnsafeBufferPointer { tables in
                var state: UInt32 = 0xFFFF_FFFF
                var index = 0
                while index + 8 <= raw.count {
                    let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        .littleEndian
                    let mixed = word ^ UInt64(state)
                    state = 0
                    for lane in 0..<8 {
                        let byte = Int(truncatingIfNeeded: mixed >> (8 * UInt64(lane))) & 0xFF
                        state ^= tables[(7 - lane) * 256 + byte]
                    }
                    index += 8
                }
                while index < raw.count {
                    state = tables[Int((state ^ UInt32(raw[index])) & 0xFF)] ^ (state >> 8)
                    index += 1
                }
                return ~state
            }
        }
    }
}
