/// Finds single bytes in texts, sixteen at a time.
enum ByteScan {
    private typealias Block = SIMD16<UInt8>

    private static let quote = UInt8(ascii: "\"")
    private static let feed = UInt8(ascii: "\n")
    private static let carriage = UInt8(ascii: "\r")

    /// The place of the first separator, quote or line break from a place on; the end where there
    /// is none.
    @inline(__always)
    static func csvBreak(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, separator: UInt8
    ) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        // None of them is above this, and in most files few other bytes are as low.
        let highest = max(separator, quote)
        var index = start
        while index + 16 <= raw.count {
            let block = raw.loadUnaligned(fromByteOffset: index, as: Block.self)
            if first(block .<= Block(repeating: highest)) != nil,
                let hit = first(
                    (block .== Block(repeating: separator)) .| (block .== Block(repeating: quote))
                        .| (block .== Block(repeating: feed))
                        .| (block .== Block(repeating: carriage)))
            {
                return index + hit
            }
            index += 16
        }
        while index < raw.count {
            switch raw[index] {
            case separator, quote, feed, carriage: return index
            default: index += 1
            }
        }
        return index
    }

    /// The place of the first quote or line feed from a place on; the end where there is none.
    @inline(__always)
    static func quoteOrFeed(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        find(bytes, start) { block in
            (block .== Block(repeating: quote)) .| (block .== Block(repeating: feed))
        } isHit: {
            $0 == quote || $0 == feed
        }
    }

    /// The place of the first quote from a place on; the end where there is none.
    @inline(__always)
    static func quote(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        find(bytes, start) {
            $0 .== Block(repeating: quote)
        } isHit: {
            $0 == quote
        }
    }

    @inline(__always)
    private static func find(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int,
        hits: (Block) -> SIMDMask<SIMD16<Int8>>, isHit: (UInt8) -> Bool
    ) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 16 <= raw.count {
            let found = hits(raw.loadUnaligned(fromByteOffset: index, as: Block.self))
            if let hit = first(found) { return index + hit }
            index += 16
        }
        while index < raw.count, !isHit(raw[index]) { index += 1 }
        return index
    }

    // The number of the first byte of a block that is one; nil where none is.
    @inline(__always)
    private static func first(_ found: SIMDMask<SIMD16<Int8>>) -> Int? {
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        if words[0] != 0 { return words[0].trailingZeroBitCount / 8 }
        if words[1] != 0 { return 8 + words[1].trailingZeroBitCount / 8 }
        return nil
    }
}
