/// A declaration outside function bodies, as the tidy rules see it.
struct Declaration {
    /// The keyword: `func`, `var`, `struct`, …
    var keyword: String
    /// The name; of an operator, its characters.
    var name: String
    /// The modifiers before the keyword.
    var modifiers: Set<String>
    /// Line of the first attribute or modifier, of the keyword, and the last line, all from 0.
    var first: Int
    var keywordLine: Int
    var last: Int
    /// Whether braces with code belong to it.
    var hasBody: Bool
    /// How many parameters it takes.
    var parameters: Int
    /// Whether it, or a type around it, is private.
    var isPrivate: Bool
    /// Which type it is in, as a number; declarations side by side have the same.
    var scope: Int
}

/// Finds the declarations of a file without a compiler: by tokens, balanced brackets, and the rule
/// that a declaration that follows another begins a line.
struct DeclarationScanner {
    private let tokens: [Token]
    private var index = 0
    private var scopes = 0
    private(set) var declarations: [Declaration] = []
    /// Line and parameter count of each function inside a body.
    private(set) var localFunctions: [(line: Int, name: String, parameters: Int)] = []

    private static let types: Set<String> = [
        "struct", "enum", "class", "actor", "protocol", "extension",
    ]
    private static let functions: Set<String> = ["func", "init", "subscript", "deinit"]
    private static let others: Set<String> = [
        "var", "let", "case", "typealias", "associatedtype", "import", "operator",
        "precedencegroup",
    ]
    private static let modifiers: Set<String> = [
        "public", "open", "package", "internal", "fileprivate", "private", "static", "final",
        "lazy", "weak", "unowned", "mutating", "nonmutating", "override", "required",
        "convenience", "dynamic", "indirect", "nonisolated", "isolated", "distributed",
        "borrowing", "consuming", "prefix", "postfix", "infix",
    ]

    /// All declarations of a file.
    init(_ source: SwiftSource) {
        tokens = Token.all(in: source.code)
        members(keyword: "file", isPrivate: false)
    }

    private var token: Token? { index < tokens.count ? tokens[index] : nil }

    /// Whether a token begins a declaration, provided that it stands where one may.
    private func startsDeclaration(_ token: Token) -> Bool {
        token.text == "@" || token.text == "#" || Self.types.contains(token.text)
            || Self.functions.contains(token.text) || Self.others.contains(token.text)
            || Self.modifiers.contains(token.text)
    }

    /// Reads the members of a type, up to and with its closing brace.
    private mutating func members(keyword: String, isPrivate: Bool) {
        scopes += 1
        let scope = scopes
        while let token {
            if token.text == "}" {
                index += 1
                if keyword != "file" { return }
            } else if token.text == "#" {
                let line = token.line
                while self.token?.line == line { index += 1 }
            } else if startsDeclaration(token) {
                declaration(in: keyword, scope: scope, isPrivate: isPrivate)
            } else {
                skipBalanced()
            }
        }
    }

    private mutating func declaration(in outer: String, scope: Int, isPrivate: Bool) {
        let first = tokens[index].line
        var modifiers: Set<String> = []
        while let token, token.text == "@" || isModifier(token) {
            if token.text == "@" {
                index += 2
                // An attribute's arguments follow without a space, on the same line.
                if self.token?.text == "(", self.token?.touchesPrevious == true { skipBalanced() }
                continue
            }
            index += 1
            if self.token?.text == "(", self.token?.touchesPrevious == true {
                skipBalanced()
            } else {
                modifiers.insert(token.text)
            }
        }
        guard let keyword = token else { return }
        index += 1
        var found = Declaration(
            keyword: keyword.text, name: token?.text ?? "", modifiers: modifiers, first: first,
            keywordLine: keyword.line, last: keyword.line, hasBody: false, parameters: 0,
            isPrivate: isPrivate || !modifiers.isDisjoint(with: ["private", "fileprivate"]),
            scope: scope)
        if Self.types.contains(keyword.text) {
            let place = declarations.count
            declarations.append(found)
            while let token, token.text != "{" { _ = token; skipBalanced() }
            index += 1
            members(keyword: keyword.text, isPrivate: found.isPrivate)
            declarations[place].last = tokens[index - 1].line
            return
        }
        if Self.functions.contains(keyword.text) {
            found.name = keyword.text == "func" ? functionName() : keyword.text
            if keyword.text != "deinit" { found.parameters = parameters() }
        }
        finish(&found, needsBody: Self.functions.contains(keyword.text) && outer != "protocol")
        declarations.append(found)
    }

    private func isModifier(_ token: Token) -> Bool {
        guard token.text == "class" else { return Self.modifiers.contains(token.text) }
        let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
        return ["func", "var", "let", "subscript"].contains(next) || Self.modifiers.contains(next)
    }

    /// Reads on to the end of a declaration and notes whether a body was among it.
    private mutating func finish(_ found: inout Declaration, needsBody: Bool) {
        while let token, token.text != "}", token.text != ";" {
            let mayEnd = !needsBody || found.hasBody
            if mayEnd, token.isFirstOnLine, startsDeclaration(token) { break }
            let start = index
            let isBody = token.text == "{"
            skipBalanced()
            if isBody {
                found.hasBody = true
                noteLocalFunctions(start..<index)
            }
            found.last = tokens[index - 1].line
            if isBody, needsBody { break }
        }
    }

    private mutating func noteLocalFunctions(_ range: Range<Int>) {
        let end = index
        for place in range where tokens[place].text == "func" {
            index = place + 1
            let name = functionName()
            localFunctions.append((tokens[place].line, name, parameters()))
        }
        index = end
    }

    /// The name after `func`: a word, or an operator's characters.
    private func functionName() -> String {
        guard let token, !token.isWord else { return token?.text ?? "" }
        var name = ""
        var place = index
        while place < tokens.count, tokens[place].text != "(" {
            guard place == index || tokens[place].touchesPrevious else { break }
            name += tokens[place].text
            place += 1
        }
        return name
    }

    /// Counts the parameters of the next parameter list and reads past it. Each has one colon, and
    /// colons in types and default values stand inside brackets of their own.
    private mutating func parameters() -> Int {
        while let token, token.text != "(" { _ = token; index += 1 }
        let start = index
        skipBalanced()
        var depth = 0
        var count = 0
        for token in tokens[start..<index] {
            if token.opens { depth += 1 }
            if token.closes { depth -= 1 }
            if token.text == ":", depth == 1 { count += 1 }
        }
        return count
    }

    /// Reads past one token, or past a whole bracket when it opens one.
    private mutating func skipBalanced() {
        var depth = 0
        while let token {
            if token.opens { depth += 1 }
            if token.closes { depth -= 1 }
            index += 1
            if depth <= 0 { return }
        }
    }
}

/// A word, or one character of punctuation.
struct Token {
    /// The characters.
    let text: String
    /// The line, from 0.
    let line: Int
    /// Whether nothing but blanks stand before it.
    let isFirstOnLine: Bool
    /// Whether no blank stands between it and the token before.
    let touchesPrevious: Bool
    /// Whether it is an identifier, a keyword or a number.
    let isWord: Bool

    /// Whether it opens a bracket.
    var opens: Bool { text == "(" || text == "[" || text == "{" }
    /// Whether it closes one.
    var closes: Bool { text == ")" || text == "]" || text == "}" }

    /// The tokens of lines from which comments and strings were taken out.
    static func all(in lines: [[UInt8]]) -> [Token] {
        var tokens: [Token] = []
        for (number, line) in lines.enumerated() {
            var index = 0
            var end = -1
            while index < line.count {
                let start = index
                guard line[index] != 0x20, line[index] != 0x09 else {
                    index += 1
                    continue
                }
                let word = isWordByte(line[index])
                index += 1
                while word, index < line.count, isWordByte(line[index]) { index += 1 }
                tokens.append(
                    Token(
                        text: String(decoding: line[start..<index], as: UTF8.self), line: number,
                        isFirstOnLine: end < 0, touchesPrevious: end == start, isWord: word))
                end = index
            }
        }
        return tokens
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}
