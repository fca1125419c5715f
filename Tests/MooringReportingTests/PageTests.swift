import Crypto
import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite("report.html") struct PageTests {
    // What its pages leave out; most leave out nothing.
    private var cut = PageCut()

    private func orphan(_ number: Int, kind: FindingKind = .orphan) -> Finding {
        SampleRun.finding(
            "\(kind.rawValue)-\(number)", (kind, nil, .settled),
            key: ObjectKey("public/\(number)"), size: Int64(number))
    }

    private func page(
        _ findings: [Finding], _ summary: RunSummary = SampleRun.summary,
        limit: Int = HTMLReport.limit, sizes: PageBlocks.Sizes = .init(),
        placeOfAll: String? = nil
    ) throws -> String {
        let folder = try TemporaryFolder()
        let report = HTMLReport(folder: folder.path, limit: limit, sizes: sizes, cut: cut)
        for finding in findings { try report.add(finding) }
        try report.finish(summary, placeOfAll: placeOfAll)
        #expect(try folder.names() == ["report.html"], "what waited in files is gone")
        return try folder.text("report.html")
    }

    @Test("What a page's blocks hold can be looked through; one that cannot be read counts as held")
    func blocks() throws {
        let html = try page((0..<120).map { orphan($0) }, sizes: .init(columns: 50, details: 25))
        func holds(_ text: String, _ page: String) -> Bool {
            PageText.blocks(of: Array(page.utf8)) { block in
                block.firstRange(of: Array(text.utf8)) != nil
            }
        }
        #expect(!html.contains("public/119"))
        #expect(holds("public/119", html))
        #expect(!holds("public/120", html))
        let place = try #require(html.range(of: "data-rows=\"25\">H4sI"))
        var broken = html
        broken.replaceSubrange(place, with: "data-rows=\"25\">H4sJ")
        #expect(holds("public/120", broken))
        #expect(!holds("x", "<html></html>"))
    }

    @Test("The blocks hold every finding, whole and as a row, in the order of the list")
    func data() throws {
        let html = try page(SampleRun.findings)
        let rows = try PageReader.rows(html)
        let details = try PageReader.details(html)
        let expected = FindingKind.reportOrder.flatMap { kind in
            SampleRun.findings.filter { $0.kind == kind }
        }
        #expect(rows.map { $0.texts[0] } == expected.map(\.id))
        #expect(rows.allSatisfy { $0.texts.count == 4 })
        for (finding, detail) in zip(expected, details) {
            let node = try #require(detail["finding"])
            #expect(try Finding(json: node) == finding)
            #expect(detail["command"]?.string == "mooring explain \(finding.id)")
        }
        let place = try #require(expected.firstIndex { $0.id == "orphan-7d3f0a1c" })
        let row = rows[place]
        #expect(row.texts[2] == "app Song/\(SampleRun.song).coverArtKey")
        #expect(row.texts[3] == "media" && row.bytes == 204_817)
        #expect(row.time == Double((SampleRun.start - .days(9)).nanoseconds / 1_000_000_000))
        #expect(PageCodes.severities[Int(row.codes[0])] == .warning)
        #expect(PageCodes.causes[Int(row.codes[1])] == .superseded)
        #expect(PageCodes.verdicts[Int(row.codes[2])] == .settled)
        #expect(PageCodes.actions[Int(row.codes[3])] == .quarantine)
        #expect(row.codes[4] == PageRow.noCode)
        let relation = try #require(expected.firstIndex { $0.kind == .danglingRelation })
        #expect(rows[relation].bytes.isNaN && rows[relation].time.isNaN)
        #expect(rows.contains { $0.texts[2] == "23 records" })
    }

    @Test("Words of codes are those that rows name")
    func words() throws {
        let meta = try PageReader.meta(try page(SampleRun.findings))
        func names(_ list: String) -> [String?] {
            (meta[list]?.elements ?? []).map { $0["name"]?.string ?? $0.string }
        }
        #expect(names("kinds") == FindingKind.reportOrder.map(\.rawValue))
        #expect(names("causes") == FindingCause.allCases.map(\.rawValue))
        #expect(names("verdicts") == Verdict.allCases.map(\.rawValue))
        #expect(names("severities") == ["note", "warning", "error"])
        #expect(names("actions").last == "untag" && names("outcomes").first == "done")
        #expect(meta["omission"] == nil)
    }

    @Test("The same run is the same page, byte for byte")
    func deterministic() throws {
        #expect(try page(SampleRun.findings) == page(SampleRun.findings))
    }

    @Test("The policy names exactly the script and the style that are there, and nothing else")
    func policy() throws {
        let html = try page(SampleRun.findings)
        func element(_ opening: String, _ closing: String) throws -> String {
            let parts = html.components(separatedBy: opening)
            try #require(parts.count == 2)
            return parts[1].components(separatedBy: closing)[0]
        }
        func hash(_ text: String) -> String {
            Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
        }
        let script = hash(try element("<script>", "</script>"))
        let style = hash(try element("<style>", "</style>"))
        let policy =
            "default-src 'none'; script-src 'sha256-\(script)'; style-src 'sha256-\(style)'; "
            + "base-uri 'none'; form-action 'none'"
        #expect(html.contains("content=\"\(policy.replacing("'", with: "&#39;"))\""))
        #expect(!html.contains(" style=") && !html.contains(" onerror=") && !html.contains("src="))
        #expect(!html.contains("unsafe"))
    }

    @Test("No key ends the page's own elements, and a row holds no character that would act")
    func hostile() throws {
        let keys =
            SampleRun.hostileKeys.map(\.bytes)
            + ["<img src=x onerror=alert(1)>", "</script><script>x", "<!--<script>", "a\tb"].map {
                Array($0.utf8)
            }
        var findings: [Finding] = []
        for (number, key) in keys.enumerated() {
            var finding = orphan(number)
            finding.key = ObjectKey(key)
            finding.value = key
            finding.bucket = String(decoding: key, as: UTF8.self)
            finding.evidence = [String(decoding: key, as: UTF8.self)]
            findings.append(finding)
        }
        var summary = SampleRun.summary
        summary.records[0].name = "</script><!--"
        let html = try page(findings, summary)
        #expect(html.components(separatedBy: "<script").count == 5)
        #expect(html.components(separatedBy: "</script").count == 5)
        #expect(!html.contains("<img") && !html.contains("<!--"))
        let rows = try PageReader.rows(html)
        #expect(rows.count == keys.count)
        for row in rows {
            #expect(row.texts.count == 4)
            let isShown = row.texts.joined().unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.properties.generalCategory != .format
            }
            #expect(isShown, "\(row.texts)")
        }
        for (detail, finding) in zip(try PageReader.details(html), findings) {
            #expect(try Finding(json: try #require(detail["finding"])) == finding)
        }
    }

    @Test("Blocks end where they are full, and a block of large findings earlier")
    func blockSizes() throws {
        let sizes = PageBlocks.Sizes(columns: 10, details: 4, detailBytes: 3_000)
        let findings = (0..<23).map { number in
            var finding = orphan(number)
            if number == 1 { finding.evidence = [String(repeating: "why ", count: 1_000)] }
            return finding
        }
        let blocks = try PageReader.blocks(try page(findings, sizes: sizes))
        #expect(blocks.filter { $0.name == "columns" }.map(\.rows) == [10, 10, 3])
        #expect(blocks.filter { $0.name == "details" }.map(\.rows) == [2, 4, 4, 4, 4, 2, 3])
    }

    @Test("Beyond the limit small kinds stay whole, and the page says what it does not hold")
    func limit() throws {
        let sizes = PageBlocks.Sizes(columns: 10, details: 5)
        let findings =
            (0..<7).map { orphan($0, kind: .dangling) }
            + (0..<95).map { orphan($0, kind: .emptyObject) } + (0..<28).map { orphan($0) }
        let html = try page(findings, limit: 80, sizes: sizes, placeOfAll: "findings.jsonl")
        let rows = try PageReader.rows(html)
        let kinds = Dictionary(grouping: rows) { $0.texts[0].prefix { !$0.isNumber } }
            .mapValues(\.count)
        #expect(kinds == ["dangling-": 7, "empty-object-": 40, "orphan-": 28])
        #expect(rows.count == (try PageReader.details(html)).count)
        let told =
            "the first 40 of 95 of 'empty-object', in the order of their keys. All of them are in "
            + "findings.jsonl."
        #expect(try PageReader.meta(html)["omission"]?.string?.hasSuffix(told) == true)
        #expect(html.contains("finds 40 of them; all of them are in findings.jsonl."))
        let alone = try page(findings, limit: 80, sizes: sizes)
        #expect(
            try PageReader.meta(alone)["omission"]?.string?.hasSuffix(
                "'mooring report \(SampleRun.runID.text) --format json' writes all of them.")
                == true)
    }

    @Test("Beyond the limit the largest stay, and of as many bytes the first by their keys")
    func largest() throws {
        var suite = self
        let sizes = PageBlocks.Sizes(columns: 10, details: 5)
        // Bytes: 0, 1, 2, 3, 4, 0, 1, … in the order of keys.
        let findings = (100..<200).map { number in
            SampleRun.finding(
                "orphan-\(number)", (.orphan, nil, .settled), key: ObjectKey("public/\(number)"),
                size: Int64(number % 5))
        }
        let bytes = findings.map(PageCut.bytes(of:))
        suite.cut = PageCut([.orphan: bytes], limit: 33)
        let html = try suite.page(
            findings, limit: 33, sizes: sizes, placeOfAll: "findings.jsonl")
        let kept = try PageReader.rows(html).map { String($0.texts[0]) }
        let wanted =
            (100..<200).filter { $0 % 5 == 4 || $0 % 5 == 3 && $0 < 165 }.map { "orphan-\($0)" }
        #expect(kept == wanted && kept.count == 33)
        let told = "33 of 100 of 'orphan', those with the most bytes, and of as many the first by"
        #expect(try PageReader.meta(html)["omission"]?.string?.contains(told) == true)
        suite.cut = PageCut([.orphan: bytes], limit: 100)
        let whole = try suite.page(findings)
        #expect(try PageReader.rows(whole).count == 100)
    }

    @Test("What is dated about a finding stands in the order of time, where it is opened")
    func timeline() throws {
        var finding = orphan(1)
        let written = try #require(finding.object?.lastModified)
        finding.firstSeen = written + .days(2)
        finding.needs = .init(proof: "second sighting", after: written + .days(5))
        let details = try PageReader.details(try page([finding]))
        let facts = try #require(details.first?["facts"]?.elements)
        let timeline = try #require(facts.first { $0.elements?.first?.string == "timeline" })
        let lines = timeline.elements?.dropFirst(2).compactMap(\.string) ?? []
        #expect(
            lines.map { $0.split(separator: " ", maxSplits: 1).last ?? "" } == [
                "the object was written", "the first audit that found it",
                "the earliest moment of its second sighting",
            ])
        #expect(lines.sorted() == lines)
    }

    @Test("Shares of a limit: what a small kind does not need goes to the others")
    func shares() {
        #expect(
            PageBlocks.shares(of: [.orphan: 100, .dangling: 3, .shared: 50], limit: 63)
                == [.dangling: 3, .shared: 30, .orphan: 30])
        #expect(PageBlocks.shares(of: [.orphan: 5], limit: 9) == [.orphan: 5])
        #expect(PageBlocks.shares(of: [:], limit: 9) == [:])
    }

    @Test("A finding that is too large for the page is told, without its JSON")
    func large() throws {
        var finding = orphan(1)
        finding.records = (0..<600).map { SampleRun.place("Band", "\($0)") }
        var other = orphan(2)
        other.value = [UInt8](repeating: 0x78, count: 70_000)
        let details = try PageReader.details(try page([finding, other]))
        #expect(details.map { $0["finding"] == nil } == [true, true])
        #expect(details.allSatisfy { $0["facts"]?.elements?.isEmpty == false })
    }

    @Test("A run without findings says so, and has no script that waits for any")
    func empty() throws {
        var summary = SampleRun.summary
        summary.counts = [:]
        summary.records = []
        let html = try page([], summary)
        #expect(html.contains("No findings."))
        #expect(try PageReader.blocks(html).isEmpty)
        #expect(html.contains("<h1><span class=\"app\">Mooring audit:</span>"))
    }
}
