/// Looks at the bytes of a text, sixteen at a time.
enum ByteBlocks {
    private typealias Block = SIMD16<UInt8>

    /// Whether a text holds one of two bytes, or one beyond ASCII.
    static func hold(
        _ one: UInt8, or other: UInt8, orForeignIn text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var found = SIMDMask<SIMD16<Int8>>(repeating: false)
        var place = 0
        while place + 16 <= raw.count {
            let block = raw.loadUnaligned(fromByteOffset: place, as: Block.self)
            found =
                found .| (block .== Block(repeating: one)) .| (block .== Block(repeating: other))
                .| (block .>= Block(repeating: 0x80))
            place += 16
        }
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        if words[0] | words[1] != 0 { return true }
        while place < raw.count {
            if raw[place] >= 0x80 || raw[place] == one || raw[place] == other { return true }
            place += 1
        }
        return false
    }

    /// Whether a text holds a control character of ASCII.
    static func holdControls(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var found = SIMDMask<SIMD16<Int8>>(repeating: false)
        var place = 0
        while place + 16 <= raw.count {
            let block = raw.loadUnaligned(fromByteOffset: place, as: Block.self)
            found =
                found .| (block .< Block(repeating: 0x20)) .| (block .== Block(repeating: 0x7F))
            place += 16
        }
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        if words[0] | words[1] != 0 { return true }
        while place < raw.count {
            if raw[place] < 0x20 || raw[place] == 0x7F { return true }
            place += 1
        }
        return false
    }

    /// Whether a text holds a byte with which an escape may begin, or, where paths are folded, one
    /// of a path.
    static func holdEscapes(
        in text: UnsafeBufferPointer<UInt8>, orPaths foldsPaths: Bool
    ) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        // Quotes, percent and ampersand stand side by side in ASCII, as do plus, comma, hyphen,
        // full stop and slash.
        let lowest = UInt8(ascii: "\"")
        let span = (foldsPaths ? UInt8(ascii: "/") : UInt8(ascii: "+")) - lowest
        var place = 0
        while place + 16 <= raw.count {
            let block = raw.loadUnaligned(fromByteOffset: place, as: Block.self)
            let found =
                ((block &- Block(repeating: lowest)) .<= Block(repeating: span))
                .| (block .== Block(repeating: UInt8(ascii: "\\")))
            let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 { return true }
            place += 16
        }
        while place < raw.count {
            if raw[place] &- lowest <= span || raw[place] == UInt8(ascii: "\\") { return true }
            place += 1
        }
        return false
    }
}
