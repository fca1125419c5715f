import Foundation
import Testing

/// What a reader of the pages relies on: links that lead somewhere, and nothing of the machine on
/// which a page was written.
struct DocumentationTests {
    @Test("Every relative link in the pages leads to a file")
    func links() throws {
        var breaches: [String] = []
        for page in try Repository.pages() {
            let folder = (page as NSString).deletingLastPathComponent
            for link in Self.links(in: try Repository.text(page)) {
                let path = (folder as NSString).appendingPathComponent(link)
                if !Repository.holds((path as NSString).standardizingPath) {
                    breaches.append("\(page): no such file: \(link)")
                }
            }
        }
        expectNone(breaches)
    }

    @Test("Every file and folder that the architecture's tables name is there")
    func architecture() throws {
        let files = Repository.files(below: "Sources", extensions: ["swift"])
        let names = Set(files.map { ($0 as NSString).lastPathComponent })
        var breaches: [String] = []
        for line in try Repository.text("Sources/ARCHITECTURE.md").split(separator: "\n")
        where line.hasPrefix("|") {
            for word in line.matches(of: /`([\w+.\/]+)`/).map({ String($0.1) }) {
                let isThere =
                    word.contains("/")
                    ? Repository.holds("Sources/\(word)") || Repository.holds(word)
                    : !word.hasSuffix(".swift") || names.contains(word)
                if !isThere { breaches.append(word) }
            }
        }
        expectNone(breaches)
    }

    @Test("Every option that a help text tells stands on a page")
    func options() throws {
        let pages = try Repository.pages().map(Repository.text).joined()
        let helps = Repository.files(below: "Tests/EndToEndTests/Golden", extensions: ["txt"])
            .filter { $0.contains("/help") }
        #expect(helps.count > 15)
        let options = try helps.flatMap { path in
            try Repository.text(path).matches(of: /(?m)^ +(?:-\w, )?(--[a-z-]+)/).map {
                String($0.1)
            }
        }
        #expect(options.count > 100)
        expectNone(Set(options).filter { !pages.contains($0) }.sorted())
    }

    @Test("The changelog tells of the version that the program says it is")
    func version() throws {
        let session = try Repository.text("Sources/Program/Commands/Session.swift")
        let found = try #require(session.firstMatch(of: /static let version = "([0-9.]+)"/))
        #expect(try Repository.text("CHANGELOG.md").contains("\n## [\(found.1)] - 20"))
    }

    @Test("No file names a place of the machine it was written on")
    func places() throws {
        var paths = try Repository.pages() + ["Makefile", ".ci/run", "Package.swift"]
        for folder in ["Sources", "Tests", "Cron", "Reports", "Examples", "Benchmarks"] {
            paths += Repository.files(
                below: folder,
                extensions: [
                    "swift", "md", "sh", "py", "yaml", "yml", "json", "html", "txt", "csv",
                    "crontab", "service", "timer", "logrotate", "Containerfile",
                ])
        }
        var breaches: [String] = []
        // What a benchmark generated is no part of the project, and may be gigabytes.
        let own = Set(paths).filter { !$0.contains("/data") }
        for path in own.sorted() where Repository.holds(path) {
            let lines = try Repository.text(path).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where Self.namesThisMachine(line) {
                breaches.append("\(path):\(number + 1): \(line)")
            }
        }
        expectNone(breaches)
    }

    @Test("Links are read from text and not from code, without titles, anchors and addresses")
    func parsing() {
        let text = """
            [a](A.md) and ![b](b/c.png "title") and [c](#anchor) and [d](D.md#part)
            [e](https://example.org/x.md) and `[f](F.md)`
            ```
            [g](G.md)
            ```
            [h]: H.md
            """
        #expect(Self.links(in: text) == ["A.md", "b/c.png", "D.md", "H.md"])
    }

    @Test("Machine-specific places are told from ordinary words")
    func machinePlaces() {
        let home = "/" + "home/someone/x"
        let place = "/" + "work/x"
        #expect(Self.namesThisMachine("see \(home)"))
        #expect(Self.namesThisMachine("cd \(place)"))
        #expect(!Self.namesThisMachine("a\(place) and homework, /home/"))
    }

    /// The relative targets of a page's links, in order.
    private static func links(in text: String) -> [String] {
        var found: [String] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            if isCode { continue }
            let plain = line.replacing(/`[^`]*`/, with: "")
            found += plain.matches(of: /\]\(([^)\s]+)[^)]*\)/).map { String($0.1) }
            found += plain.matches(of: /^\[[^\]]+\]:\s+(\S+)/).map { String($0.1) }
        }
        return found.compactMap { link in
            guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
            let path = link.prefix { $0 != "#" }
            return path.isEmpty ? nil : path.removingPercentEncoding
        }
    }

    private static func namesThisMachine(_ line: Substring) -> Bool {
        // Most lines hold none of these words, and the regular expression is slow.
        guard ["work/", "home/", "root/", "Users/", "jobs"].contains(where: line.contains)
        else { return false }
        return line.contains(/(^|[^\w.}\/)-])\/(work|home|root|Users)\/\w/)
            || line.contains("bash_" + "jobs")
    }

    private static func namesThisMachine(_ line: String) -> Bool {
        namesThisMachine(line[...])
    }
}
