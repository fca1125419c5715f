import Glibc

/// Steps over JSON text without making anything of it, and checks its grammar as it goes.
///
/// The text must stay where it is for as long as the cursor is used.
@usableFromInline package struct JSONCursor {
    /// What a value is.
    package enum Kind {
        case string(hasEscapes: Bool)
        case number(isWhole: Bool)
        case boolean
        case null
        /// An object or an array.
        case nested
    }

    /// The text.
    @usableFromInline package let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte.
    @usableFromInline package var index = 0
    private let depthLimit: Int
    private let checksEscapes: Bool

    /// A cursor at the start of a text. Values may be nested so deep, and inside of others the
    /// escapes of a string are checked where that is wanted: nobody decodes those later.
    package init(
        _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = 256, checksEscapes: Bool = false
    ) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.checksEscapes = checksEscapes
    }

    /// A fault at the next byte.
    @usableFromInline package func fault(_ found: String) -> TextFault {
        TextFault(found, at: index, isCut: index >= bytes.count)
    }

    /// The next byte that is no white space; nil at the end.
    @usableFromInline package mutating func peek() -> UInt8? {
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            index += 1
        }
        return nil
    }

    /// Steps over white space and a byte if it is the next.
    @inlinable
    @inline(__always)
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
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
    package mutating func take(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress, let start = text.baseAddress,
            index + text.count <= bytes.count, memcmp(base + index, start, text.count) == 0
        else { return false }
        index += text.count
        return true
    }

    /// Steps over white space and a byte that has to be the next.
    @inlinable
    @inline(__always)
    package mutating func expect(_ character: Unicode.Scalar) throws(TextFault) {
        guard take(character) else { throw fault("lacks a '\(character)'") }
    }

    /// Steps over a string; returns where it stands between its quotes.
    package mutating func string() throws(TextFault) -> (range: Range<Int>, hasEscapes: Bool) {
        try expect("\"")
        let start = index
        var hasEscapes = false
        while true {
            skipPlain()
            guard index < bytes.count else { throw openString(start, hasEscapes) }
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

    /// Steps over a string; returns the bytes that it stands for.
    package mutating func text() throws(TextFault) -> [UInt8] {
        let (range, hasEscapes) = try string()
        return try JSONText.decode(bytes, range, hasEscapes: hasEscapes)
    }

    // An escape that is none, or that the end cuts, is where the text stops being one.
    private func openString(_ start: Int, _ hasEscapes: Bool) -> TextFault {
        do throws(TextFault) {
            _ = try JSONText.decode(bytes, start..<bytes.count, hasEscapes: hasEscapes)
        } catch {
            return TextFault("has an open string", at: error.offset ?? index, isCut: true)
        }
        return fault("has an open string")
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

    // Steps over `{"N":"`, the beginning of most values of DynamoDB's, whatever the letter; the
    // cursor then stands at the quote.
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
    @discardableResult
    package mutating func value(depth: Int = 0) throws(TextFault) -> Kind {
        if takeLetterStart() {
            try inner()
            if take(",") { try members(depth) } else { try expect("}") }
            return .nested
        }
        guard let byte = peek() else { throw fault("lacks a value") }
        switch byte {
        case UInt8(ascii: "\""): return .string(hasEscapes: try string().hasEscapes)
        case UInt8(ascii: "{"):
            index += 1
            try level(depth)
            if !take("}") { try members(depth) }
            return .nested
        case UInt8(ascii: "["):
            index += 1
            try level(depth)
            if !take("]") {
                repeat { try element(depth) } while take(",")
                try expect("]")
            }
            return .nested
        default: return try word()
        }
    }

    private mutating func members(_ depth: Int) throws(TextFault) {
        repeat {
            try inner()
            try expect(":")
            try element(depth)
        } while take(",")
        try expect("}")
    }

    private mutating func element(_ depth: Int) throws(TextFault) {
        if peek() == UInt8(ascii: "\"") { try inner() } else { try value(depth: depth + 1) }
    }

    // A string inside of another value.
    private mutating func inner() throws(TextFault) {
        let (range, hasEscapes) = try string()
        guard checksEscapes, hasEscapes else { return }
        _ = try JSONText.decode(bytes, range, hasEscapes: true)
    }

    /// Throws where values are nested too deep, so that no text can exhaust the stack.
    package func level(_ depth: Int) throws(TextFault) {
        guard depth < depthLimit else {
            throw fault("is nested deeper than \(depthLimit) levels")
        }
    }

    /// Steps over a number, `true`, `false` or `null`.
    package mutating func word() throws(TextFault) -> Kind {
        _ = peek()
        if take(word: "true") || take(word: "false") { return .boolean }
        if take(word: "null") { return .null }
        return .number(isWhole: try number())
    }

    private mutating func take(word: StaticString) -> Bool {
        word.withUTF8Buffer { take($0) }
    }

    // Whether the number has neither fraction nor exponent.
    private mutating func number() throws(TextFault) -> Bool {
        _ = take(oneOf: "-")
        let whole = digits()
        guard whole > 0 else { throw fault("holds no value") }
        guard whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else {
            throw fault("holds a number with a leading zero")
        }
        let end = index
        if take(oneOf: "."), digits() == 0 { throw fault("holds a number without decimals") }
        if take(oneOf: "eE") {
            _ = take(oneOf: "+-")
            guard digits() > 0 else { throw fault("holds a number without exponent") }
        }
        return index == end
    }

    // Inside of a number stands no white space.
    private mutating func take(oneOf characters: StaticString) -> Bool {
        guard index < bytes.count,
            characters.withUTF8Buffer({ $0.contains(bytes[index]) })
        else { return false }
        index += 1
        return true
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index - start
    }

    /// Steps over `true` or `false`.
    package mutating func bool() throws(TextFault) -> Bool {
        _ = peek()
        if take(word: "true") { return true }
        guard take(word: "false") else { throw fault("lacks a truth value") }
        return false
    }

    /// Throws unless nothing but white space follows.
    package mutating func end() throws(TextFault) {
        if peek() != nil { throw fault("goes on after its end") }
    }
}
