import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite struct OverviewTests {
    private func overview(
        _ summary: RunSummary, _ samples: [Finding] = [], color: Bool = false, width: Int = 80
    ) -> String {
        TextReport.overview(
            summary, samples: samples, TextReport.OverviewOptions(color: color, width: width))
    }

    @Test("Three findings of a group are shown, and the summary's count says how many there are")
    func limit() {
        var summary = SampleRun.summary
        let findings = (0..<25).map {
            SampleRun.finding(
                "o\($0)", (.orphan, $0 < 20 ? .ownerless : .detached, .settled),
                key: ObjectKey("public/\($0)"), size: 1_024)
        }
        var count = RunSummary.Count()
        count.settled = 1_234
        summary.counts = [.orphan: count]
        let text = overview(summary, findings)
        #expect(text.split(separator: "\n").filter { $0.contains("    public/") }.count == 6)
        #expect(text.contains("\norphan (1,234)\n"))
        #expect(
            text.contains(
                "  settled, ownerless: 20, 20.0 KiB (nothing in flight explains it)\n"))
        #expect(
            text.contains(
                "... and 17 more: mooring findings --kind orphan --verdict settled --cause\n"
                    + "    ownerless\n"))
        #expect(text.contains("... and 1,209 more\n"))
        let all = TextReport.overview(
            summary, samples: findings,
            TextReport.OverviewOptions(color: false, width: 80, showsAll: true))
        #expect(all.split(separator: "\n").filter { $0.contains("    public/") }.count == 25)
    }

    @Test("A run without findings says so, and a run that is not complete does not")
    func nothingFound() {
        var summary = SampleRun.summary
        summary.counts = [:]
        summary.guards = []
        #expect(overview(summary).contains("Nothing: every object has a reference"))
        #expect(overview(summary).contains("Nothing to do."))
        summary.status = .incomplete
        summary.reason = "media: permission denied"
        let text = overview(summary, width: 120)
        #expect(text.contains("proves no absence: media: permission denied"))
        #expect(!text.contains("Nothing"))
        #expect(text.contains("run 'mooring audit' again"))
    }

    @Test("A side that was not read to its end stands with its problems")
    func incompleteScan() {
        var summary = SampleRun.summary
        summary.status = .incomplete
        summary.records[0].scan.complete = false
        summary.records[0].scan.problems = (1...12).map { "Song: row \($0) is no row" }
        summary.records[0].scan.problemCount = 300
        let text = overview(summary)
        #expect(text.contains("INCOMPLETE\n    Song: row 1 is no row"))
        #expect(text.contains("Song: row 10 ") && !text.contains("Song: row 11 "))
        #expect(text.contains("and 290 more problems"))
        #expect(!text.contains("Run 'mooring plan"), "no plan is offered")
    }

    @Test("A refusing guard names limit, value and hint; one that passes is not in the way")
    func guards() {
        let text = overview(SampleRun.summary)
        #expect(text.contains("REFUSED orphanShare:media: 0.004% measured, limit 0.001%"))
        #expect(text.contains("review the orphans"))
        #expect(!text.contains("clockBound"))
    }

    @Test("Steps that were left undone lead to the next command")
    func repairs() {
        var summary = SampleRun.summary
        summary.repairs.planned = 9
        summary.repairs.done = 6
        summary.repairs.stale = 2
        summary.repairs.failed = 1
        let text = overview(summary)
        #expect(text.contains("9 planned, 6 done, 2 stale, 1 failed"))
        #expect(text.contains(". 3 steps left undone: 'mooring audit', then 'mooring plan'"))
        summary.counts[.mappingError] = nil
        let plan = "Run 'mooring plan \(summary.id.text)'"
        #expect(!RunOverview(summary).next.contains { $0.hasPrefix(plan) }, "it was just made")
        summary.repairs = RunSummary.Repairs()
        #expect(RunOverview(summary).next.contains { $0.hasPrefix(plan) })
    }

    @Test("Beside the time a run took stands the memory, and what lay in scratch")
    func taken() {
        var summary = SampleRun.summary
        summary.finishedAt = summary.startedAt + .seconds(75)
        summary.peakMemory = nil
        let times = Figures.times(of: summary)
        #expect(times.hasSuffix(" (1m15s)"), "\(times)")
        summary.peakMemory = 131 << 20
        #expect(Figures.times(of: summary) == times.dropLast() + ", 131 MiB of memory)")
        summary.spilled = 1_234
        #expect(
            Figures.times(of: summary)
                == times.dropLast() + ", 131 MiB of memory, 1,234 keys in scratch)")
    }

    @Test(
        "A run that did not end well says how it ended, and what to do before the next",
        arguments: [
            (
                RunSummary.Status.interrupted, "The run was stopped before its end: why",
                "Run 'mooring audit' again."
            ),
            (.running, "The run has not ended: why", "Run 'mooring audit' again."),
            (
                .failed, "An error ended the run: why",
                "Remove the cause that is named above, then run 'mooring audit' again."
            ),
            (
                .incomplete, "A side was not read to its end, and proves no absence: why",
                "Clear the problems named under the scans, then run 'mooring audit' again."
            ),
        ])
    func ends(status: RunSummary.Status, told: String, next: String) {
        var summary = SampleRun.summary
        summary.status = status
        summary.reason = "why"
        #expect(RunOverview(summary).status == told)
        #expect(RunOverview(summary).next.first == next)
    }

    @Test("A refusing guard is one sentence, with its likely cause where one is known")
    func refusedSentence() throws {
        var summary = SampleRun.summary
        let sentence = "orphanShare:media: 0.004% measured, the limit is 0.001%"
        let refusing = summary.guards.firstIndex { $0.refused }
        let place = try #require(refusing)
        summary.guards[place].cause = nil
        #expect(RunOverview(summary).refused == [sentence + "."])
        summary.guards[place].cause = "a lost prefix"
        #expect(RunOverview(summary).refused == [sentence + "; likely cause: a lost prefix"])
        let text = overview(summary, width: 200)
        #expect(text.contains("; likely cause: a lost prefix"), "\(text)")
    }

    @Test("Colours add sequences and change nothing else", arguments: [40, 60, 80, 120])
    func color(width: Int) {
        let plain = overview(SampleRun.summary, SampleRun.findings, width: width)
        let painted = overview(SampleRun.summary, SampleRun.findings, color: true, width: width)
        #expect(!plain.contains("\u{1B}"))
        #expect(painted.contains("\u{1B}[33mATTENTION\u{1B}[0m"))
        var stripped = painted
        for code in ["0", "1", "31", "32", "33"] {
            stripped = stripped.replacing("\u{1B}[\(code)m", with: "")
        }
        #expect(stripped == plain)
        #expect(plain.split(separator: "\n").allSatisfy { $0.utf8.count <= width })
    }

    @Test("Every template has the slots that are filled, and no others")
    func templates() {
        #expect(
            Templates.finding.names == ["verdict", "meaning", "cause", "title", "size", "facts"])
        #expect(Templates.section.names == ["kind", "total", "meaning", "advice"])
        #expect(
            Templates.page.names == [
                "policy", "style", "command", "run", "status", "times", "app", "verdict", "tiles",
                "refused", "next", "notes", "done", "waiting", "counts", "shares", "guards",
                "gates", "open", "records", "buckets", "findings", "version", "configuration",
                "data", "script", "details",
            ])
        #expect(Templates.index.names == ["policy", "style", "count", "trend", "runs"])
        #expect(
            Templates.text.names == [
                "headline", "glance", "records", "buckets", "counts", "repairs", "guards", "notes",
                "findings", "footer",
            ])
        #expect(!Templates.style.contains("{{"))
        #expect(!Templates.style.contains("url(") && !Templates.style.contains("@import"))
        #expect(!Templates.style.contains("<") && Templates.style.utf8.allSatisfy { $0 < 0x7F })
        // Neither markup of data nor anything from elsewhere, nor an end before its own.
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
            "fetch(", "XMLHttpRequest", "import(", "http:", "https:", "</script", "<!--", "{{",
        ] {
            #expect(!Templates.script.contains(word), "\(word)")
        }
        #expect(Templates.script.utf8.allSatisfy { $0 < 0x7F })
    }

    @Test("README explains every kind, cause and verdict")
    func readme() throws {
        let text = String(decoding: try contents(reportsFolder + "/README.md"), as: UTF8.self)
        let codes =
            FindingKind.allCases.map(\.rawValue) + FindingCause.allCases.map(\.rawValue)
            + Verdict.allCases.map(\.rawValue)
        for code in codes { #expect(text.contains("`\(code)`"), "\(code)") }
        for format in ReportFormat.allCases { #expect(text.contains("`\(format.rawValue)`")) }
    }

    @Test("The schemas know every code")
    func schemaCodes() throws {
        let bytes = try contents(reportsFolder + "/finding.schema.json")
        let properties = try #require(try JSONNode(parsing: bytes)["properties"])
        func codes(_ name: String) -> Set<String> {
            Set((properties[name]?["enum"]?.elements ?? []).compactMap(\.string))
        }
        #expect(codes("kind") == Set(FindingKind.allCases.map(\.rawValue)))
        #expect(codes("cause") == Set(FindingCause.allCases.map(\.rawValue)))
        #expect(codes("verdict") == Set(Verdict.allCases.map(\.rawValue)))
        #expect(codes("action") == Set(Strategy.allCases.map(\.rawValue)))
    }

    @Test("The samples fit the schemas, and broken copies do not")
    func schemas() throws {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", reportsFolder + "/validate.py"]
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        python.waitUntilExit()
        // 127: no python3; 77: python without jsonschema.
        if python.terminationStatus == 127 || python.terminationStatus == 77 {
            print("skipped: the schemas are checked by python3 with jsonschema; \(text)")
            return
        }
        #expect(python.terminationStatus == 0, "\(text)")
    }

    @Test("A refused run that gave something back before does not say that nothing was changed")
    func refusedBehindActs() {
        var summary = SampleRun.summary
        summary.status = .refused
        summary.reason = "the clock leapt"
        let told =
            "Both sides were read to their end, but a guard or limit refused the repair; nothing "
        #expect(RunOverview(summary).status == told + "was changed: the clock leapt")
        summary.repairs.done = 1
        #expect(RunOverview(summary).status == told + "more was changed: the clock leapt")
    }
}
