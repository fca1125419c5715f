/// Steps over JSON values and checks their grammar.
struct JSONScanner {
    /// The text.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte.
    private(set) var index = 0

    /// How deep values may be nested.
    static let depthLimit = 512

    /// A scanner at the start of a text.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether no byte follows.
    var isAtEnd: Bool { index == bytes.count }

    /// A fault at the next byte.
    func fault(_ what: String) -> RowFault {
        RowFault(reason: isAtEnd ? "ends too early" : "\(what) at byte \(index + 1)")
    }

    /// Steps over white space.
    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0a, 0x0d: index += 1
            default: return
            }
        }
    }

    /// Steps over a character if it is the next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Steps over a value.
    mutating func value(depth: Int) throws(RowFault) -> JSONObjectReader.Kind {
        guard index < bytes.count else { throw fault("lacks a value") }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(hasEscapes: try string())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try nested(depth: depth)
            return .nested
        case UInt8(ascii: "t"):
            try word("true")
            return .boolean
        case UInt8(ascii: "f"):
            try word("false")
            return .boolean
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default: return .number(isWhole: try number())
        }
    }

    /// Steps over a string; whether it holds an escape.
    mutating func string() throws(RowFault) -> Bool {
        guard take("\"") else { throw fault("lacks a string") }
        var hasEscapes = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                // What the escape means is checked when it is decoded.
                index = min(index + 2, bytes.count)
            case 0..<0x20: throw fault("holds a bare control character")
            default: index += 1
            }
        }
        throw fault("has an open string")
    }

    private mutating func nested(depth: Int) throws(RowFault) {
        guard depth < Self.depthLimit else {
            throw fault("is nested deeper than \(Self.depthLimit) levels")
        }
        let isObject = bytes[index] == UInt8(ascii: "{")
        let close: Unicode.Scalar = isObject ? "}" : "]"
        index += 1
        skipSpace()
        if take(close) { return }
        repeat {
            skipSpace()
            if isObject {
                let start = index
                if try string() {
                    _ = try JSONText.decode(bytes, start..<index, hasEscapes: true)
                }
                skipSpace()
                guard take(":") else { throw fault("lacks a colon") }
                skipSpace()
            }
            let start = index
            if case .string(hasEscapes: true) = try value(depth: depth + 1) {
                _ = try JSONText.decode(bytes, start..<index, hasEscapes: true)
            }
            skipSpace()
        } while take(",")
        guard take(close) else { throw fault("lacks a comma or bracket") }
    }

    private mutating func word(_ word: StaticString) throws(RowFault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == word.utf8Start[offset] else {
                throw fault("holds an unknown word")
            }
            index += 1
        }
    }

    // Whether the number has neither fraction nor exponent.
    private mutating func number() throws(RowFault) -> Bool {
        _ = take("-")
        if take("0") {
            guard digits() == 0 else { throw fault("holds a number with a leading zero") }
        } else if digits() == 0 {
            throw fault("holds no value")
        }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() > 0 else { throw fault("holds a number without decimals") }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw fault("holds a number without exponent") }
        }
        return isWhole
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index - start
    }
}
