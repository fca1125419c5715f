import MooringModel
import MooringText

/// Reads DynamoDB's typed values, `{"S":"a"}`, as fields of records.
///
/// One value has one field: members of maps and elements of sets are sorted by their bytes, since
/// the service gives them in any order, and texts are escaped in one way.
enum AttributeReader {
    /// The value that comes next.
    static func value(_ cursor: inout JSONCursor) throws(ItemFault) -> FieldValue {
        if cursor.takeTextStart() {
            let text = try cursor.text()
            try cursor.expect("}")
            return .text(text)
        }
        let start = cursor.index
        try cursor.expect("{")
        let type = try self.type(&cursor)
        let value: FieldValue
        switch type {
        case .string: value = .text(try cursor.text())
        case .number: value = number(try self.number(&cursor))
        case .binary: value = .blob(try binary(&cursor))
        case .null:
            try null(&cursor)
            value = .null
        case .list, .map:
            cursor.index = start
            var output: [UInt8] = []
            if try PlainText.append(&cursor, to: &output, depth: 0) { return .json(output) }
            cursor.index = start
            output.removeAll(keepingCapacity: true)
            try TypedText.append(&cursor, to: &output, depth: 0)
            return .attribute(output)
        case .bool, .strings, .numbers, .binaries:
            cursor.index = start
            var output: [UInt8] = []
            try TypedText.append(&cursor, to: &output, depth: 0)
            return .attribute(output)
        }
        try cursor.expect("}")
        return value
    }

    /// Puts the value that comes next to a place of a row; what is plain costs no allocation. After
    /// a fault the cursor stands anywhere, and the row is none.
    static func read(
        _ cursor: inout JSONCursor, into row: inout RowPieces, at place: Int
    ) throws(ItemFault) {
        if cursor.takeTextStart() {
            let (range, hasEscapes) = try cursor.string()
            if hasEscapes {
                let text = try JSONText.decode(cursor.bytes, range, hasEscapes: true)
                row.put(.text(text), at: place)
            } else {
                row.put(.text, range, at: place)
            }
            return try cursor.expect("}")
        }
        let start = cursor.index
        if cursor.takeStart(of: UInt8(ascii: "N")) {
            let (range, hasEscapes) = try cursor.string()
            if !hasEscapes, let number = NumberText.integer(cursor.bytes[range]) {
                row.put(number, at: place)
                return try cursor.expect("}")
            }
        } else if cursor.takeStart(of: UInt8(ascii: "L"))
            || cursor.takeStart(of: UInt8(ascii: "M"))
        {
            cursor.index = start
            let isPlain = try row.put(.json, at: place) { (output) throws(ItemFault) in
                try PlainText.append(&cursor, to: &output, depth: 0)
            }
            if isPlain { return }
        } else if cursor.take(text: "{\"BOOL\":true}") || cursor.take(text: "{\"BOOL\":false}") {
            return row.put(.attribute, start..<cursor.index, at: place)
        } else if cursor.take(text: "{\"NULL\":true}") {
            return row.put(.null, start..<start, at: place)
        }
        // Whatever else it is, or how else it is written.
        cursor.index = start
        row.put(try value(&cursor), at: place)
    }

    /// The value that a whole text is, as fields hold it; nil where it is none.
    static func value(of text: [UInt8]) -> FieldValue? {
        // Swallowed: a text that breaks the grammar is no value, and nil says that.
        try? JSONCursor.whole(text, value)
    }

    /// The types of values.
    enum ValueType: String {
        case string = "S"
        case number = "N"
        case binary = "B"
        case bool = "BOOL"
        case null = "NULL"
        case list = "L"
        case map = "M"
        case strings = "SS"
        case numbers = "NS"
        case binaries = "BS"
    }

    /// The type's name and its colon.
    static func type(_ cursor: inout JSONCursor) throws(ItemFault) -> ValueType {
        let (range, _) = try cursor.string()
        let name = cursor.bytes[range]
        let type: ValueType?
        switch (name.count, name.first ?? 0) {
        case (1, UInt8(ascii: "S")): type = .string
        case (1, UInt8(ascii: "N")): type = .number
        case (1, UInt8(ascii: "L")): type = .list
        case (1, UInt8(ascii: "M")): type = .map
        default: type = ValueType(rawValue: String(decoding: name, as: UTF8.self))
        }
        guard let type else { throw cursor.fault("holds a value of an unknown type") }
        try cursor.expect(":")
        return type
    }

    /// A number's text, which stands in quotes.
    static func number(_ cursor: inout JSONCursor) throws(ItemFault) -> Slice<Bytes> {
        let (range, hasEscapes) = try cursor.string()
        let text = cursor.bytes[range]
        guard !hasEscapes, NumberText.isJSON(text) else {
            throw cursor.fault("holds a number that is none")
        }
        return text
    }

    /// Bytes, which stand in base64.
    static func binary(_ cursor: inout JSONCursor) throws(ItemFault) -> [UInt8] {
        let encoded = try cursor.text()
        guard let bytes = Base64.decode(String(decoding: encoded, as: UTF8.self)) else {
            throw cursor.fault("holds bytes that are no base64")
        }
        return bytes
    }

    /// The word behind `NULL`, which says nothing more.
    static func null(_ cursor: inout JSONCursor) throws(ItemFault) {
        guard try cursor.bool() else { throw cursor.fault("holds a NULL that is false") }
    }

    /// A text in place.
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private static func number(_ text: Slice<Bytes>) -> FieldValue {
        if let number = NumberText.integer(text) { return .integer(number) }
        return .attribute(Array("{\"N\":\"".utf8) + text + Array("\"}".utf8))
    }
}
