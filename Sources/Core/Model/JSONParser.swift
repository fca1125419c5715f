/// Reads one JSON text from its first byte to its last.
struct JSONParser {
    /// Deeper nesting is refused, so that no input can exhaust the stack.
    static let depthLimit = 256

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// A parser at the start of a text.
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text's one value, with nothing but blanks around it.
    mutating func document() throws(JSONError) -> JSONNode {
        let node = try value()
        skipBlanks()
        guard index == bytes.count else { throw error("more text after the value") }
        return node
    }

    private mutating func value() throws(JSONError) -> JSONNode {
        skipBlanks()
        guard index < bytes.count else { throw error("the text ends early") }
        let start = index
        let kind: JSONNode.Kind
        switch bytes[index] {
        case UInt8(ascii: "{"): kind = try object()
        case UInt8(ascii: "["): kind = try array()
        case UInt8(ascii: "\""): kind = .string(try string())
        case UInt8(ascii: "t"): kind = try word("true", .bool(true))
        case UInt8(ascii: "f"): kind = try word("false", .bool(false))
        case UInt8(ascii: "n"): kind = try word("null", .null)
        default: kind = try number()
        }
        return JSONNode(kind: kind, range: start..<index)
    }

    private mutating func object() throws(JSONError) -> JSONNode.Kind {
        try enter()
        var members: [JSONNode.Member] = []
        skipBlanks()
        if take("}") { return leave(.object([])) }
        while true {
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw error("a name in quotes is missing")
            }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw error("a colon is missing") }
            members.append(JSONNode.Member(name: name, value: try value()))
            skipBlanks()
            if take(",") { continue }
            guard take("}") else { throw error("a comma or brace is missing") }
            return leave(.object(members))
        }
    }

    private mutating func array() throws(JSONError) -> JSONNode.Kind {
        try enter()
        var nodes: [JSONNode] = []
        skipBlanks()
        if take("]") { return leave(.array([])) }
        while true {
            nodes.append(try value())
            skipBlanks()
            if take(",") { continue }
            guard take("]") else { throw error("a comma or bracket is missing") }
            return leave(.array(nodes))
        }
    }

    private mutating func enter() throws(JSONError) {
        index += 1
        depth += 1
        if depth > Self.depthLimit { throw error("nested deeper than \(Self.depthLimit)") }
    }

    private mutating func leave(_ kind: JSONNode.Kind) -> JSONNode.Kind {
        depth -= 1
        return kind
    }

    private mutating func word(
        _ text: StaticString, _ kind: JSONNode.Kind
    ) throws(JSONError) -> JSONNode.Kind {
        let matches = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard matches else { throw error("an unknown word") }
        index += text.utf8CodeUnitCount
        return kind
    }

    private mutating func number() throws(JSONError) -> JSONNode.Kind {
        let start = index
        _ = take("-")
        let whole = digits()
        guard whole > 0 else { throw error("a value is missing") }
        if whole > 1, bytes[index - whole] == UInt8(ascii: "0") {
            throw error("a number with a leading zero")
        }
        if take(".") {
            guard digits() > 0 else { throw error("a digit is missing") }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw error("a digit is missing") }
        }
        return .number(Array(bytes[start..<index]))
    }

    private mutating func digits() -> Int {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        return index - start
    }

    private mutating func string() throws(JSONError) -> [UInt8] {
        index += 1
        var output: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return output
            case UInt8(ascii: "\\"):
                try escape(into: &output)
            case 0..<0x20:
                throw error("a control character in a string")
            default:
                output.append(byte)
                index += 1
            }
        }
        throw error("a string is not closed")
    }

    private mutating func escape(into output: inout [UInt8]) throws(JSONError) {
        guard index + 1 < bytes.count else { throw error("a string is not closed") }
        let symbol = bytes[index + 1]
        index += 2
        switch symbol {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(symbol)
        case UInt8(ascii: "b"): output.append(8)
        case UInt8(ascii: "f"): output.append(12)
        case UInt8(ascii: "n"): output.append(10)
        case UInt8(ascii: "r"): output.append(13)
        case UInt8(ascii: "t"): output.append(9)
        case UInt8(ascii: "u"): try unicodeEscape(into: &output)
        default: throw error("an unknown escape")
        }
    }

    private mutating func unicodeEscape(into output: inout [UInt8]) throws(JSONError) {
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code) {
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { throw error("half a surrogate pair") }
            index += 2
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw error("half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair") }
        output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard index + 4 <= bytes.count else { throw error("a string is not closed") }
        var code: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error("a hexadecimal digit is missing")
            }
            code = code << 4 | UInt32(digit)
        }
        index += 4
        return code
    }

    private mutating func skipBlanks() {
        while index < bytes.count,
            bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D
                || bytes[index] == 0x09
        { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private func error(_ reason: String) -> JSONError { JSONError(offset: index, reason: reason) }
}
