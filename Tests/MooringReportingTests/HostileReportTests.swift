import Foundation
import MooringModel
import Testing

@testable import MooringReporting

/// What a hostile key can do to each format: nothing.
@Suite struct HostileReportTests {
    /// A finding with the bytes in every place that foreign text can reach.
    private func finding(_ bytes: [UInt8]) -> Finding {
        let text = String(decoding: bytes, as: UTF8.self)
        var finding = Finding(id: text, kind: .dangling, cause: .misplaced, verdict: .undecided)
        let place = RecordPlace(
            identity: RecordIdentity(source: text, model: text, id: RecordID(bytes)), field: text,
            index: 1, version: -1)
        finding.bucket = text
        finding.key = ObjectKey(bytes)
        finding.candidates = [ObjectKey(bytes)]
        finding.object = ObjectVersion(
            size: 1, etag: text, lastModified: .distantPast, versionID: text)
        finding.record = place
        finding.records = [place]
        finding.value = bytes
        finding.explanation = Explanation(workflow: text, step: text, until: .distantFuture)
        finding.evidence = [text, ""]
        finding.needs = ProofNeed(proof: text, after: .distantPast)
        return finding
    }

    private func summary(_ bytes: [UInt8]) -> RunSummary {
        let text = String(decoding: bytes, as: UTF8.self)
        var summary = RunSummary(
            id: SampleRun.runID, command: text, programVersion: text, startedAt: .distantPast,
            configuration: text)
        summary.status = .incomplete
        summary.finishedAt = .distantFuture
        summary.reason = text
        let scan = ScanResult.Summary(
            complete: false, consistency: text,
            window: ScanWindow(from: .distantPast, to: .distantFuture), requests: 0,
            problems: [text, text], problemCount: 500)
        summary.records = [.init(name: text, kind: text, records: 1, references: 1, scan: scan)]
        summary.buckets = [
            .init(
                name: text, kind: text, objects: 1, bytes: .max, quarantined: 1,
                quarantinedBytes: .min, scan: scan)
        ]
        summary.guards = [
            .init(name: text, limit: text, value: text, refused: true, hint: text)
        ]
        summary.notes = [text]
        summary.counts = SampleRun.counts(of: [finding(bytes)])
        return summary
    }

    private func render(
        _ bytes: [UInt8], status: RunSummary.Status = .incomplete,
        _ check: (TemporaryFolder, String) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: ReportFormat.allCases)
        try writer.add([finding(bytes)])
        var summary = summary(bytes)
        summary.status = status
        _ = try writer.finish(summary, extraFiles: [])
        try check(folder, SampleRun.runID.text + "/")
    }

    @Test("Text stays ASCII in 80 columns", arguments: SampleRun.hostileKeys.map(\.bytes))
    func text(bytes: [UInt8]) throws {
        try render(bytes) { folder, place in
            let file = try folder.bytes(place + "report.txt")
            #expect(file.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
            #expect(file.split(separator: 0x0A).allSatisfy { $0.count <= 80 })
        }
        for width in [40, 80, 132] {
            let overview = TextReport.overview(
                summary(bytes), samples: [finding(bytes)],
                TextReport.OverviewOptions(color: false, width: width, showsAll: true))
            #expect(overview.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
            let long = overview.split(separator: "\n").filter { $0.utf8.count > width }
            #expect(long.isEmpty, "\(long)")
        }
    }

    @Test("HTML holds no element, reference or hidden character of a key's making")
    func html() throws {
        var elements: Set<[String]> = []
        for entry in SampleRun.hostileKeys {
            try render(entry.bytes) { folder, place in
                let html = try folder.text(place + "report.html")
                // Four elements are the page's own, and the policy names the last by its hash.
                #expect(html.components(separatedBy: "<script").count == 5)
                #expect(!html.contains("\u{202E}"))
                #expect(!html.contains("http:") && !html.contains("https:"))
                let isShown = html.unicodeScalars.allSatisfy {
                    $0 == "\n" || $0.value >= 0x20 && $0.properties.generalCategory != .format
                }
                #expect(isShown, "\(entry.name)")
                #expect(
                    String(validating: try folder.bytes(place + "report.html"), as: UTF8.self)
                        != nil)
                // The markup is the same for every key, but for the marks of escapes and cuts, and
                // what links within the page search for.
                let tags = html.split(separator: "<").map { part in
                    part.hasPrefix("a href=\"#kind=") ? "a" : String(part.prefix { $0 != ">" })
                }
                var isEscape = false
                elements.insert(
                    tags.dropFirst().filter { tag in
                        if tag.hasPrefix("span class=\"esc\"")
                            || tag.hasPrefix("span class=\"cut\"")
                        {
                            isEscape = true
                        } else if isEscape {
                            isEscape = false
                        } else {
                            return true
                        }
                        return false
                    })
            }
        }
        #expect(elements.count == 1)
    }

    @Test("CSV has one row a finding, no formula, and the key's bytes")
    func csv() throws {
        for entry in SampleRun.hostileKeys {
            try render(entry.bytes) { folder, place in
                let file = try folder.text(place + "findings.csv")
                let rows = try parsed(file)
                #expect(rows.count == 2)
                let row = try #require(rows.last)
                #expect(row.count == rows[0].count)
                #expect(row.allSatisfy { !"=+-@\t\r".contains($0.first ?? "x") || $0 == "-1" })
                #expect(
                    file.unicodeScalars.allSatisfy {
                        $0.value >= 0x20
                            || $0 == "\r" || $0 == "\n"
                    })
                let column = try #require(rows[0].firstIndex(of: "keyBase64"))
                let exact =
                    row[column].isEmpty
                    ? Array(row[column - 1].utf8) : try #require(Base64.decode(row[column]))
                #expect(exact == entry.bytes, "\(entry.name)")
            }
        }
    }

    // A reader of its own, since a test of the writer must not share its quoting.
    private func parsed(_ text: String) throws -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where !isQuoted && cell.isEmpty: isQuoted = true
            case "\"" where isQuoted && rest.first == "\"":
                cell.append("\"")
                rest.removeFirst()
            case "\"" where isQuoted: isQuoted = false
            case "," where !isQuoted:
                row.append(String(cell))
                cell = .init()
            case "\r" where !isQuoted:
                #expect(rest.popFirst() == "\n")
                rows.append(row + [String(cell)])
                row = []
                cell = .init()
            default: cell.append(scalar)
            }
        }
        try #require(!isQuoted && row.isEmpty && cell.isEmpty)
        return rows
    }

    @Test("JSON gives the finding and the summary back")
    func json() throws {
        for entry in SampleRun.hostileKeys {
            try render(entry.bytes) { folder, place in
                let lines = try folder.bytes(place + "findings.jsonl").split(separator: 0x0A)
                #expect(lines.count == 1)
                let line = try #require(lines.first)
                let node = try JSONNode(parsing: Array(line))
                #expect(try Finding(json: node) == finding(entry.bytes))
                let report = try JSONNode(parsing: try folder.bytes(place + "report.json"))
                #expect(try RunSummary(json: report) == summary(entry.bytes))
            }
        }
    }

    @Test("Markdown holds no markup, link or element of a key's making")
    func markdown() throws {
        var shapes: Set<String> = []
        for entry in SampleRun.hostileKeys + Self.markup {
            try render(entry.bytes) { folder, place in
                let page = try folder.text(place + "report.md")
                for active in ["<", ">", "]("] { #expect(!page.contains(active), "\(entry.name)") }
                #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
                // Without what stands in code, the page is the same whatever the key is.
                let blocks = page.components(separatedBy: "```")
                #expect(blocks.count % 2 == 1)
                let prose = stride(from: 0, to: blocks.count, by: 2).map { blocks[$0] }.joined()
                let spans = prose.components(separatedBy: "`")
                #expect(spans.count % 2 == 1)
                shapes.insert(stride(from: 0, to: spans.count, by: 2).map { spans[$0] }.joined())
            }
        }
        #expect(shapes.count == 1, "\(shapes)")
    }

    @Test("JUnit has the same elements whatever the key is, and no character that XML forbids")
    func junit() throws {
        var shapes: Set<[String]> = []
        for entry in SampleRun.hostileKeys + Self.markup {
            try render(entry.bytes) { folder, place in
                let xml = try folder.text(place + "junit.xml")
                #expect(!xml.contains("]]>") && !xml.contains("-->"))
                #expect(xml.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
                let tags = xml.split(separator: "<").map { $0.prefix { $0 != " " && $0 != ">" } }
                shapes.insert(tags.map(String.init))
            }
        }
        #expect(shapes.count == 1)
    }

    @Test("SARIF holds the key, and its messages no link; metrics have the lines they always have")
    func sarifAndMetrics() throws {
        var lines: Set<Int> = []
        for entry in SampleRun.hostileKeys + Self.markup {
            try render(entry.bytes, status: .complete) { folder, place in
                let log = try JSONNode(parsing: try folder.bytes(place + "report.sarif"))
                let result = try #require(
                    log["runs"]?.elements?.first?["results"]?.elements?.first)
                let message = try #require(result["message"]?["text"]?.string)
                #expect(!message.contains("[") && !message.contains("{"), "\(entry.name)")
                let key = try result["properties"]?.bytes("key")
                #expect(key == entry.bytes, "\(entry.name)")
                var gated = summary(entry.bytes)
                gated.status = .complete
                gated.gates = [.init(gate: gated.command, value: 1, passed: false)]
                let metrics = MetricsReport.render(gated)
                lines.insert(metrics.split(separator: "\n").count)
                // What stands between the quotes of two labels ends neither of them.
                let quotes = metrics.replacing(/\\./, with: "").split(separator: "\n")
                    .filter { $0.hasPrefix("mooring_gate_passed{") }.map { $0.count { $0 == "\"" } }
                #expect(quotes == [4], "\(entry.name)")
            }
        }
        #expect(lines.count == 1)
    }

    /// Keys that would be markup in a page.
    private static let markup: [(name: String, bytes: [UInt8])] = [
        ("image", Array("public/<img src=x onerror=alert(1)>".utf8)),
        ("link", Array("x](http://example.org) [y](javascript:1)".utf8)),
        ("code", Array("a`b``c```\n# d | e".utf8)), ("end", Array("]]>-->\u{FFFE}&amp;".utf8)),
        ("placeholder", Array("{0}{{x}}\\\"".utf8)),
    ]

    @Test("A finding of megabytes is shown in part, and is whole in JSON")
    func hugeFinding() throws {
        var huge = finding(Array("k".utf8))
        huge.value = [UInt8](repeating: 0xFF, count: 2_000_000)
        huge.records = (0..<5_000).map { SampleRun.place("Band", "\($0)") }
        huge.evidence = [String(repeating: "why ", count: 100_000)]
        let facts = FindingFacts(huge)
        #expect(HTMLReport.rendered(huge, facts).utf8.count < 40_000)
        #expect(PageDetail.line(huge, facts).count < 40_000)
        #expect(TextReport.rendered(huge).utf8.count < 80_000)
        #expect(HTMLReport.rendered(huge, facts).contains("and 4,980 more"))
    }
}
