/// Reads a schema's definitions from its tokens.
struct SchemaParser {
    /// The deepest nesting of brackets that is read.
    static let depthLimit = 64

    /// The token that comes next.
    private(set) var token: SchemaToken
    private var lexer: SchemaLexer
    private var depth = 0

    /// A parser at the first token; throws where that is none.
    init(_ bytes: [UInt8], file: String, isPart: Bool = false) throws(SchemaError) {
        lexer = SchemaLexer(bytes, file: file, isPart: isPart)
        token = try lexer.next()
    }

    // MARK: Tokens

    /// An error at the next token.
    func unexpected(_ expected: String) -> SchemaError {
        lexer.error(at: token.place, "found \(token.shown), expected \(expected)")
    }

    /// Takes the next token.
    mutating func take() throws(SchemaError) { token = try lexer.next() }

    /// Whether the next token is this mark.
    func isMark(_ mark: Character) -> Bool {
        token.kind == mark.asciiValue.map(SchemaToken.Kind.mark)
    }

    /// Takes a mark if it comes next.
    mutating func takes(_ mark: Character) throws(SchemaError) -> Bool {
        guard isMark(mark) else { return false }
        try take()
        return true
    }

    /// Takes a mark that must come next.
    mutating func expect(_ mark: Character, _ after: String) throws(SchemaError) {
        guard try takes(mark) else { throw unexpected("'\(mark)' \(after)") }
    }

    /// Takes a word if it comes next.
    mutating func takes(word: String) throws(SchemaError) -> Bool {
        guard token.kind == .name(word) else { return false }
        try take()
        return true
    }

    /// Takes a name that must come next.
    mutating func name(_ expected: String) throws(SchemaError) -> String {
        guard case .name(let name) = token.kind else { throw unexpected(expected) }
        try take()
        return name
    }

    /// Takes a description if one comes next.
    mutating func skipDescription() throws(SchemaError) {
        if case .string = token.kind { try take() }
    }

    /// Reads something that may hold itself; throws where it would nest too deep.
    mutating func nested<Value>(
        _ body: (inout SchemaParser) throws(SchemaError) -> Value
    ) throws(SchemaError) -> Value {
        guard depth < Self.depthLimit else {
            throw lexer.error(
                at: token.place,
                "found brackets over \(Self.depthLimit) levels deep, which no "
                    + "schema needs")
        }
        depth += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    // MARK: Definitions

    private static let expected =
        "a definition: type, interface, union, enum, input, scalar, extend, schema or directive"

    /// All definitions up to the end of the text.
    mutating func definitions() throws(SchemaError) -> [SchemaDefinition] {
        var definitions: [SchemaDefinition] = []
        while token.kind != .end { definitions.append(try definition()) }
        return definitions
    }

    private mutating func definition() throws(SchemaError) -> SchemaDefinition {
        try skipDescription()
        let isExtension = try takes(word: "extend")
        guard case .name(let word) = token.kind,
            let kind = SchemaDefinition.Kind(rawValue: word),
            !isExtension || kind != .directive
        else {
            throw unexpected(
                isExtension
                    ? "what is extended: type, interface, union, enum, input, scalar or schema"
                    : Self.expected)
        }
        let start = token.place
        try take()
        switch kind {
        case .directive: return try directiveDefinition()
        case .schema: return try schemaDefinition(isExtension, at: start)
        default: return try typeDefinition(kind, isExtension)
        }
    }

    private mutating func typeDefinition(
        _ kind: SchemaDefinition.Kind, _ isExtension: Bool
    ) throws(SchemaError) -> SchemaDefinition {
        let place = token.place
        let name = try self.name("the name of the \(kind.rawValue)")
        var members: [String] = []
        if kind == .object || kind == .interface, try takes(word: "implements") {
            members = try interfaces()
        }
        let directives = try self.directives()
        var fields: [SchemaField] = []
        switch kind {
        case .union:
            if try takes("=") { members = try alternatives("the name of a type") }
        case .enumeration: members = try enumValues()
        case .scalar: break
        default: fields = try self.fields(of: kind)
        }
        return SchemaDefinition(
            kind: kind, name: name, isExtension: isExtension, directives: directives,
            fields: fields, members: members, place: place)
    }

    private mutating func schemaDefinition(
        _ isExtension: Bool, at place: SchemaPlace
    ) throws(SchemaError) -> SchemaDefinition {
        let directives = try self.directives()
        let fields = isExtension && !isMark("{") ? [] : try requiredFields(of: .schema)
        return SchemaDefinition(
            kind: .schema, name: "", isExtension: isExtension, directives: directives,
            fields: fields, members: [], place: place)
    }

    private mutating func directiveDefinition() throws(SchemaError) -> SchemaDefinition {
        try expect("@", "before the directive's name")
        let place = token.place
        let name = try self.name("the directive's name")
        let arguments = try argumentDefinitions()
        _ = try takes(word: "repeatable")
        guard try takes(word: "on") else { throw unexpected("'on' and where it may stand") }
        return SchemaDefinition(
            kind: .directive, name: name, isExtension: false, directives: [], fields: arguments,
            members: try alternatives("a place such as FIELD_DEFINITION"), place: place)
    }

    // Older schemas part interfaces by blanks, newer ones by `&`.
    private mutating func interfaces() throws(SchemaError) -> [String] {
        _ = try takes("&")
        var names = [try name("the name of an interface")]
        while true {
            if try takes("&") {
                names.append(try name("the name of an interface"))
            } else if case .name(let name) = token.kind {
                names.append(name)
                try take()
            } else {
                return names
            }
        }
    }

    private mutating func alternatives(_ expected: String) throws(SchemaError) -> [String] {
        _ = try takes("|")
        var names = [try name(expected)]
        while try takes("|") { names.append(try name(expected)) }
        return names
    }

    private mutating func enumValues() throws(SchemaError) -> [String] {
        var names: [String] = []
        guard try takes("{") else { return names }
        while !isMark("}") {
            try skipDescription()
            names.append(try name("a value of the enum, or '}'"))
            _ = try directives()
        }
        try take()
        return names
    }
}
