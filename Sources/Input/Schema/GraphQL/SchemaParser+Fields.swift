import MooringText

extension SchemaParser {
    // MARK: Fields

    /// The fields in braces, if braces come next: a type may have none.
    mutating func fields(
        of kind: SchemaDefinition.Kind
    ) throws(SchemaError) -> [SchemaField] {
        isMark("{") ? try requiredFields(of: kind) : []
    }

    /// The fields in braces, which must come next.
    mutating func requiredFields(
        of kind: SchemaDefinition.Kind
    ) throws(SchemaError) -> [SchemaField] {
        try expect("{", "and the fields of the \(kind.rawValue)")
        var fields: [SchemaField] = []
        while !isMark("}") {
            try skipDescription()
            fields.append(try field(of: kind))
        }
        try take()
        return fields
    }

    private mutating func field(
        of kind: SchemaDefinition.Kind
    ) throws(SchemaError) -> SchemaField {
        let place = token.place
        let name = try self.name("the name of a field, or '}'")
        let holdsArguments = kind == .object || kind == .interface
        let arguments = holdsArguments ? try argumentDefinitions() : []
        try expect(":", "and the type of '\(name.printable)'")
        let type = try self.type()
        let defaultValue = kind == .input && isMark("=") ? try self.defaultValue() : nil
        return SchemaField(
            name: name, arguments: arguments, type: type, defaultValue: defaultValue,
            directives: try directives(), place: place)
    }

    /// The arguments that a field or directive takes, if parentheses come next.
    mutating func argumentDefinitions() throws(SchemaError) -> [SchemaField] {
        var arguments: [SchemaField] = []
        guard try takes("(") else { return arguments }
        while !isMark(")") {
            try skipDescription()
            arguments.append(try argumentDefinition())
        }
        try take()
        return arguments
    }

    private mutating func argumentDefinition() throws(SchemaError) -> SchemaField {
        let place = token.place
        let name = try self.name("the name of an argument, or ')'")
        try expect(":", "and the type of '\(name.printable)'")
        let type = try self.type()
        let defaultValue = isMark("=") ? try self.defaultValue() : nil
        return SchemaField(
            name: name, arguments: [], type: type, defaultValue: defaultValue,
            directives: try directives(), place: place)
    }

    private mutating func defaultValue() throws(SchemaError) -> SchemaValue {
        try take()
        return try value()
    }

    private mutating func type() throws(SchemaError) -> SchemaType {
        var type: SchemaType
        if try takes("[") {
            type = .list(try nested { parser throws(SchemaError) in try parser.type() })
            try expect("]", "after the type in the list")
        } else {
            type = .named(try name("a type, such as String or [String]"))
        }
        if try takes("!") { type = .nonNull(type) }
        return type
    }

    // MARK: Directives and values

    /// The directives that come next.
    mutating func directives() throws(SchemaError) -> [SchemaDirective] {
        var directives: [SchemaDirective] = []
        while isMark("@") {
            let place = token.place
            try take()
            let name = try self.name("the name of a directive")
            var arguments: [SchemaArgument] = []
            if try takes("(") { arguments = try members("argument", end: ")") }
            directives.append(SchemaDirective(name: name, arguments: arguments, place: place))
        }
        return directives
    }

    private mutating func members(
        _ what: String, end: Character
    ) throws(SchemaError) -> [SchemaArgument] {
        var members: [SchemaArgument] = []
        while !isMark(end) {
            let name = try self.name("the name of an \(what), or '\(end)'")
            try expect(":", "and the value of '\(name.printable)'")
            members.append(SchemaArgument(name: name, value: try value()))
        }
        try take()
        return members
    }

    private mutating func value() throws(SchemaError) -> SchemaValue {
        let value: SchemaValue
        switch token.kind {
        case .string(let text): value = .string(text)
        case .integer(let text): value = .integer(text)
        case .decimal(let text): value = .decimal(text)
        case .name("true"): value = .boolean(true)
        case .name("false"): value = .boolean(false)
        case .name("null"): value = .null
        case .name(let word): value = .enumeration(word)
        case .mark(UInt8(ascii: "[")):
            try take()
            return .list(try nested { parser throws(SchemaError) in try parser.listElements() })
        case .mark(UInt8(ascii: "{")):
            try take()
            return .object(
                try nested { parser throws(SchemaError) in
                    try parser.members("object's field", end: "}")
                })
        case .mark(UInt8(ascii: "$")):
            throw unexpected("a value; a schema has no variables")
        default: throw unexpected("a value")
        }
        try take()
        return value
    }

    private mutating func listElements() throws(SchemaError) -> [SchemaValue] {
        var values: [SchemaValue] = []
        while !isMark("]") { values.append(try value()) }
        try take()
        return values
    }
}
