import Foundation

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
    /// Which braces it is in, as a number; declarations side by side have the same.
    var scope: Int
    /// The keyword and the name of the type it is in; `file` and nothing outside of types.
    var outerKeyword: String
    var outerName: String
    /// Of a type or an extension, the names after the colon.
    var inherited: Set<String> = []
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
        members(of: Outer(keyword: "file", name: "", isPrivate: false))
    }

    private var token: Token? { index < tokens.count ? tokens[index] : nil }

    /// Whether a token begins a declaration, provided that it stands where one may.
    private func startsDeclaration(_ token: Token) -> Bool {
        token.text == "@" || token.text == "#" || Self.types.contains(token.text)
            || Self.functions.contains(token.text) || Self.others.contains(token.text)
            || Self.modifiers.contains(token.text)
    }

    /// What a declaration stands in.
    private struct Outer {
        let keyword: String
        let name: String
        let isPrivate: Bool
    }

    /// Reads the members of a type, up to and with its closing brace.
    private mutating func members(of outer: Outer) {
        scopes += 1
        let scope = scopes
        while let token {
            if token.text == "}" {
                index += 1
                if outer.keyword != "file" { return }
            } else if token.text == "#" {
                let line = token.line
                while self.token?.line == line { index += 1 }
            } else if startsDeclaration(token) {
                declaration(in: outer, scope: scope)
            } else {
                skipBalanced()
            }
        }
    }

    private mutating func declaration(in outer: Outer, scope: Int) {
        let first = tokens[index].line
        let modifiers = modifiers()
        guard let keyword = token else { return }
        index += 1
        let hides = !modifiers.isDisjoint(with: ["private", "fileprivate"])
        var found = Declaration(
            keyword: keyword.text, name: token?.text ?? "", modifiers: modifiers, first: first,
            keywordLine: keyword.line, last: keyword.line, hasBody: false, parameters: 0,
            isPrivate: outer.isPrivate || hides, scope: scope, outerKeyword: outer.keyword,
            outerName: outer.name)
        if Self.types.contains(keyword.text) {
            type(&found)
            return
        }
        let isFunction = Self.functions.contains(keyword.text)
        if isFunction {
            found.name = keyword.text == "func" ? functionName() : keyword.text
            if keyword.text != "deinit" { found.parameters = parameters() }
        }
        finish(&found, needsBody: isFunction && outer.keyword != "protocol")
        declarations.append(found)
    }

    /// Reads attributes and modifiers. Arguments of either follow without a space, and
    /// `private(set)` says nothing about reading.
    private mutating func modifiers() -> Set<String> {
        var modifiers: Set<String> = []
        while let token, token.text == "@" || isModifier(token) {
            index += token.text == "@" ? 2 : 1
            if self.token?.text == "(", self.token?.touchesPrevious == true {
                skipBalanced()
            } else if token.text != "@" {
                modifiers.insert(token.text)
            }
        }
        return modifiers
    }

    /// Reads a type from its name to the end of its members.
    private mutating func type(_ found: inout Declaration) {
        let place = declarations.count
        var isAfterColon = false
        while let token, token.text != "{" {
            if token.text == ":" { isAfterColon = true }
            if isAfterColon, token.isWord { found.inherited.insert(token.text) }
            skipBalanced()
        }
        index += 1
        declarations.append(found)
        members(
            of: Outer(keyword: found.keyword, name: found.name, isPrivate: found.isPrivate))
        declarations[place].last = tokens[index - 1].line
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
            // The C library, which keeps this fast in a debug build, needs the NUL at the end.
            let terminated = line + [0]
            var index = 0
            var end = -1
            while index < line.count {
                let start = index
                guard line[index] != 0x20, line[index] != 0x09 else {
                    index += 1
                    continue
                }
                let length = wordLength(in: terminated, from: index)
                let word = length > 0
                index += max(1, length)
                tokens.append(
                    Token(
                        text: String(decoding: line[start..<index], as: UTF8.self), line: number,
                        isFirstOnLine: end < 0, touchesPrevious: end == start, isWord: word))
                end = index
            }
        }
        return tokens
    }

    /// Every character of a word: letters, digits, a few signs, and all bytes above ASCII.
    private static let wordCharacters: [CChar] = {
        let signs = Array("_`$".utf8) + Array(0x80...0xFF)
        let ascii = (0..<0x80).filter { isalnum(Int32($0)) != 0 }.map { UInt8($0) }
        return (ascii + signs).map { CChar(bitPattern: $0) } + [0]
    }()

    /// How many bytes from a place on are one word; 0 when none is.
    private static func wordLength(in line: [UInt8], from index: Int) -> Int {
        line.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return strspn((base + index).assumingMemoryBound(to: CChar.self), wordCharacters)
        }
    }
}
