/// One attribute of a record as the store holds it, without any interpretation.
package enum FieldValue: Hashable, Sendable {
    /// The record has no such attribute (sources without a fixed set of columns).
    case absent
    /// SQL NULL, JSON null.
    case null
    case integer(Int64)
    case real(Double)
    /// A string's bytes, which need not be valid UTF-8 and may hold NUL.
    case text([UInt8])
    case blob([UInt8])
    /// A nested value, as the bytes of its JSON text: an object or an array; or a truth value.
    case json([UInt8])
    /// A value that plain JSON cannot tell from another one, such as a set or a number of more
    /// than 64 bits: DynamoDB's own JSON, one type and its value, `{"SS":["a","b"]}`.
    case attribute([UInt8])

    /// The bytes a key is made from; nil where there is no text. An attribute is plain JSON there.
    package var bytes: [UInt8]? {
        switch self {
        case .absent, .null: nil
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        case .text(let bytes), .blob(let bytes), .json(let bytes): bytes
        case .attribute(let bytes): AttributeText.plain(bytes) ?? bytes
        }
    }

    /// Whether the value says nothing.
    package var isMissing: Bool { self == .absent || self == .null }
}
