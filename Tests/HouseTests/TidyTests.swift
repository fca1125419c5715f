import Testing

/// The tidy rules, held against every file of the project.
struct TidyTests {
    @Test("Every source file keeps the caps and explains itself", .timeLimit(.minutes(5)))
    func sources() throws {
        let paths = Repository.files(below: "Sources", extensions: ["swift"])
        try #require(paths.count > 10, "the sources were not found from \(Repository.root)")
        try expectTidy(paths, rules: .sources)
    }

    @Test("Every test file keeps the caps", .timeLimit(.minutes(5)))
    func tests() throws {
        let paths = Repository.files(below: "Tests", extensions: ["swift"])
        try #require(paths.contains("Tests/HouseTests/TidyTests.swift"))
        try expectTidy(paths, rules: .tests)
    }

    @Test("Sources and pages use the words of the vocabulary")
    func vocabulary() throws {
        let paths = Repository.files(below: "Sources", extensions: ["swift"])
        var breaches: [String] = []
        for path in try paths + Repository.pages() {
            breaches += Vocabulary.breaches(path: path, text: try Repository.text(path))
        }
        expectNone(breaches)
    }

    private func expectTidy(_ paths: [String], rules: TidyRules) throws {
        var rules = rules
        let files = try paths.map { path in
            let source = SwiftSource(path: path, text: try Repository.text(path))
            return (source: source, scanner: DeclarationScanner(source))
        }
        for file in files { rules.contracts.add(file.scanner.declarations) }
        expectNone(files.flatMap { rules.breaches(in: $0.source, $0.scanner) })
    }
}
