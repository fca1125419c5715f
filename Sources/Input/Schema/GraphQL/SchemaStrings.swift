extension SchemaLexer {
    private static let quote = UInt8(ascii: "\"")
    private static let threeQuotes = [quote, quote, quote]
    private static let escapedQuotes = [UInt8(ascii: "\\")] + threeQuotes

    /// A string or a block string, of which the first quote comes next.
    mutating func string() throws(SchemaError) -> String {
        if goesOn(with: Self.threeQuotes) { return try blockString() }
        let start = place
        advance()
        var text: [UInt8] = []
        while let byte = current, byte != 0x0A, byte != 0x0D {
            if byte == UInt8(ascii: "\\") {
                text += try escape()
                continue
            }
            advance()
            if byte == Self.quote { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        throw error(
            at: start, "found a string without an end, expected '\"' before the line ends")
    }

    private mutating func blockString() throws(SchemaError) -> String {
        let start = place
        advance(3)
        var raw: [UInt8] = []
        while let byte = current {
            if goesOn(with: Self.threeQuotes) {
                advance(3)
                return Self.withoutIndent(String(decoding: raw, as: UTF8.self))
            }
            if goesOn(with: Self.escapedQuotes) {
                advance(4)
                raw += Self.threeQuotes
            } else {
                advance()
                raw.append(byte)
            }
        }
        throw error(at: start, "found a block string without an end, expected '\"\"\"'")
    }

    // A block string's lines lose the blanks that all but the first of them begin with, and the
    // empty lines around them.
    private static func withoutIndent(_ raw: String) -> String {
        var lines = raw.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r" || $0 == "\r\n"
        }
        func indent(_ line: Substring) -> Int? {
            let blanks = line.prefix { $0 == " " || $0 == "\t" }.count
            return blanks == line.count ? nil : blanks
        }
        let common = lines.dropFirst().compactMap(indent).min() ?? 0
        for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
        let first = lines.firstIndex { indent($0) != nil } ?? lines.endIndex
        let last = lines.lastIndex { indent($0) != nil } ?? first
        return first < lines.endIndex ? lines[first...last].joined(separator: "\n") : ""
    }

    // MARK: Escapes

    private mutating func escape() throws(SchemaError) -> [UInt8] {
        let start = place
        advance()
        let letter = current
        if letter != nil, letter != 0x0A, letter != 0x0D { advance() }
        switch letter {
        case Self.quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter ?? 0]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar(from: start)).utf8)
        default:
            throw error(
                at: start, "found an escape that is none of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    private mutating func scalar(from start: SchemaPlace) throws(SchemaError) -> Character {
        var value = hexadecimal()
        if let high = value, (0xD800...0xDBFF).contains(high) {
            value = nil
            if goesOn(with: Array("\\u".utf8)) {
                advance(2)
                if let low = hexadecimal(), (0xDC00...0xDFFF).contains(low) {
                    value = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
                }
            }
        }
        guard let scalar = value.flatMap(Unicode.Scalar.init) else {
            throw error(at: start, "found an escape of no character, expected one such as \\u00E9")
        }
        return Character(scalar)
    }

    // Four digits, or up to six in braces; nil for anything else.
    private mutating func hexadecimal() -> UInt32? {
        let isBraced = current == UInt8(ascii: "{")
        if isBraced { advance() }
        var value: UInt32 = 0
        var count = 0
        while count < (isBraced ? 6 : 4), let byte = current,
            let digit = Character(Unicode.Scalar(byte)).hexDigitValue
        {
            value = value << 4 | UInt32(digit)
            count += 1
            advance()
        }
        guard isBraced else { return count == 4 ? value : nil }
        guard count > 0, current == UInt8(ascii: "}") else { return nil }
        advance()
        return value
    }
}
