import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite("Figures of report.html") struct PageFigureTests {
    /// The sample's run, as the first there ever was, with nothing that waits.
    private var plain: RunSummary {
        var summary = SampleRun.summary
        (summary.trend, summary.waiting) = ([], [])
        return summary
    }

    private func dangling(_ id: String, _ verdict: Verdict = .settled) -> Finding {
        var finding = SampleRun.finding(
            id, (.dangling, .missing, verdict), key: ObjectKey("private/x/\(id)"))
        finding.record = SampleRun.place("Song", "s-\(id.prefix(1))", "coverArtKey")
        return finding
    }

    @Test("Records without their file are told apart; what was mended or may heal is none")
    func records() {
        var sums = PageSums()
        var mended = dangling("c1")
        mended.outcome = .done
        for finding in [
            dangling("a1"), dangling("a2"), dangling("b1"), mended,
            dangling("d1", .explained),
        ] {
            sums.add(finding)
        }
        #expect(sums.recordCount == 2)
        #expect(sums.fields["Song.coverArtKey"]?.findings == 4)
        #expect(
            HTMLReport.tiles(SampleRun.summary, sums).contains(
                "<strong class=\"figure\">2</strong>"))
    }

    @Test("Orphans are summed by the first part of the key, owner's model, cause and age")
    func orphans() {
        var sums = PageSums()
        for finding in SampleRun.findings { sums.add(finding) }
        let bytes: Int64 = 204_817 + 3_190_442 + 88_120
        #expect(sums.prefixes["private/"]?.bytes == bytes)
        #expect(sums.prefixes[""] == nil)
        sums.add(SampleRun.finding("o", (.orphan, .lostUpdate, .settled), key: ObjectKey("flat")))
        #expect(sums.prefixes[""]?.findings == 1)
        #expect(sums.prefixes["../"]?.bytes == 17)
        #expect(sums.models[""]?.findings == 2)
        #expect(sums.causes["lost-update"]?.findings == 2)
        let ages = sums.ages(at: SampleRun.start)
        #expect(ages.map(\.sum.findings) == [0, 0, 13, 0, 0, 0])
        let html = HTMLReport.shares(sums, SampleRun.summary)
        #expect(html.contains("<a href=\"#kind=orphan&amp;q=private%2F\">private/</a>"))
        #expect(html.contains("<a href=\"#kind=orphan&amp;cause=lost-update\">lost-update</a>"))
        #expect(html.contains("<a href=\"#kind=dangling&amp;q=Post%2F%20.file\">Post.file</a>"))
        #expect(html.contains("<td>no known owner</td>") && html.contains("<td>no folder</td>"))
        #expect(html.contains("<caption>Orphans by age</caption>"))
    }

    @Test("Age is counted in days before the run, and what lies ahead is young")
    func ages() {
        var sums = PageSums()
        for days: Int64 in [-400, 0, 1, 6, 7, 30, 90, 365, 4_000] {
            var finding = SampleRun.finding(
                "o\(days)", (.orphan, nil, .settled), key: ObjectKey("a"))
            finding.object = ObjectVersion(
                size: 1, etag: "x", lastModified: SampleRun.start - .days(days))
            sums.add(finding)
        }
        let ages = sums.ages(at: SampleRun.start).map(\.sum.findings)
        #expect(ages == [2, 2, 1, 1, 1, 2])
    }

    @Test("Names beyond the limit are summed as one, and the largest stand first")
    func named() {
        var named = PageSums.Named()
        for number in 0..<1_005 {
            named.add("n\(number)", PageSums.Sum(findings: 1, bytes: Int64(number)))
        }
        #expect(named.sums.count == 1_000 && named.others.findings == 5)
        let (top, rest) = named.largest(2, by: \.bytes)
        #expect(top.map(\.0) == ["n999", "n998"])
        #expect(rest.findings == 1_003)
        named.add("n1", PageSums.Sum(findings: 1, bytes: .max))
        #expect(named["n1"]?.bytes == .max)
        let tied = named.largest(3, by: \.weight).top.map(\.0)
        #expect(tied == ["n1", "n0", "n10"])
        var spelled = PageSums.Named()
        for name in ["\u{E9}", "e\u{301}"] { spelled.add(name, PageSums.Sum(findings: 1)) }
        #expect(spelled.sums.count == 2)
    }

    @Test("Tiles tell the change since the last run, and draw the runs before")
    func tiles() {
        var summary = plain
        for (day, bytes) in [(2, 5_000_000), (1, 4_000_000), (0, 0)] as [(Int64, Int64)] {
            var past = SampleRun.summary
            past.id = RunID(startingAt: SampleRun.start - .days(day))
            if day == 0 { past.id = summary.id } else { past.counts[.orphan]?.bytes = bytes }
            if let past = RunSummary.Past(past) { summary.trend.append(past) }
        }
        let html = HTMLReport.tiles(summary, PageSums())
        let bytes = summary.counts[.orphan]?.bytes ?? 0
        #expect(html.contains("+\(Figures.size(bytes - 4_000_000)) since the last run"))
        #expect(html.contains("aria-label=\"bytes of orphans of the last 3 runs\""))
        #expect(html.contains("+1, -0 since the last run"))
        #expect(html.components(separatedBy: "<svg").count == 5)
        #expect(!HTMLReport.tiles(plain, PageSums()).contains("<svg"))
    }

    @Test("A page of a run that looked at no store does not say that all is well there")
    func notScanned() {
        var summary = plain
        (summary.records, summary.buckets, summary.counts) = ([], [], [:])
        let html = HTMLReport.tiles(summary, PageSums())
        #expect(html.components(separatedBy: "not looked at").count == 3)
        #expect(!html.contains("0 orphans") && !html.contains("0 dangling"))
    }

    @Test("What needs somebody is one number on the page, shared objects left out")
    func needsYou() {
        var summary = plain
        summary.waiting = [
            SampleRun.waiting(.orphan, .undecided, 5), SampleRun.waiting(.invalidKey, .hand, 2),
            SampleRun.waiting(.shared, .hand, 9), SampleRun.waiting(.orphan, .policy, 3),
        ]
        let html = HTMLReport.tiles(summary, PageSums())
        #expect(html.contains("Needs you:</span> <strong class=\"figure\">4</strong>"))
        #expect(Headline(summary).clauses.last == "4 need you")
        let page = HTMLReport.page(summary, PageSums()).before
        #expect(page.contains("another policy: it keeps them"))
        #expect(page.contains("<a href=\"#kind=invalid-key\">"))
    }

    @Test("Steps that ended stand with their way back")
    func done() throws {
        var summary = SampleRun.summary
        for outcome in [StepOutcome.done, .stale] {
            summary.keep(
                try SampleRun.step(
                    .quarantine, "public/<b>", outcome,
                    reason: outcome == .stale ? "it changed" : nil))
        }
        summary.repairs.done = 8
        summary.repairs.stale = 1
        let page = HTMLReport.page(summary, PageSums()).before
        #expect(page.contains("public/&lt;b&gt;"))
        #expect(page.contains("<td>it changed</td>"))
        #expect(page.components(separatedBy: "mooring undo \(summary.id.text) --step").count == 2)
        #expect(page.contains("7 more steps stand in the journal"))
    }

    @Test("A line needs two values, and holds the last thirty")
    func lines() {
        #expect(Drawing.line([1], label: "x").isEmpty)
        #expect(Drawing.line([], label: "x").isEmpty)
        #expect(Drawing.line([3, 3], label: "<").contains("points=\"2,14 118,14\""))
        #expect(Drawing.line([0, 10], label: "x").contains("points=\"2,25 118,3\""))
        let long = Drawing.line((0..<100).map { Double($0) }, label: "x")
        #expect(long.components(separatedBy: ",").count == 31)
        #expect(Drawing.bar(0.5).contains("width=\"80\" height"))
        #expect(Drawing.bar(0).contains("rect width=\"1\""))
    }

    @Test("Text in an address is percent-encoded by its bytes")
    func address() {
        #expect(HTMLReport.percentEncoded("a/\u{E9} &\u{1}-") == "a%2F%C3%A9%20%26%01-")
    }
}

extension PageSums.Named {
    /// The sum of a name.
    fileprivate subscript(name: String) -> PageSums.Sum? { sums[Array(name.utf8)] }
}
