import MooringText

/// A JSON value to be written; members keep their order, and nil ones are left out.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    package struct Member: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package let value: JSONValue

        /// A member.
        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object of these members, in this order, without those that are nil.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        // Every finding and every step is such an object: the list is made once, and fits.
        var members: [Member] = []
        members.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            if let value { members.append(Member(name: name, value: value)) }
        }
        return .object(members)
    }

    /// The same of pairs that are not known before.
    package static func members(_ pairs: [(name: String, value: JSONValue?)]) -> JSONValue {
        .object(
            pairs.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A string; nil of nil, so that `members` leaves it out.
    package static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
    /// A whole number, held at the ends of 64 bits; nil of nil.
    package static func whole(_ number: (some BinaryInteger)?) -> JSONValue? {
        number.map { .integer(Int64(clamping: $0)) }
    }
    /// A moment as ISO 8601, or nil.
    package static func moment(_ instant: Instant?) -> JSONValue? {
        instant.map { .string($0.iso8601) }
    }
    /// An array of strings.
    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// An object of strings, by the bytes of their names.
    package static func texts(_ texts: [String: String]) -> JSONValue {
        .object(
            texts.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .string($0.value)) })
    }

    /// The value as one line without blanks.
    package var rendered: [UInt8] {
        var output: [UInt8] = []
        if case .object = self { output.reserveCapacity(Self.usualLength) }
        append(to: &output)
        return output
    }

    // Most objects that are rendered are findings.
    private static let usualLength = 768

    /// Appends the same to what stands before it.
    package func append(to output: inout [UInt8]) { write(to: &output, indentation: nil) }

    /// The value over several lines, indented by two blanks, with a line feed at the end.
    package var prettyRendered: [UInt8] {
        var output: [UInt8] = []
        write(to: &output, indentation: 0)
        output.append(0x0A)
        return output
    }

    private func write(to output: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .number(let number):
            output.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
        case .string(let text): Self.write(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                let deeper = Self.begin(index, &output, indentation)
                value.write(to: &output, indentation: deeper)
            }
            if !values.isEmpty { Self.breakLine(indentation, &output) }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                let deeper = Self.begin(index, &output, indentation)
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                if deeper != nil { output.append(0x20) }
                member.value.write(to: &output, indentation: deeper)
            }
            if !members.isEmpty { Self.breakLine(indentation, &output) }
            output.append(UInt8(ascii: "}"))
        }
    }

    // Begins an element, and gives its indentation.
    private static func begin(
        _ index: Int, _ output: inout [UInt8], _ indentation: Int?
    ) -> Int? {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        let deeper = indentation.map { $0 + 2 }
        breakLine(deeper, &output)
        return deeper
    }

    private static func breakLine(_ indentation: Int?, _ output: inout [UInt8]) {
        guard let indentation else { return }
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: indentation))
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendString(UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Appends a string in quotes, so escaped that one text has one spelling everywhere; what is no
    /// UTF-8 stays as it is.
    package static func appendString(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
        Array(text).withUnsafeBytes { appendString($0, to: &output) }
    }

    /// The same of bytes that stand elsewhere.
    package static func appendString(
        _ text: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) {
        // Most texts hold nothing that has to be escaped.
        guard ByteWord.contains(in: text, where: isEscaped) else {
            return appendPlain(text, to: &output)
        }
        output.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(contentsOf: Hexadecimal.bytes([byte]))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    // Whether one of eight bytes stands otherwise in a string.
    private static func isEscaped(_ word: UInt64) -> Bool {
        ByteWord.holds(less: 0x20, in: word) || ByteWord.places(of: 0x22, in: word) != 0
            || ByteWord.places(of: 0x5C, in: word) != 0 || ByteWord.places(of: 0x7F, in: word) != 0
    }

    private static func appendPlain(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.append(addingCapacity: text.count + 2) { (room: inout OutputSpan<UInt8>) in
            room.append(UInt8(ascii: "\""))
            room.withUnsafeMutableBufferPointer { room, filled in
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[1...])
                    .copyMemory(from: text)
                filled += text.count
            }
            room.append(UInt8(ascii: "\""))
        }
    }
}
