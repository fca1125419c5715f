import Glibc

/// Why a text is not what DynamoDB writes; never any of the text itself.
struct ItemFault: Error, Hashable {
    /// What was found, as the end of a sentence that begins with the place.
    let reason: String
}

/// Steps over JSON text without making anything of it, and checks its grammar as it goes.
///
/// The text must stay where it is for as long as the cursor is used.
struct JSONCursor {
    /// The text.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte.
    var index = 0

    // DynamoDB nests 32 levels deep at most; each level of an item is two of JSON.
    private static let depthLimit = 256

    /// A cursor at the start of a text.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// A fault at the next byte.
    func fault(_ what: String) -> ItemFault {
        ItemFault(reason: index >= bytes.count ? "ends too early" : "\(what) at byte \(index + 1)")
    }

    /// The next byte that is no white space; nil at the end.
    mutating func peek() -> UInt8? {
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            index += 1
        }
        return nil
    }

    /// Steps over white space and a byte if it is the next.
    @inline(__always)
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        // Services write no white space.
        if index < bytes.count, bytes[index] == UInt8(ascii: character) {
            index += 1
            return true
        }
        guard peek() == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Steps over a text if it is what comes next, without white space.
    @inline(__always)
    mutating func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress, let start = text.baseAddress,
            index + text.count <= bytes.count, memcmp(base + index, start, text.count) == 0
        else { return false }
        index += text.count
        return true
    }

    /// Steps over white space and a byte that has to be the next.
    @inline(__always)
    mutating func expect(_ character: Unicode.Scalar) throws(ItemFault) {
        guard take(character) else { throw fault("lacks a '\(character)'") }
    }

    /// Steps over a string; returns where it stands between its quotes.
    mutating func string() throws(ItemFault) -> (range: Range<Int>, hasEscapes: Bool) {
        try expect("\"")
        let start = index
        var hasEscapes = false
        while true {
            skipPlain()
            guard index < bytes.count else { throw fault("has an open string") }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return (start..<(index - 1), hasEscapes)
            case UInt8(ascii: "\\"):
                // What the escape means is checked when it is decoded.
                hasEscapes = true
                index = min(index + 2, bytes.count)
            default: throw fault("holds a bare control character")
            }
        }
    }

    // Steps over bytes that mean themselves, to the next quote, backslash or control character.
    // Most texts end within two words; what goes on is read in larger steps.
    private mutating func skipPlain() {
        guard let base = bytes.baseAddress else { return }
        let raw = UnsafeRawPointer(base)
        let near = min(index + 16, bytes.count)
        while index + 8 <= near {
            if skipsWord(raw) { return }
        }
        while index + 32 <= bytes.count, Self.isPlain(raw + index) { index += 32 }
        while index + 8 <= bytes.count {
            if skipsWord(raw) { return }
        }
        while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
            bytes[index] != UInt8(ascii: "\\")
        { index += 1 }
    }

    // Steps over eight bytes, or to the one that stops. A lane's top bit tells that one; only
    // lanes above the first may be wrong.
    @inline(__always)
    private mutating func skipsWord(_ raw: UnsafeRawPointer) -> Bool {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
        let quotes = word ^ 0x2222_2222_2222_2222
        let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let found =
            ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
                | (word &- 0x2020_2020_2020_2020) & ~word) & tops
        index += found == 0 ? 8 : found.trailingZeroBitCount / 8
        return found != 0
    }

    // Whether none of the next 32 bytes stops.
    @inline(__always)
    private static func isPlain(_ raw: UnsafeRawPointer) -> Bool {
        typealias Words = SIMD4<UInt64>
        let ones = Words(repeating: 0x0101_0101_0101_0101)
        let words = raw.loadUnaligned(as: Words.self)
        let quotes = words ^ Words(repeating: 0x2222_2222_2222_2222)
        let slashes = words ^ Words(repeating: 0x5C5C_5C5C_5C5C_5C5C)
        let controls = words &- Words(repeating: 0x2020_2020_2020_2020)
        let found =
            ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | (controls & ~words)
        return (found[0] | found[1] | found[2] | found[3]) & 0x8080_8080_8080_8080 == 0
    }

    /// Steps over `{"S":"`, the beginning of most values, if it is the next without white space;
    /// the cursor then stands at the quote.
    @inline(__always)
    mutating func takeTextStart() -> Bool {
        guard index + 6 <= bytes.count, let base = bytes.baseAddress else { return false }
        let raw = UnsafeRawPointer(base + index)
        // {"S" and :" as they lie in memory.
        guard raw.loadUnaligned(as: UInt32.self).littleEndian == 0x2253_227B,
            raw.loadUnaligned(fromByteOffset: 4, as: UInt16.self).littleEndian == 0x223A
        else { return false }
        index += 5
        return true
    }

    // The same of a type with any letter: `{"N":"`.
    @inline(__always)
    private mutating func takeLetterStart() -> Bool {
        guard index + 6 <= bytes.count, let base = bytes.baseAddress else { return false }
        let raw = UnsafeRawPointer(base + index)
        guard raw.loadUnaligned(as: UInt32.self).littleEndian & 0xFF00_FFFF == 0x2200_227B,
            raw.loadUnaligned(fromByteOffset: 4, as: UInt16.self).littleEndian == 0x223A,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(base[index + 2])
        else { return false }
        index += 5
        return true
    }

    /// Steps over a value, whatever it is.
    mutating func skipValue(depth: Int = 0) throws(ItemFault) {
        if takeLetterStart() {
            _ = try string()
            return try expect("}")
        }
        guard let byte = peek() else { throw fault("lacks a value") }
        switch byte {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            index += 1
            try level(depth)
            if take("}") { return }
            repeat {
                _ = try string()
                try expect(":")
                try skipValue(depth: depth + 1)
            } while take(",")
            try expect("}")
        case UInt8(ascii: "["):
            index += 1
            try level(depth)
            if take("]") { return }
            repeat { try skipValue(depth: depth + 1) } while take(",")
            try expect("]")
        default: try skipWord()
        }
    }

    /// Throws where values are nested too deep, so that no text can exhaust the stack.
    func level(_ depth: Int) throws(ItemFault) {
        guard depth < Self.depthLimit else {
            throw fault("is nested deeper than \(Self.depthLimit) levels")
        }
    }

    // Numbers and the three words; a number's own grammar is checked where one is read.
    private mutating func skipWord() throws(ItemFault) {
        for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
            index += word.utf8.count
            return
        }
        let start = index
        while index < bytes.count, Self.isNumeric(bytes[index]) { index += 1 }
        guard index > start else { throw fault("holds no value") }
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Steps over `true` or `false`.
    mutating func bool() throws(ItemFault) -> Bool {
        _ = peek()
        if bytes[index...].starts(with: "true".utf8) {
            index += 4
            return true
        }
        guard bytes[index...].starts(with: "false".utf8) else { throw fault("lacks a truth value") }
        index += 5
        return false
    }

    /// Throws unless nothing but white space follows.
    mutating func end() throws(ItemFault) {
        if peek() != nil { throw fault("goes on after its end") }
    }
}
