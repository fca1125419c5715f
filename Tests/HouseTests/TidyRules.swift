/// What the project asks of every Swift file; each rule gives one line per breach.
struct TidyRules {
    /// The most lines of a file.
    let fileLines: Int
    /// Whether declarations above `private` need a documentation comment.
    let needsDocumentation: Bool
    /// The protocols of the project, whose comments serve the members that conform.
    var contracts = Contracts()

    /// The caps of code and of tests.
    static let sources = TidyRules(fileLines: 400, needsDocumentation: true)
    static let tests = TidyRules(fileLines: 500, needsDocumentation: false)

    static let functionLines = 60
    static let columns = 100
    static let parameters = 5

    /// All breaches in one file, each as `path:line: what is wrong`.
    func breaches(in source: SwiftSource, _ scanner: DeclarationScanner) -> [String] {
        var breaches = fileSize(source) + lineLengths(source) + leftovers(source)
        breaches += functionLengths(source, scanner) + parameterCounts(source, scanner)
        breaches += unexplained(source) + fileName(source)
        if needsDocumentation { breaches += undocumented(source, scanner.declarations) }
        return breaches
    }

    private func fileSize(_ source: SwiftSource) -> [String] {
        let count = source.lines.count - (source.lines.last?.isEmpty == true ? 1 : 0)
        guard count > fileLines else { return [] }
        return ["\(source.path):\(count): file of \(count) lines, at most \(fileLines); split it"]
    }

    private func lineLengths(_ source: SwiftSource) -> [String] {
        source.lines.enumerated().compactMap { number, line in
            guard line.utf8.count > Self.columns, line.count > Self.columns else { return nil }
            return "\(source.path):\(number + 1): \(line.count) columns, at most \(Self.columns)"
        }
    }

    private func fileName(_ source: SwiftSource) -> [String] {
        let name = source.path.split(separator: "/").last ?? ""
        guard name.contains("Utils") || name.contains("Helpers") else { return [] }
        return ["\(source.path):1: a file is named after what it holds, not Utils or Helpers"]
    }

    private func leftovers(_ source: SwiftSource) -> [String] {
        source.comments.enumerated().compactMap { number, line in
            guard line.contains(where: { $0 != 0x20 }) else { return nil }
            let words = Token.all(in: [line]).map(\.text)
            guard let mark = words.first(where: { ["TODO", "FIXME", "XXX"].contains($0) }) else {
                return nil
            }
            return "\(source.path):\(number + 1): \(mark) left in; do it or open an issue"
        }
    }

    private func functionLengths(
        _ source: SwiftSource, _ scanner: DeclarationScanner
    ) -> [String] {
        scanner.declarations.compactMap { declaration in
            let length = declaration.last - declaration.keywordLine + 1
            guard declaration.hasBody, length > Self.functionLines else { return nil }
            return "\(source.path):\(declaration.keywordLine + 1): '\(declaration.name)' is "
                + "\(length) lines long, at most \(Self.functionLines)"
        }
    }

    private func parameterCounts(
        _ source: SwiftSource, _ scanner: DeclarationScanner
    ) -> [String] {
        let members = scanner.declarations.filter { $0.keyword != "init" }
            .map { (line: $0.keywordLine, name: $0.name, parameters: $0.parameters) }
        return (members + scanner.localFunctions).compactMap { function in
            guard function.parameters > Self.parameters else { return nil }
            return "\(source.path):\(function.line + 1): '\(function.name)' takes "
                + "\(function.parameters) parameters, at most \(Self.parameters)"
        }
    }

    /// Where an error is dropped or a crash is possible, a comment on the line or above says why.
    private func unexplained(_ source: SwiftSource) -> [String] {
        var breaches: [String] = []
        for (number, line) in source.code.enumerated() {
            guard let risk = Self.risk(in: line) else { continue }
            let isExplained = source.hasComment(at: number) || source.hasComment(at: number - 1)
            if isExplained { continue }
            breaches.append("\(source.path):\(number + 1): \(risk) without a comment that says why")
        }
        return breaches
    }

    private static func risk(in line: [UInt8]) -> String? {
        // Most lines hold none of these characters, and this test is all they cost.
        guard
            line.contains(where: { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "?") })
                || line.count > 10 && String(decoding: line, as: UTF8.self).contains("fatalError")
        else { return nil }
        let tokens = Token.all(in: [line])
        for (index, token) in tokens.enumerated() {
            if token.text == "fatalError" { return "fatalError" }
            guard token.touchesPrevious, index > 0 else { continue }
            let before = tokens[index - 1]
            if token.text == "?", before.text == "try" { return "try?" }
            guard token.text == "!", before.isWord || before.closes || "\"?!".contains(before.text)
            else { continue }
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if next?.text == "=", next?.touchesPrevious == true { continue }
            return "force unwrap"
        }
        return nil
    }

    /// Members that keep the contract of a protocol outside the project.
    private static let conformances: Set<String> = [
        "==", "<", "hash", "encode", "run", "validate", "next", "makeIterator",
        "makeAsyncIterator", "description", "debugDescription", "errorDescription",
    ]
    private static let excused: Set<String> = [
        "extension", "import", "case", "deinit", "operator", "precedencegroup",
    ]

    private func undocumented(
        _ source: SwiftSource, _ declarations: [Declaration]
    ) -> [String] {
        var breaches: [String] = []
        /// Last line of the latest documented property by scope: its neighbours share the comment.
        var groups: [Int: Int] = [:]
        for declaration in declarations where !Self.excused.contains(declaration.keyword) {
            let isProperty = ["var", "let"].contains(declaration.keyword)
            let isInGroup = isProperty && groups[declaration.scope] == declaration.first - 1
            if isDocumented(declaration, in: source) || isInGroup {
                if isProperty { groups[declaration.scope] = declaration.last }
                continue
            }
            if declaration.isPrivate || isConformance(declaration) { continue }
            breaches.append(
                "\(source.path):\(declaration.keywordLine + 1): \(declaration.keyword) "
                    + "'\(declaration.name)' has no documentation comment")
        }
        return breaches
    }

    private func isConformance(_ declaration: Declaration) -> Bool {
        declaration.modifiers.contains("override")
            || Self.conformances.contains(declaration.name) || contracts.cover(declaration)
            || declaration.name == "configuration" && declaration.modifiers.contains("static")
    }

    private func isDocumented(_ declaration: Declaration, in source: SwiftSource) -> Bool {
        var line = declaration.first - 1
        while source.isComment(at: line, slashes: "//") {
            if source.isComment(at: line, slashes: "///") { return true }
            line -= 1
        }
        return false
    }
}

/// The protocols that a set of files declares, and which types conform to them. A requirement is
/// documented once, at the protocol.
struct Contracts {
    private var requirements: [String: Set<String>] = [:]
    private var conformances: [String: Set<String>] = [:]

    /// Notes the protocols and types of one file.
    mutating func add(_ declarations: [Declaration]) {
        for declaration in declarations {
            if !declaration.inherited.isEmpty {
                conformances[declaration.name, default: []].formUnion(declaration.inherited)
            }
            if declaration.outerKeyword == "protocol" {
                requirements[declaration.outerName, default: []].insert(declaration.name)
            }
        }
    }

    /// Whether a member fulfils a requirement of a protocol to which its type conforms.
    func cover(_ member: Declaration) -> Bool {
        guard member.outerKeyword != "protocol" else { return false }
        return conformances[member.outerName, default: []].contains {
            requirements[$0, default: []].contains(member.name)
        }
    }
}
