import MooringModel

/// One request to an API: the text of a query or mutation, and the values of its variables.
struct GraphQLOperation {
    /// The operation's name in the schema, for counters and messages.
    let name: String
    /// The text.
    let text: String
    /// The variables, each with the bytes of its JSON text.
    var variables: [(name: String, json: [UInt8])] = []
    /// Whether it changes something.
    var isMutation = false

    /// What every operation calls its one result.
    static let result = "result"

    /// The request's body.
    var body: [UInt8] {
        var body = Array("{\"query\":".utf8) + JSONValue.string(text).rendered
        body += Array(",\"variables\":".utf8)
        body += InputText.object(variables)
        body.append(UInt8(ascii: "}"))
        return body
    }
}

/// Puts JSON texts together.
enum InputText {
    /// An object of members whose values are JSON texts already.
    static func object(_ members: [(name: String, json: [UInt8])]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += JSONValue.string(member.name).rendered
            text.append(UInt8(ascii: ":"))
            text += member.json
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// A list of values that are JSON texts already.
    static func list(_ values: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + values.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    /// A text.
    static func string(_ text: String) -> [UInt8] { JSONValue.string(text).rendered }
}
