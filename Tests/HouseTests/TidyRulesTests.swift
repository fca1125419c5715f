import Testing

/// Each tidy rule turned red by a snippet, and each excuse kept green by one.
struct TidyRulesTests {
    private func breaches(_ text: String, path: String = "Sources/A/A.swift") -> [String] {
        let source = SwiftSource(path: path, text: text)
        let scanner = DeclarationScanner(source)
        var rules = TidyRules.sources
        rules.contracts.add(scanner.declarations)
        return rules.breaches(in: source, scanner)
    }

    private func filler(_ count: Int) -> String {
        Array(repeating: "    print()", count: count).joined(separator: "\n")
    }

    @Test("A file over 400 lines is named with its length")
    func fileSize() {
        let lines = Array(repeating: "// line", count: 400).joined(separator: "\n") + "\n"
        #expect(breaches(lines).isEmpty)
        #expect(breaches(lines + "// one more\n").first?.contains("401 lines") == true)
    }

    @Test("A function over 60 lines is named, whatever kind of body it is")
    func functionLength() {
        for head in ["func f()", "init()", "var f: Int", "subscript(i: Int) -> Int"] {
            let fits = "/// A.\nstruct S {\n/// F.\n\(head) {\n\(filler(58))\n}\n}"
            #expect(breaches(fits).isEmpty, "\(head)")
            let tooLong = "/// A.\nstruct S {\n/// F.\n\(head) {\n\(filler(59))\n}\n}"
            #expect(breaches(tooLong).count == 1, "\(head)")
        }
    }

    @Test("Braces in strings, comments and interpolations do not mislead the scanner")
    func braces() {
        let text = ##"""
            /// A.
            struct S {
                /// F.
                func f() -> String {
                    let a = "} \(map { "{" }) \" }"  // }
                    let b = #"}\"#
                    let c = """
                        } " }
                        """
                    /* } /* } */ } */
                    return a + b + c
                }

                func g() {}
            }
            """##
        #expect(breaches(text) == ["Sources/A/A.swift:14: func 'g' has no documentation comment"])
    }

    @Test("A line over 100 columns is named; characters count, not bytes")
    func lineLength() {
        let hundred = "// " + String(repeating: "é", count: 97)
        #expect(breaches(hundred).isEmpty)
        #expect(breaches(hundred + "é").count == 1)
    }

    @Test("A sixth parameter is too many, also in a local function, but not in an initialiser")
    func parameterCount() {
        let five = "_ a: [Int: Int], b: (Int, Int) -> Void, c: Int = d([1: 2]), d: Int, e: Int"
        #expect(breaches("/// F.\nfunc f(\(five)) {}").isEmpty)
        #expect(breaches("/// F.\nfunc f(\(five), f: Int) {}").count == 1)
        #expect(breaches("/// F.\nfunc f() {\nfunc g(\(five), f: Int) {}\n}").count == 1)
        #expect(breaches("/// S.\nstruct S {\n/// I.\ninit(\(five), f: Int) {}\n}").isEmpty)
    }

    @Test(
        "Every declaration above private needs a documentation comment",
        arguments: [
            "func f() {}", "var v = 1", "let l = 1", "struct S {}", "enum E { case a }",
            "class C {}", "actor A {}", "protocol P {}", "typealias T = Int",
            "package static func f() {}", "@frozen package struct S {}",
        ])
    func documentation(declaration: String) {
        #expect(breaches(declaration).count == 1)
        #expect(breaches("// not a documentation comment\n" + declaration).count == 1)
        #expect(breaches("/// It is.\n" + declaration).isEmpty)
        #expect(breaches("/// It is.\n// swift-format-ignore\n" + declaration).isEmpty)
        let hidden = declaration.replacing("package ", with: "")
        #expect(breaches(hidden.replacing(/^(@frozen )?/) { "\($0.1 ?? "")private " }).isEmpty)
    }

    @Test("Members of documented types and protocols need comments of their own")
    func members() {
        #expect(breaches("/// P.\nprotocol P {\nfunc f()\nvar v: Int { get }\n}").count == 2)
        #expect(breaches("/// S.\nstruct S {\n    init() {}\n}").count == 1)
        #expect(breaches("extension S {\n    subscript(i: Int) -> Int { i }\n}").count == 1)
        #expect(breaches("/// S.\nstruct S {\n    private(set) var v = 1\n}").count == 1)
    }

    @Test("Private types, conformances, local declarations and cases are excused")
    func excuses() {
        #expect(breaches("private struct S {\n    var v = 1\n    init() {}\n}").isEmpty)
        #expect(breaches("private extension S {\n    func f() {}\n}").isEmpty)
        #expect(breaches("/// E.\nenum E {\n    case a, b(Int)\n    case c\n}").isEmpty)
        #expect(breaches("extension S {\nstatic func < (l: S, r: S) -> Bool { true }\n}").isEmpty)
        #expect(breaches("extension S {\n    var description: String { \"\" }\n}").isEmpty)
        #expect(breaches("/// F.\nfunc f() {\nlet a = 1\nstruct S { var b = a }\n}").isEmpty)
    }

    @Test("A member that fulfils a documented requirement is excused, and only in such a type")
    func contracts() {
        let contract = "/// P.\nprotocol P {\n/// F.\nfunc f()\n}\n"
        let body = "{\nfunc f() {}\n}"
        #expect(breaches(contract + "/// S.\nstruct S: P " + body).isEmpty)
        #expect(breaches(contract + "extension S: P {}\nextension S " + body).isEmpty)
        #expect(breaches(contract + "/// S.\nstruct S " + body).count == 1)
    }

    @Test("A property shares the comment of the documented property right above it")
    func groups() {
        #expect(breaches("/// S.\nstruct S {\n/// A.\nvar a = 1\nvar b = 2\n}").isEmpty)
        #expect(breaches("/// S.\nstruct S {\n/// A.\nvar a = 1\n\nvar b = 2\n}").count == 1)
        #expect(breaches("/// S.\nstruct S {\n    var a = 1\n}").count == 1)
    }

    @Test("Work left over is named in comments, and a string may speak of it")
    func leftovers() {
        #expect(breaches("// TODO: later").count == 1)
        #expect(breaches("/* FIXME */").count == 1)
        #expect(breaches("/// V.\nlet v = \"TODO\"").isEmpty)
    }

    @Test(
        "An error dropped or a crash risked needs a reason at its line",
        arguments: ["try? f()", "f()!", "a[0]!.b", "x as! Int", "try! f()", "fatalError()"])
    func risks(expression: String) {
        let head = "/// V.\nfunc v() {\n"
        #expect(breaches(head + "    \(expression)\n}").count == 1)
        #expect(breaches(head + "    \(expression)  // It cannot fail.\n}").isEmpty)
        #expect(breaches(head + "    // It cannot fail.\n    \(expression)\n}").isEmpty)
    }

    @Test("Negation, inequality and optional chaining are not force unwraps")
    func noRisks() {
        let lines = ["if !a || !(b) { }", "if a != b { }", "a?.b", "let c: Int? = nil", "a!=b"]
        for line in lines { #expect(breaches("/// F.\nfunc f() {\n\(line)\n}").isEmpty, "\(line)") }
    }

    @Test("A file is named after what it holds")
    func fileNames() {
        #expect(breaches("", path: "Sources/A/StringUtils.swift").count == 1)
        #expect(breaches("", path: "Sources/A/PathHelpers.swift").count == 1)
        #expect(breaches("", path: "Sources/A/Path.swift").isEmpty)
    }

    @Test("A synonym is named with the right word, in any case, and only as whole words")
    func vocabulary() {
        func found(_ line: String) -> [String] {
            Vocabulary.breaches(path: "a.md", text: line)
        }
        #expect(found("Move it to the Trash.") == ["a.md:1: say 'quarantine', not 'trash'"])
        #expect(found("a dry-run").count == 1)
        #expect(found("a soft delete").count == 1)
        #expect(found("a dry run of trashcans").isEmpty)
    }
}
