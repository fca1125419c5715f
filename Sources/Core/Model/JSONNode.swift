import MooringText

/// A JSON text (RFC 8259) read as bytes, where every value knows the bytes it stands in.
///
/// Strings are unescaped to bytes and need not be valid UTF-8, since stores hold what devices
/// wrote. Numbers stay the bytes they are.
package struct JSONNode: Hashable, Sendable {
    /// What the value is.
    package indirect enum Kind: Hashable, Sendable {
        case null
        case bool(Bool)
        /// The number's own characters.
        case number([UInt8])
        /// The unescaped bytes.
        case string([UInt8])
        case array([JSONNode])
        case object([Member])
    }

    /// A name and its value in an object; names may repeat.
    package struct Member: Hashable, Sendable {
        /// The unescaped name.
        package let name: [UInt8]
        /// The value.
        package let value: JSONNode
    }

    /// What the value is.
    package let kind: Kind
    /// Where it stands in the text that was parsed, without the blanks around it.
    package let range: Range<Int>

    /// Parses a whole text; throws `JSONError` at the first byte that does not fit.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        do throws(TextFault) {
            self = try bytes.withUnsafeBufferPointer { (buffer) throws(TextFault) in
                var parser = JSONParser(buffer)
                return try parser.document()
            }
        } catch {
            throw JSONError(offset: error.offset ?? 0, reason: error.found)
        }
    }

    /// A value that the parser read.
    init(kind: Kind, range: Range<Int>) {
        self.kind = kind
        self.range = range
    }

    /// The last member of this name in an object; nil elsewhere and for JSON null.
    package subscript(name: String) -> JSONNode? {
        guard case .object(let members) = kind else { return nil }
        guard let member = members.last(where: { $0.name.elementsEqual(name.utf8) }) else {
            return nil
        }
        return member.value.kind == .null ? nil : member.value
    }

    /// A string's unescaped bytes; nil of any other value.
    package var stringBytes: [UInt8]? {
        if case .string(let bytes) = kind { return bytes }
        return nil
    }

    /// A string, repaired where it is not UTF-8; nil of any other value.
    package var string: String? { stringBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// A whole number that fits 64 bits; nil of any other value.
    package var integer: Int64? {
        guard case .number(let bytes) = kind else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    /// A number, rounded to what 64 bits hold; nil of any other value.
    package var number: Double? {
        guard case .number(let bytes) = kind else { return nil }
        return Double(String(decoding: bytes, as: UTF8.self))
    }

    /// The members of an object whose values are strings.
    package var texts: [String: String]? {
        members.map { members in
            Dictionary(
                members.compactMap { member in
                    member.value.string.map {
                        (String(decoding: member.name, as: UTF8.self), $0)
                    }
                }, uniquingKeysWith: { _, last in last })
        }
    }

    /// A truth value; nil of any other value.
    package var bool: Bool? {
        if case .bool(let value) = kind { return value }
        return nil
    }

    /// The elements of an array, in their order; nil of any other value.
    package var elements: [JSONNode]? {
        if case .array(let nodes) = kind { return nodes }
        return nil
    }

    /// The members of an object, in their order and with repeated names; nil of any other value.
    package var members: [Member]? {
        if case .object(let members) = kind { return members }
        return nil
    }
}

/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the first byte that does not fit, from 0.
    package let offset: Int
    /// What was expected there.
    package let reason: String

    /// An error at an offset.
    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// `byte OFFSET: reason`, without any of the text.
    package var description: String { "byte \(offset): \(reason)" }
}
