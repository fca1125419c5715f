import MooringModel
import MooringText

/// Writes typed values in the one form that stands for them: without blanks, members of maps and
/// elements of sets in the order of their bytes.
enum TypedText {
    /// Appends the value that comes next.
    static func append(
        _ cursor: inout JSONCursor, to output: inout [UInt8], depth: Int
    ) throws(ItemFault) {
        try cursor.level(depth)
        try cursor.expect("{")
        let type = try AttributeReader.type(&cursor)
        output.append(contentsOf: "{\"\(type.rawValue)\":".utf8)
        switch type {
        case .string: JSONValue.appendString(try cursor.text(), to: &output)
        case .number: JSONValue.appendString(try AttributeReader.number(&cursor), to: &output)
        case .binary: try appendBinary(&cursor, to: &output)
        case .bool: output.append(contentsOf: (try cursor.bool() ? "true" : "false").utf8)
        case .null:
            try AttributeReader.null(&cursor)
            output.append(contentsOf: "true".utf8)
        case .list: try appendList(&cursor, to: &output, depth)
        case .map: try appendMap(&cursor, to: &output, depth)
        case .strings, .numbers, .binaries: try appendSet(type, &cursor, to: &output)
        }
        try cursor.expect("}")
        output.append(UInt8(ascii: "}"))
    }

    private static func appendBinary(
        _ cursor: inout JSONCursor, to output: inout [UInt8]
    ) throws(ItemFault) {
        JSONValue.appendString(
            Base64.encode(try AttributeReader.binary(&cursor)).utf8, to: &output)
    }

    private static func appendList(
        _ cursor: inout JSONCursor, to output: inout [UInt8], _ depth: Int
    ) throws(ItemFault) {
        var isFirst = true
        output.append(UInt8(ascii: "["))
        try cursor.elements { (cursor) throws(ItemFault) in
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            try append(&cursor, to: &output, depth: depth + 1)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func appendMap(
        _ cursor: inout JSONCursor, to output: inout [UInt8], _ depth: Int
    ) throws(ItemFault) {
        var members = SortedMembers()
        try cursor.members { (cursor, name) throws(ItemFault) in
            var value: [UInt8] = []
            try append(&cursor, to: &value, depth: depth + 1)
            members.add(name, value)
        }
        try members.append(to: &output)
    }

    private static func appendSet(
        _ type: AttributeReader.ValueType, _ cursor: inout JSONCursor, to output: inout [UInt8]
    ) throws(ItemFault) {
        var elements: [[UInt8]] = []
        try cursor.elements { (cursor) throws(ItemFault) in
            var element: [UInt8] = []
            switch type {
            case .numbers:
                JSONValue.appendString(try AttributeReader.number(&cursor), to: &element)
            case .binaries: try appendBinary(&cursor, to: &element)
            default: JSONValue.appendString(try cursor.text(), to: &element)
            }
            elements.append(element)
        }
        elements.sort { $0.lexicographicallyPrecedes($1) }
        output.append(UInt8(ascii: "["))
        output.append(contentsOf: elements.joined(separator: [UInt8(ascii: ",")]))
        output.append(UInt8(ascii: "]"))
    }
}
