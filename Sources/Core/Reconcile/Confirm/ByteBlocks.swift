import MooringText

/// Looks at the bytes of a text, many at a time.
enum ByteBlocks {
    private typealias Block = SIMD16<UInt8>

    /// Whether a text holds one of two bytes, or one beyond ASCII.
    static func hold(
        _ one: UInt8, or other: UInt8, orForeignIn text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        hold(in: text) { block in
            (block .== Block(repeating: one)) .| (block .== Block(repeating: other))
                .| (block .>= Block(repeating: 0x80))
        } isHit: {
            $0 >= 0x80 || $0 == one || $0 == other
        }
    }

    /// Whether a text holds a control character of ASCII.
    static func holdControls(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        hold(in: text) { block in
            (block .< Block(repeating: 0x20)) .| (block .== Block(repeating: 0x7F))
        } isHit: {
            $0 < 0x20 || $0 == 0x7F
        }
    }

    /// Whether a text holds a byte that is no printable one of ASCII.
    static func holdUnprintable(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        hold(in: text) { block in
            (block &- Block(repeating: 0x20)) .>= Block(repeating: 0x7F - 0x20)
        } isHit: {
            $0 &- 0x20 >= 0x7F - 0x20
        }
    }

    /// Whether a text holds a byte with which an escape may begin, or, where paths are folded, one
    /// of a path.
    static func holdEscapes(
        in text: UnsafeBufferPointer<UInt8>, orPaths foldsPaths: Bool
    ) -> Bool {
        // Quotes, percent, ampersand, plus, full stop and slash stand near one another in ASCII.
        let lowest = UInt8(ascii: "\"")
        let span = (foldsPaths ? UInt8(ascii: "/") : UInt8(ascii: "+")) - lowest
        let backslash = UInt8(ascii: "\\")
        return hold(in: text) { block in
            ((block &- Block(repeating: lowest)) .<= Block(repeating: span))
                .| (block .== Block(repeating: backslash))
        } isHit: {
            $0 &- lowest <= span || $0 == backslash
        }
    }

    /// The place of a text's last byte that is this one; nil where none is.
    static func last(_ byte: UInt8, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        let raw = UnsafeRawBufferPointer(text)
        var end = raw.count
        while end >= 8 {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
            let places = ByteWord.places(of: byte, in: word)
            if places != 0 { return end - 1 - places.leadingZeroBitCount / 8 }
            end -= 8
        }
        return raw[..<end].lastIndex(of: byte)
    }

    // Most texts are short and hold nothing, so that the blocks are looked at together; the last
    // one ends where the text does, and may lie over the one before.
    @inline(__always)
    private static func hold(
        in text: UnsafeBufferPointer<UInt8>, hits: (Block) -> SIMDMask<SIMD16<Int8>>,
        isHit: (UInt8) -> Bool
    ) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        guard raw.count >= 16 else { return raw.contains(where: isHit) }
        var found = hits(raw.loadUnaligned(fromByteOffset: raw.count - 16, as: Block.self))
        var place = 0
        while place + 16 < raw.count {
            found = found .| hits(raw.loadUnaligned(fromByteOffset: place, as: Block.self))
            place += 16
        }
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }
}
