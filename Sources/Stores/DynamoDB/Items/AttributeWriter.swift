import MooringModel
import MooringText

/// Writes fields of records as DynamoDB's typed values.
enum AttributeWriter {
    /// The typed value of a field; nil of one that is absent. What DynamoDB cannot hold is a fault.
    static func typed(_ value: FieldValue) throws(ItemFault) -> [UInt8]? {
        switch value {
        case .absent: return nil
        case .null: return Array("{\"NULL\":true}".utf8)
        case .integer(let number): return Array("{\"N\":\"\(number)\"}".utf8)
        case .real:
            throw ItemFault(reason: "is a binary fraction, which DynamoDB's numbers are not")
        case .text(let bytes): return try text(bytes)
        case .blob(let bytes): return Array("{\"B\":\"\(Base64.encode(bytes))\"}".utf8)
        case .json(let bytes):
            // What cannot be parsed is refused as such.
            guard let node = try? JSONNode(parsing: bytes),
                node.elements != nil || node.members != nil
            else { throw ItemFault(reason: "is neither a list nor a map") }
            var output: [UInt8] = []
            try append(node, to: &output)
            return output
        case .attribute(let bytes): return try checked(bytes)
        }
    }

    /// The field as it comes back from the service; a value that it cannot hold as it is.
    static func canonical(_ value: FieldValue) -> FieldValue {
        switch value {
        case .json, .attribute:
            // A value that cannot be written is equal to none that was.
            guard let typed = try? typed(value) else { return value }
            return AttributeReader.value(of: typed) ?? value
        default: return value
        }
    }

    /// A string as a typed value.
    static func text(_ bytes: [UInt8]) throws(ItemFault) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ItemFault(reason: "is no UTF-8, which DynamoDB's strings are")
        }
        var output = Array("{\"S\":".utf8)
        JSONValue.appendString(bytes, to: &output)
        output.append(UInt8(ascii: "}"))
        return output
    }

    private static func checked(_ bytes: [UInt8]) throws(ItemFault) -> [UInt8] {
        try JSONCursor.whole(bytes) { (cursor) throws(ItemFault) in
            var output: [UInt8] = []
            try TypedText.append(&cursor, to: &output, depth: 0)
            return output
        }
    }

    private static func append(
        _ node: JSONNode, to output: inout [UInt8]
    ) throws(ItemFault) {
        switch node.kind {
        case .null: output.append(contentsOf: "{\"NULL\":true}".utf8)
        case .bool(let value): output.append(contentsOf: "{\"BOOL\":\(value)}".utf8)
        case .number(let text):
            output.append(contentsOf: "{\"N\":\"".utf8)
            output.append(contentsOf: text)
            output.append(contentsOf: "\"}".utf8)
        case .string(let bytes): output.append(contentsOf: try text(bytes))
        case .array(let nodes):
            output.append(contentsOf: "{\"L\":[".utf8)
            for (index, element) in nodes.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                try append(element, to: &output)
            }
            output.append(contentsOf: "]}".utf8)
        case .object(let own):
            var members = SortedMembers()
            for member in own {
                var value: [UInt8] = []
                try append(member.value, to: &value)
                members.add(member.name, value)
            }
            output.append(contentsOf: "{\"M\":".utf8)
            try members.append(to: &output)
            output.append(UInt8(ascii: "}"))
        }
    }
}
