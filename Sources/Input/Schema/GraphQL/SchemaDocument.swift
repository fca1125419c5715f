/// The type of a field, as it was written.
package indirect enum SchemaType: Hashable, Sendable {
    case named(String)
    case list(SchemaType)
    case nonNull(SchemaType)

    /// The name inside all lists.
    package var base: String {
        switch self {
        case .named(let name): name
        case .list(let inner), .nonNull(let inner): inner.base
        }
    }

    /// Whether it is a list, of whatever.
    package var isList: Bool {
        switch self {
        case .named: false
        case .list: true
        case .nonNull(let inner): inner.isList
        }
    }
}

/// A value of an argument; numbers stay as they were written.
package indirect enum SchemaValue: Hashable, Sendable {
    case string(String)
    case integer(String)
    case decimal(String)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([SchemaValue])
    case object([SchemaArgument])

    /// The text of a string or of an enum's word.
    package var word: String? {
        switch self {
        case .string(let text), .enumeration(let text): text
        default: nil
        }
    }

    /// The elements of a list; a single value counts for a list of one, and null for none.
    package var elements: [SchemaValue] {
        switch self {
        case .list(let values): values
        case .null: []
        default: [self]
        }
    }

    /// The value of an object's member.
    package subscript(name: String) -> SchemaValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// An argument with its value, or a member of an object.
package struct SchemaArgument: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: SchemaValue
}

/// A directive at a type or field, such as `@model`.
package struct SchemaDirective: Hashable, Sendable {
    /// Its name, without the `@`.
    package let name: String
    /// Its arguments, in the order of the text.
    package let arguments: [SchemaArgument]
    /// Where its `@` stands.
    package let place: SchemaPlace

    /// The value of an argument.
    package subscript(name: String) -> SchemaValue? {
        arguments.first { $0.name == name }?.value
    }

    /// The words of an argument that is a string or a list of strings; nil without the argument.
    package func words(_ name: String) -> [String]? { self[name]?.elements.compactMap(\.word) }

    /// The words of an argument that may be names of fields; nil without the argument.
    package func fieldNames(_ name: String) -> [String]? {
        words(name)?.filter(SchemaLexer.isName)
    }
}

/// A field of a type, a field of an input, or an argument of a field.
package struct SchemaField: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its arguments; an input's field has none.
    package let arguments: [SchemaField]
    /// Its type.
    package let type: SchemaType
    /// What it is without a value; only inputs and arguments may say.
    package let defaultValue: SchemaValue?
    /// Its directives, in the order of the text.
    package let directives: [SchemaDirective]
    /// Where its name stands.
    package let place: SchemaPlace

    /// The first directive of a name.
    package func directive(_ name: String) -> SchemaDirective? {
        directives.first { $0.name == name }
    }
}

/// One definition of a schema, or an extension of one.
package struct SchemaDefinition: Hashable, Sendable {
    /// What is defined.
    package enum Kind: String, Hashable, Sendable {
        case object = "type"
        case interface, union, enumeration = "enum", input, scalar, schema, directive
    }

    /// What is defined.
    package let kind: Kind
    /// Its name; empty for `schema`.
    package let name: String
    /// Whether it adds to a definition that stands elsewhere.
    package let isExtension: Bool
    /// Its directives, in the order of the text.
    package let directives: [SchemaDirective]
    /// The fields of a type, interface or input; the arguments of a directive.
    package let fields: [SchemaField]
    /// The interfaces of a type, the types of a union, the values of an enum.
    package let members: [String]
    /// Where its name stands.
    package let place: SchemaPlace

    /// The first directive of a name.
    package func directive(_ name: String) -> SchemaDirective? {
        directives.first { $0.name == name }
    }
}

/// A GraphQL schema's text, read into its definitions; nothing is said yet of what they mean.
package struct SchemaDocument: Hashable, Sendable {
    /// The largest text that is read, in bytes.
    package static let sizeLimit = 4 << 20

    /// The file as it was named.
    package let file: String
    /// The definitions and extensions, in the order of the text.
    package let definitions: [SchemaDefinition]

    /// Reads a file; throws a `SchemaError` when it cannot be read or is no schema.
    package static func load(path: String) throws -> SchemaDocument {
        let bytes = try SchemaError.bytes(of: path, limit: sizeLimit, kind: "schema")
        return try parse(bytes, file: path)
    }

    /// Reads a text. Throws the first thing that is wrong, with its place; a text that is no UTF-8,
    /// is over 4 MiB, or nests brackets over 64 levels deep, is wrong too. Of a schema in several
    /// files each is a part, and its places name the file.
    package static func parse(
        _ bytes: [UInt8], file: String, isPart: Bool = false
    ) throws(SchemaError) -> SchemaDocument {
        let start = SchemaPlace(line: 1, column: 1)
        guard bytes.count <= sizeLimit else {
            throw SchemaError(
                file: file, place: start, message: "over 4 MiB, which no schema needs")
        }
        try checkEncoding(bytes, file: file)
        var parser = try SchemaParser(bytes, file: file, isPart: isPart)
        return SchemaDocument(file: file, definitions: try parser.definitions())
    }

    /// Throws the place of the first byte that is not UTF-8.
    static func checkEncoding(_ bytes: [UInt8], file: String) throws(SchemaError) {
        if let place = placeOfInvalidByte(bytes) {
            throw SchemaError(
                file: file, place: place,
                message: "found a byte that is not UTF-8; save the file as UTF-8 text")
        }
    }

    private static func placeOfInvalidByte(_ bytes: [UInt8]) -> SchemaPlace? {
        var parser = UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return nil
            case .valid(let encoded): count += encoded.count
            case .error:
                var lexer = SchemaLexer(Array(bytes[..<count]), file: "")
                while lexer.current != nil { lexer.advance() }
                return lexer.place
            }
        }
    }
}
