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
    /// A nested value, as the bytes of its JSON text: an object or an array.
    case json([UInt8])

    /// The bytes a key is made from; nil where there is no text.
    package var bytes: [UInt8]? {
        switch self {
        case .absent, .null: nil
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        case .text(let bytes), .blob(let bytes), .json(let bytes): bytes
        }
    }

    /// Whether the value says nothing.
    package var isMissing: Bool { self == .absent || self == .null }
}
