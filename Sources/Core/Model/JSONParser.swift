import MooringText

/// Makes a tree of one JSON text, from its first byte to its last.
struct JSONParser {
    /// Deeper nesting is refused, so that no input can exhaust the stack.
    static let depthLimit = 256

    private var cursor: JSONCursor
    private var depth = 0

    /// A parser at the start of a text, which must stay where it is.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        cursor = JSONCursor(bytes)
    }

    /// The text's one value, with nothing but blanks around it.
    mutating func document() throws(TextFault) -> JSONNode {
        let node = try value()
        try cursor.end()
        return node
    }

    private mutating func value() throws(TextFault) -> JSONNode {
        guard let byte = cursor.peek() else { throw cursor.fault("lacks a value") }
        let start = cursor.index
        let kind: JSONNode.Kind
        switch byte {
        case UInt8(ascii: "{"): kind = .object(try members())
        case UInt8(ascii: "["): kind = .array(try elements())
        case UInt8(ascii: "\""): kind = .string(try cursor.text())
        default:
            switch try cursor.word() {
            case .null: kind = .null
            case .boolean: kind = .bool(byte == UInt8(ascii: "t"))
            default: kind = .number(Array(cursor.bytes[start..<cursor.index]))
            }
        }
        return JSONNode(kind: kind, range: start..<cursor.index)
    }

    private mutating func members() throws(TextFault) -> [JSONNode.Member] {
        try enter()
        defer { depth -= 1 }
        var members: [JSONNode.Member] = []
        if cursor.take("}") { return members }
        repeat {
            let name = try cursor.text()
            try cursor.expect(":")
            members.append(JSONNode.Member(name: name, value: try value()))
        } while cursor.take(",")
        try cursor.expect("}")
        return members
    }

    private mutating func elements() throws(TextFault) -> [JSONNode] {
        try enter()
        defer { depth -= 1 }
        var nodes: [JSONNode] = []
        if cursor.take("]") { return nodes }
        repeat { nodes.append(try value()) } while cursor.take(",")
        try cursor.expect("]")
        return nodes
    }

    private mutating func enter() throws(TextFault) {
        cursor.index += 1
        depth += 1
        if depth > Self.depthLimit { throw cursor.fault("nested deeper than \(Self.depthLimit)") }
    }
}
