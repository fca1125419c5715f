import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite struct RunIndexTests {
    private func run(_ day: Int64, _ change: (inout RunSummary) -> Void = { _ in }) -> RunSummary {
        var summary = SampleRun.summary
        summary.id = RunID(startingAt: SampleRun.start - .days(day))
        change(&summary)
        return summary
    }

    @Test("Every run has a row, and a link only where its page is")
    func links() throws {
        let folder = try TemporaryFolder()
        let runs = [run(0), run(1), run(2)]
        for (number, name) in ["report.html", "report.txt"].enumerated() {
            let place = folder.path + "/" + runs[number].id.text
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: false)
            try Data("x".utf8).write(to: URL(fileURLWithPath: place + "/" + name))
        }
        try RunIndex.write(directory: folder.path, runs: runs)
        let html = try folder.text("index.html")
        let name = runs[0].id.text
        #expect(html.contains("<a href=\"\(name)/report.html\">\(name)</a>"))
        #expect(html.components(separatedBy: "report.html\">").count == 2)
        let places = runs.map { html.range(of: ">\($0.id.text)<")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "newest first")
        #expect(html.contains("<h1>3 runs</h1>") && !html.contains("<script"))
        #expect(!html.contains("script-src") && html.contains("default-src &#39;none&#39;;"))
    }

    @Test("A run tells its findings and steps; one that carried nothing out is a dry run")
    func rows() {
        let acted = run(0) {
            $0.command = "run"
            $0.repairs.planned = 4
            $0.repairs.done = 3
            $0.repairs.stale = 1
        }
        let dry = run(1) { ($0.command, $0.repairs.planned) = ("run", 4) }
        let failed = run(2) {
            $0.status = .interrupted
            $0.repairs.planned = 4
            $0.finishedAt = nil
        }
        let clean = run(3) { $0.counts = [:] }
        let asOf = run(4) { $0.notes = [RunSummary.asOfNote + "x"] }
        let html = RunIndex.page([acted, dry, failed, clean, asOf]) { _ in false }
        #expect(html.contains("<td>3 done, 1 stale</td>"))
        #expect(html.contains("<td>4 planned, dry run</td>") && html.contains("<td>4 planned</td>"))
        #expect(html.contains(">not ended<") && html.contains("<td>nothing</td>"))
        #expect(html.contains("<td>audit, from another moment</td>"))
        #expect(html.contains("13 orphan") && html.contains(">run<"))
    }

    @Test("The trend is that of complete scans, the newest last")
    func trend() {
        let runs = (0..<40).map { day in
            run(Int64(day)) {
                $0.counts[.orphan]?.settled = 100 - day
                if day == 1 { $0.status = .incomplete }
            }
        }
        let many = (0...RunIndex.limit).map { run(Int64($0)) }
        let first = RunIndex.page(many) { _ in false }
        #expect(first.contains("<h1>The newest 400 runs</h1>"))
        #expect(first.components(separatedBy: "<tr>").count == RunIndex.limit + 2)
        let html = RunIndex.page(runs) { _ in false }
        let others = SampleRun.summary.counts[.orphan].map { $0.explained + $0.undecided } ?? 0
        #expect(html.contains("<strong class=\"figure\">\(100 + others)</strong>"))
        #expect(html.contains("from \(100 - 30 + others) over 30 scans"))
        #expect(html.contains("aria-label=\"Orphans of the last 30 scans\""))
        #expect(!RunIndex.page([], hasPage: { _ in false }).contains("<svg"))
    }

    @Test("The page is replaced in one step; one that cannot be leaves the page before")
    func atomic() throws {
        let folder = try TemporaryFolder()
        try Data("half".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/.index.html.partial"))
        try RunIndex.write(directory: folder.path + "/new", runs: [])
        try RunIndex.write(directory: folder.path, runs: [run(0)])
        #expect(try folder.names() == ["index.html", "new"])
        try RunIndex.write(directory: folder.path, runs: [run(0), run(1)])
        #expect(try folder.text("index.html").contains("<h1>2 runs</h1>"))
        let other = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: other.path + "/index.html", withIntermediateDirectories: false)
        let error = #expect(throws: ReportError.self) {
            try RunIndex.write(directory: other.path, runs: [])
        }
        #expect(error?.reason.hasPrefix("the page cannot be moved: ") == true)
        #expect(try other.names() == ["index.html"])
    }

    @Test("A hostile command, version and reason stay text")
    func hostile() {
        let html = RunIndex.page([run(0) { $0.command = "<script>\u{202E}" }]) { _ in true }
        #expect(!html.contains("<script") && !html.contains("\u{202E}"))
        #expect(html.contains("&lt;script&gt;\\u{202e}"))
    }
}
