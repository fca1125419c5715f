import MooringModel
import MooringText

/// Writes typed values as plain JSON where that can be told back: without sets and bytes.
enum PlainText {
    /// Appends the value that comes next; false where it holds what plain JSON cannot tell, and
    /// then the cursor stands anywhere.
    static func append(
        _ cursor: inout JSONCursor, to output: inout [UInt8], depth: Int
    ) throws(ItemFault) -> Bool {
        try cursor.level(depth)
        if cursor.takeTextStart() {
            try appendText(&cursor, to: &output)
            try cursor.expect("}")
            return true
        }
        try cursor.expect("{")
        switch try AttributeReader.type(&cursor) {
        case .string: try appendText(&cursor, to: &output)
        case .number: output.append(contentsOf: try AttributeReader.number(&cursor))
        case .bool: output.append(contentsOf: (try cursor.bool() ? "true" : "false").utf8)
        case .null:
            try AttributeReader.null(&cursor)
            output.append(contentsOf: "null".utf8)
        case .list: guard try appendList(&cursor, to: &output, depth) else { return false }
        case .map: guard try appendMap(&cursor, to: &output, depth) else { return false }
        case .binary, .strings, .numbers, .binaries: return false
        }
        try cursor.expect("}")
        return true
    }

    private static func appendText(
        _ cursor: inout JSONCursor, to output: inout [UInt8]
    ) throws(ItemFault) {
        let (range, hasEscapes) = try cursor.string()
        guard hasEscapes || cursor.bytes[range].contains(0x7F) else {
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: cursor.bytes[range])
            output.append(UInt8(ascii: "\""))
            return
        }
        let text = try JSONText.decode(cursor.bytes, range, hasEscapes: hasEscapes)
        JSONValue.appendString(text, to: &output)
    }

    private static func appendList(
        _ cursor: inout JSONCursor, to output: inout [UInt8], _ depth: Int
    ) throws(ItemFault) -> Bool {
        try cursor.expect("[")
        output.append(UInt8(ascii: "["))
        if !cursor.take("]") {
            repeat {
                guard try append(&cursor, to: &output, depth: depth + 1) else { return false }
                output.append(UInt8(ascii: ","))
            } while cursor.take(",")
            output.removeLast()
            try cursor.expect("]")
        }
        output.append(UInt8(ascii: "]"))
        return true
    }

    private static func appendMap(
        _ cursor: inout JSONCursor, to output: inout [UInt8], _ depth: Int
    ) throws(ItemFault) -> Bool {
        var members = SortedMembers()
        try cursor.expect("{")
        if !cursor.take("}") {
            repeat {
                let name = try cursor.text()
                try cursor.expect(":")
                var value: [UInt8] = []
                guard try append(&cursor, to: &value, depth: depth + 1) else { return false }
                members.add(name, value)
            } while cursor.take(",")
            try cursor.expect("}")
        }
        try members.append(to: &output)
        return true
    }
}

/// The members of a map, written in the order of their names' bytes.
struct SortedMembers {
    private var members: [(name: [UInt8], value: [UInt8])] = []

    /// Adds a member whose value is written already.
    mutating func add(_ name: [UInt8], _ value: [UInt8]) { members.append((name, value)) }

    /// Appends the map; a name that comes twice is a fault.
    mutating func append(to output: inout [UInt8]) throws(ItemFault) {
        members.sort { $0.name.lexicographicallyPrecedes($1.name) }
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 {
                guard members[index - 1].name != member.name else {
                    throw ItemFault(reason: "holds a name twice in a map")
                }
                output.append(UInt8(ascii: ","))
            }
            JSONValue.appendString(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: member.value)
        }
        output.append(UInt8(ascii: "}"))
    }
}
