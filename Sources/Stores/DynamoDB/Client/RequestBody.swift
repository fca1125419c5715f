import MooringModel
/// A map of JSON whose values are written already.
struct RequestBody {
    private var output = [UInt8(ascii: "{")]

    /// Adds a member with a value that is JSON.
    mutating func add(_ name: String, _ json: [UInt8]) {
        if output.count > 1 { output.append(UInt8(ascii: ",")) }
        JSONValue.appendString(name.utf8, to: &output)
        output.append(UInt8(ascii: ":"))
        output.append(contentsOf: json)
    }

    /// Adds a text.
    mutating func add(_ name: String, text: String) {
        var json: [UInt8] = []
        JSONValue.appendString(text.utf8, to: &json)
        add(name, json)
    }

    /// Adds a whole number.
    mutating func add(_ name: String, _ number: Int) { add(name, Array(String(number).utf8)) }

    /// Adds a truth value.
    mutating func add(_ name: String, _ flag: Bool) { add(name, Array("\(flag)".utf8)) }

    /// The map.
    var text: [UInt8] { output + [UInt8(ascii: "}")] }
}
