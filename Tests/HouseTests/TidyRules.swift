/// What the project asks of every Swift file; each rule gives one line per breach.
struct TidyRules {
    /// The most lines of a file.
    let fileLines: Int
    /// Whether declarations above `private` need a documentation comment.
    let needsDocumentation: Bool

    /// The caps of code and of tests.
    static let sources = TidyRules(fileLines: 400, needsDocumentation: true)
    static let tests = TidyRules(fileLines: 500, needsDocumentation: false)

    static let functionLines = 60
    static let columns = 100
    static let parameters = 5

    /// All breaches in one file, each as `path:line: what is wrong`.
    func breaches(in source: SwiftSource) -> [String] {
        let scanner = DeclarationScanner(source)
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

    /// Members that keep the contract of a protocol documented elsewhere.
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
            if declaration.isPrivate || Self.isConformance(declaration) { continue }
            breaches.append(
                "\(source.path):\(declaration.keywordLine + 1): \(declaration.keyword) "
                    + "'\(declaration.name)' has no documentation comment")
        }
        return breaches
    }

    private static func isConformance(_ declaration: Declaration) -> Bool {
        declaration.modifiers.contains("override") || conformances.contains(declaration.name)
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

/// Words with a neighbour in the vocabulary; one meaning has one word.
enum Vocabulary {
    /// A word that is not used, and the one that is.
    static let synonyms: [(banned: String, right: String)] = [
        ("trash", "quarantine"), ("trashed", "quarantined"), ("recycle", "quarantine"),
        ("garbage", "orphan"), ("zombie", "orphan"), ("stray", "orphan"),
        ("leaked file", "orphan"), ("unreferenced file", "orphan"),
        ("broken link", "dangling reference"), ("broken reference", "dangling reference"),
        ("soft delete", "tombstone"), ("soft-delete", "tombstone"), ("purge", "sweep"),
        ("dry-run", "dry run"), ("whitelist", "allow list"), ("blacklist", "deny list"),
    ]

    /// Breaches in any text, by line.
    static func breaches(path: String, lines: [Substring]) -> [String] {
        var breaches: [String] = []
        for (number, line) in lines.enumerated() {
            let words = Token.all(in: [Array(line.lowercased().utf8)])
            guard !words.isEmpty else { continue }
            let prose =
                " "
                + words.filter { $0.isWord || $0.text == "-" }
                .map { $0.text == "-" ? "-" : " \($0.text) " }.joined() + " "
            for (banned, right) in synonyms where prose.contains(spaced(banned)) {
                breaches.append("\(path):\(number + 1): say '\(right)', not '\(banned)'")
            }
        }
        return breaches
    }

    /// The form in which `breaches` compares: each word between blanks.
    private static func spaced(_ phrase: String) -> String {
        Token.all(in: [Array(phrase.utf8)])
            .map { $0.text == "-" ? "-" : " \($0.text) " }.joined()
    }
}
