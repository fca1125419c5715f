import MooringModel
import MooringSchema
import MooringText

/// Reads a field of an answer into the value that a row holds.
enum AnswerValue {
    /// The value of a column. Nested values are written anew, members by name, so that one value
    /// has one text whatever the API's order is.
    static func value(_ node: JSONNode?, of column: APIModel.Column) -> FieldValue {
        switch node?.kind {
        case nil, .null: return .null
        case .string(let bytes): return .text(bytes)
        case .bool(let value): return .json(Array((value ? "true" : "false").utf8))
        case .number(let digits):
            let text = String(decoding: digits, as: UTF8.self)
            if column.type.base != "Float", let whole = Int64(text) { return .integer(whole) }
            // Only GraphQL's own Float is one; any other number keeps the digits that it has.
            guard column.type.base == "Float", let real = Double(text), real.isFinite else {
                return .json(digits)
            }
            return .real(real)
        case .array, .object:
            var text: [UInt8] = []
            if let node { CanonicalText.write(node, to: &text) }
            return .json(text)
        }
    }
}

/// JSON in one fixed spelling: no blanks, members by the bytes of their names.
enum CanonicalText {
    /// A text in that spelling; nil where it is no JSON.
    static func of(_ bytes: [UInt8]) -> [UInt8]? {
        // What is no JSON has no other spelling.
        guard let node = try? JSONNode(parsing: bytes) else { return nil }
        var text: [UInt8] = []
        write(node, to: &text)
        return text
    }

    /// Writes a value in that spelling.
    static func write(_ node: JSONNode, to text: inout [UInt8]) {
        switch node.kind {
        case .null: text += Array("null".utf8)
        case .bool(let value): text += Array((value ? "true" : "false").utf8)
        case .number(let digits): text += digits
        case .string(let bytes): write(bytes, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                write(element, to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            let sorted = members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                write(member.name, to: &text)
                text.append(UInt8(ascii: ":"))
                write(member.value, to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    // The bytes stay what they are, valid UTF-8 or not.
    private static func write(_ string: [UInt8], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                text += Array("\\u00".utf8) + Hexadecimal.bytes([byte])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
