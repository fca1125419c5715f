import MooringSchema
import MooringModel

/// Writes a row's value as an API's input takes it, and tells whether two values are one.
enum InputValue {
    /// The JSON text of a value for a column; nil where the column's type cannot hold it.
    static func json(_ value: FieldValue, for column: APIModel.Column) -> [UInt8]? {
        switch value {
        case .absent, .null: return Array("null".utf8)
        case .integer(let number):
            if column.type.base == "Boolean", !column.type.isList {
                return [0, 1].contains(number) ? Array((number == 1 ? "true" : "false").utf8) : nil
            }
            return column.isComparable ? Array(String(number).utf8) : nil
        case .real(let number):
            return number.isFinite && column.isComparable ? Array("\(number)".utf8) : nil
        case .text(let bytes):
            // A list that was null before comes as the text of one.
            guard column.isComparable else { return CanonicalText.of(bytes) }
            return String(validating: bytes, as: UTF8.self).map(InputText.string)
        case .json(let bytes):
            guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
            return CanonicalText.of(bytes)
        case .blob, .attribute: return nil
        }
    }

    /// Whether a column that holds one value holds the other.
    static func isSame(_ wanted: FieldValue, _ held: FieldValue, _ column: APIModel.Column) -> Bool
    {
        if wanted == held || wanted.isMissing && held.isMissing { return true }
        if column.type.base == "Boolean", column.isComparable {
            return truth(wanted).map { $0 == truth(held) } ?? false
        }
        guard !column.isComparable, case .json(let bytes) = held else { return false }
        switch wanted {
        case .text(let text), .json(let text): return CanonicalText.of(text) == bytes
        default: return false
        }
    }

    /// What a value of a Boolean column says; nil where it says nothing.
    static func truth(_ value: FieldValue) -> Bool? {
        switch value {
        case .integer(0): false
        case .integer(1): true
        case .json(let bytes) where bytes == Array("true".utf8): true
        case .json(let bytes) where bytes == Array("false".utf8): false
        default: nil
        }
    }
}
