/// DynamoDB's JSON: each value is an object of one member, whose name is the value's type.
///
/// The types are those of the API's `AttributeValue`: S, N, B, BOOL, NULL, L, M, SS, NS and BS.
package enum AttributeText {
    /// The same as plain JSON, to be read and never written back: sets are lists, numbers stand as
    /// they are, and bytes are the text that they hold, since that may be a key; bytes that are no
    /// UTF-8 stay base64. Nil when the text is no typed value.
    package static func plain(_ bytes: [UInt8]) -> [UInt8]? {
        // What cannot be parsed is no typed value: that is the whole answer.
        guard let node = try? JSONNode(parsing: bytes) else { return nil }
        return plain(node, in: bytes)
    }

    /// A set of strings of these elements, sorted by their bytes, each element the JSON of a
    /// string.
    package static func stringSet(_ elements: [[UInt8]]) -> [UInt8] {
        let sorted = elements.sorted { $0.lexicographicallyPrecedes($1) }
        return Array("{\"SS\":[".utf8) + sorted.joined(separator: [comma]) + Array("]}".utf8)
    }

    /// Whether a typed value is a set of strings.
    package static func isStringSet(_ bytes: [UInt8]) -> Bool {
        // As above.
        (try? JSONNode(parsing: bytes))?["SS"] != nil
    }

    private static let comma = UInt8(ascii: ",")

    private static func plain(_ node: JSONNode, in bytes: [UInt8]) -> [UInt8]? {
        guard let members = node.members, members.count == 1 else { return nil }
        let value = members[0].value
        switch String(decoding: members[0].name, as: UTF8.self) {
        case "S", "BOOL", "SS": return Array(bytes[value.range])
        case "B": return binary(value)
        case "BS": return list(value.elements?.map(binary))
        case "NULL": return Array("null".utf8)
        case "N": return value.stringBytes
        case "NS": return list(value.elements?.map(\.stringBytes))
        case "L": return list(value.elements?.map { plain($0, in: bytes) })
        case "M":
            guard let members = value.members else { return nil }
            var output = [UInt8(ascii: "{")]
            for (index, member) in members.enumerated() {
                guard let text = plain(member.value, in: bytes) else { return nil }
                if index > 0 { output.append(comma) }
                JSONValue.appendString(member.name, to: &output)
                output += [UInt8(ascii: ":")] + text
            }
            return output + [UInt8(ascii: "}")]
        default: return nil
        }
    }

    private static func binary(_ node: JSONNode) -> [UInt8]? {
        guard let text = node.string, let held = Base64.decode(text) else { return nil }
        let isText = String(validating: held, as: UTF8.self) != nil
        var output: [UInt8] = []
        JSONValue.appendString(isText ? held : Array(text.utf8), to: &output)
        return output
    }

    private static func list(_ elements: [[UInt8]?]?) -> [UInt8]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.self)
        guard texts.count == elements.count else { return nil }
        return [UInt8(ascii: "[")] + texts.joined(separator: [comma]) + [UInt8(ascii: "]")]
    }
}
