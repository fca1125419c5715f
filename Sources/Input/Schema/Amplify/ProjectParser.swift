/// Reads JSON, the JSON in a Dart string, or the first object of a script, with places.
struct ProjectParser {
    /// How a text holds its value.
    enum Form {
        /// It is the value.
        case json
        /// The value is assigned or exported somewhere in JavaScript.
        case script
        /// The value is JSON in a Dart string of three quotes.
        case dart
    }

    /// The largest text that is read, in bytes.
    static let sizeLimit = 4 << 20
    /// The deepest nesting of lists and objects that is read.
    static let depthLimit = 64

    // What stands for itself after a backslash.
    private static let plainEscapes = Set("'\"`\\/".utf8)

    private var lexer: SchemaLexer
    private let isScript: Bool
    private var depth = 0

    /// Reads a text; throws the first thing that is wrong, with its place.
    static func parse(
        _ bytes: [UInt8], file: String, form: Form
    ) throws(SchemaError) -> ProjectNode {
        try SchemaDocument.checkEncoding(bytes, file: file)
        let text = form == .dart ? DartString.content(of: bytes) : bytes
        guard let text else {
            throw SchemaError(
                file: file, place: SchemaPlace(line: 1, column: 1),
                message: "found no string in three quotes, in which Flutter keeps the JSON")
        }
        var parser = ProjectParser(text, file: file, isScript: form == .script)
        return try parser.document()
    }

    private init(_ bytes: [UInt8], file: String, isScript: Bool) {
        lexer = SchemaLexer(bytes, file: file)
        self.isScript = isScript
    }

    private mutating func document() throws(SchemaError) -> ProjectNode {
        if isScript { try skipToObject() } else { skipBlanks() }
        let node = try value()
        skipBlanks()
        if !isScript, lexer.current != nil { throw unexpected("the end of the file") }
        return node
    }

    // MARK: Values

    private mutating func value() throws(SchemaError) -> ProjectNode {
        let place = lexer.place
        guard depth < Self.depthLimit else {
            throw lexer.error(
                at: place, "found brackets over \(Self.depthLimit) levels deep")
        }
        depth += 1
        defer { depth -= 1 }
        var kind = try plainValue()
        if isScript {
            skipBlanks()
            if let byte = lexer.current, !",}];)".utf8.contains(byte), depth > 1 {
                try skipExpression()
                kind = .expression
            }
        }
        return ProjectNode(kind: kind, place: place)
    }

    private mutating func plainValue() throws(SchemaError) -> ProjectNode.Kind {
        switch lexer.current {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .list(try elements())
        case UInt8(ascii: "\""): return .text(try lexer.string())
        case UInt8(ascii: "'") where isScript, UInt8(ascii: "`") where isScript:
            return try quoted().map { .text($0) } ?? .expression
        default: return try word()
        }
    }

    private mutating func word() throws(SchemaError) -> ProjectNode.Kind {
        let start = lexer
        if let byte = lexer.current, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
            switch try lexer.next().kind {
            case .integer(let text), .decimal(let text): return .number(text)
            default: break
            }
        } else if let byte = lexer.current, (0x61...0x7A).contains(byte) {
            switch try lexer.next().kind {
            case .name("true"): return .boolean(true)
            case .name("false"): return .boolean(false)
            case .name("null"): return .null
            default: break
            }
        }
        lexer = start
        guard isScript, let byte = lexer.current, !",}]".utf8.contains(byte) else {
            throw unexpected("a value")
        }
        try skipExpression()
        return .expression
    }

    private mutating func members() throws(SchemaError) -> [ProjectNode.Member] {
        var members: [ProjectNode.Member] = []
        try list(until: UInt8(ascii: "}")) { parser throws(SchemaError) in
            let place = parser.lexer.place
            guard let name = try parser.name() else { return }
            parser.skipBlanks()
            guard parser.lexer.current == UInt8(ascii: ":") else {
                throw parser.unexpected("':' after the name")
            }
            parser.lexer.advance()
            parser.skipBlanks()
            members.append(
                ProjectNode.Member(name: name, place: place, value: try parser.value()))
        }
        return members
    }

    // A member's name; nil after something of JavaScript that is no plain member.
    private mutating func name() throws(SchemaError) -> String? {
        if lexer.current == UInt8(ascii: "\"") { return try lexer.string() }
        guard isScript else { throw unexpected("a name in quotes, or '}'") }
        if lexer.current == UInt8(ascii: "'") { return try quoted() ?? "" }
        if let byte = lexer.current, byte.isLetter || byte == UInt8(ascii: "_") {
            let start = lexer
            if case .name(let name) = try lexer.next().kind {
                skipBlanks()
                if lexer.current == UInt8(ascii: ":") { return name }
            }
            lexer = start
        }
        try skipExpression()
        return nil
    }

    private mutating func elements() throws(SchemaError) -> [ProjectNode] {
        var elements: [ProjectNode] = []
        try list(until: UInt8(ascii: "]")) { parser throws(SchemaError) in
            elements.append(try parser.value())
        }
        return elements
    }

    private mutating func list(
        until end: UInt8, _ entry: (inout ProjectParser) throws(SchemaError) -> Void
    ) throws(SchemaError) {
        lexer.advance()
        skipBlanks()
        while lexer.current != end {
            try entry(&self)
            skipBlanks()
            if lexer.current == end { break }
            guard lexer.current == UInt8(ascii: ",") else {
                throw unexpected("',' or '\(Character(Unicode.Scalar(end)))'")
            }
            lexer.advance()
            skipBlanks()
            if lexer.current == end, !isScript {
                throw unexpected("another entry after the ','")
            }
        }
        lexer.advance()
    }

    // MARK: Text

    private func unexpected(_ expected: String) -> SchemaError {
        let found =
            lexer.current.map { byte in
                (0x21...0x7E).contains(byte)
                    ? "'\(Character(Unicode.Scalar(byte)))'" : "a character"
            } ?? "the end of the file"
        return lexer.error(at: lexer.place, "found \(found), expected \(expected)")
    }

    private mutating func skipBlanks() {
        while let byte = lexer.current {
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                lexer.advance()
            } else if isScript, lexer.goesOn(with: Array("//".utf8)) {
                while let byte = lexer.current, byte != 0x0A { lexer.advance() }
            } else if isScript, lexer.goesOn(with: Array("/*".utf8)) {
                lexer.advance(2)
                while lexer.current != nil, !lexer.goesOn(with: Array("*/".utf8)) {
                    lexer.advance()
                }
                if lexer.current != nil { lexer.advance(2) }
            } else {
                return
            }
        }
    }

    // A string of JavaScript in other quotes; nil for one that puts values in.
    private mutating func quoted() throws(SchemaError) -> String? {
        let start = lexer.place
        let quote = lexer.current
        lexer.advance()
        var text: [UInt8] = []
        var isPlain = true
        while let byte = lexer.current {
            lexer.advance()
            if byte == quote {
                return isPlain ? String(decoding: text, as: UTF8.self) : nil
            }
            if quote != UInt8(ascii: "`"), byte == 0x0A { break }
            if byte == UInt8(ascii: "$"), lexer.current == UInt8(ascii: "{") { isPlain = false }
            guard byte == UInt8(ascii: "\\"), let next = lexer.current else {
                text.append(byte)
                continue
            }
            // What an escape stands for is not needed: no name that is read holds one.
            isPlain = isPlain && Self.plainEscapes.contains(next)
            text.append(next)
            lexer.advance()
        }
        throw lexer.error(at: start, "found a string without an end")
    }

    // To the comma or bracket that ends an expression, over brackets and strings inside it.
    private mutating func skipExpression() throws(SchemaError) {
        let start = lexer.place
        var open = 0
        while let byte = lexer.current {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"): if open == 0 { return }
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
                if open == 0 { return }
                open -= 1
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): open += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                _ = try quoted()
                continue
            default: break
            }
            let before = lexer.place
            skipBlanks()
            if lexer.place == before { lexer.advance() }
        }
        throw lexer.error(at: start, "found an expression without an end")
    }

    // The object that is assigned, exported, or given to a function.
    private mutating func skipToObject() throws(SchemaError) {
        var isValue = false
        while true {
            skipBlanks()
            guard let byte = lexer.current else { throw unexpected("an object such as {…}") }
            switch byte {
            case UInt8(ascii: "{"):
                if isValue { return }
                lexer.advance()
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
                _ = try quoted()
                isValue = false
            case UInt8(ascii: "="):
                lexer.advance()
                isValue = true
            case _ where byte.isLetter:
                isValue = try lexer.next().kind == .name("default")
            default:
                lexer.advance()
                isValue = false
            }
        }
    }
}

/// A Dart file's string in three quotes.
enum DartString {
    /// The file with everything outside the string made blank, so that places stay; nil without
    /// such a string.
    static func content(of bytes: [UInt8]) -> [UInt8]? {
        let quotes = ["'''", "\"\"\""].map { Array($0.utf8) }
        guard
            let start = bytes.indices.first(where: { index in
                quotes.contains { bytes[index...].starts(with: $0) }
            })
        else { return nil }
        let quote = Array(bytes[start..<start + 3])
        let first = start + 3
        guard let end = bytes.indices[first...].first(where: { bytes[$0...].starts(with: quote) })
        else { return nil }
        let isRaw = start > 0 && bytes[start - 1] == UInt8(ascii: "r")
        var text = bytes[..<first].map { $0 == 0x0A ? $0 : 0x20 }
        var index = first
        while index < end {
            let isEscape =
                !isRaw && bytes[index] == UInt8(ascii: "\\")
                && bytes[index + 1] == UInt8(ascii: "$")
            if isEscape { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        return text
    }
}

extension UInt8 {
    /// Whether it is a letter of ASCII.
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
