import Glibc
package import MooringModel

/// `DIR/index.html`: all runs, as a table with links to their reports.
package enum RunIndex {
    private static let fileName = "index.html"
    /// The most runs on the page.
    package static let limit = 400

    /// Writes the page of these runs, the newest first, in one step: a reader sees the page before
    /// or this one whole. A run is a link where its folder holds a `report.html`. Throws
    /// `ReportError`, and then the page before is still there.
    package static func write(directory: String, runs: [RunSummary]) throws {
        let directory = directory.isEmpty ? "." : directory
        try Folder.create(directory)
        let folder = try Folder(opening: directory, followingLink: true)
        // Two runs that end at once take turns.
        _ = folder.lock(waiting: true)
        let partial = "\(directory)/.\(fileName).partial"
        _ = unlink(partial)  // A process that died here left it.
        do {
            let file = try OutputFile(creating: partial)
            try file.append(page(runs) { hasPage($0, in: directory) })
            try file.close()
            guard rename(partial, "\(directory)/\(fileName)") == 0 else {
                throw ReportError(
                    path: "\(directory)/\(fileName)", doing: "the page cannot be moved", code: errno
                )
            }
            try folder.synchronise()
        } catch {
            _ = unlink(partial)
            throw error
        }
    }

    private static func hasPage(_ run: RunID, in directory: String) -> Bool {
        var status = stat()
        return stat("\(directory)/\(run.text)/\(HTMLReport.fileName)", &status) == 0
            && status.st_mode & S_IFMT == S_IFREG
    }

    /// The page of runs, the newest first; `hasPage` tells which may be links.
    static func page(_ runs: [RunSummary], hasPage: (RunID) -> Bool) -> String {
        Templates.index.filled([
            "policy": ContentPolicy.text(script: nil, style: Templates.style),
            "style": Templates.style,
            "count": runs.count > limit
                ? "The newest \(limit) runs" : Figures.counted(runs.count, "run"),
            "trend": trend(runs), "runs": table(Array(runs.prefix(limit)), hasPage),
        ])
    }

    // Complete scans alone: what a run did not look for is not gone.
    private static func trend(_ runs: [RunSummary]) -> String {
        let scans = runs.filter { $0.isCompleteScan && !$0.isJudgedAsOf && !$0.buckets.isEmpty }
        let shown = scans.prefix(Drawing.points).reversed()
        guard !shown.isEmpty else { return "" }
        let tiles = [FindingKind.orphan, .dangling].map { kind in
            let values = shown.map { $0.counts[kind]?.total ?? 0 }
            let name = kind == .orphan ? "Orphans" : "Dangling references"
            return "<li class=\"tile\"><span class=\"tilename\">\(name):</span> "
                + "<strong class=\"figure\">\(Figures.grouped(values[values.count - 1]))</strong> "
                + "<span class=\"delta\">from \(Figures.grouped(values[0])) over "
                + "\(Figures.counted(values.count, "scan"))</span> "
                + Drawing.line(
                    values.map { Double($0) },
                    label: "\(name) of the last \(Figures.counted(values.count, "scan"))")
                + "</li>\n"
        }
        return "<ul class=\"tiles\">\n\(tiles.joined())</ul>\n"
    }

    private static func table(_ runs: [RunSummary], _ hasPage: (RunID) -> Bool) -> String {
        HTMLTable(
            caption: "Runs, the newest first",
            headings: ["run", "command", "status", "started", "took", "found", "new", "steps"],
            rows: runs.map { run in
                let target = "\(run.id.text)/\(HTMLReport.fileName)"
                let took = run.finishedAt.map { ($0 - run.startedAt).label } ?? "not ended"
                return [
                    hasPage(run.id) ? .link(run.id.text, target) : .text(run.id.text),
                    .text(run.command + (run.isJudgedAsOf ? ", from another moment" : "")),
                    .mark(run.status.rawValue, run.status.rawValue),
                    .text(Figures.time(run.startedAt)), .number(took), .text(found(run)),
                    .number(Figures.grouped(run.counts.values.reduce(0) { $0 + $1.new })),
                    .text(steps(run)),
                ]
            }
        ).html
    }

    private static func found(_ run: RunSummary) -> String {
        let kinds = FindingKind.reportOrder.compactMap { kind -> String? in
            guard let count = run.counts[kind]?.total, count > 0 else { return nil }
            return "\(Figures.grouped(count)) \(kind.rawValue)"
        }
        if !kinds.isEmpty { return kinds.joined(separator: ", ") }
        return run.isCompleteScan && !run.buckets.isEmpty ? "nothing" : ""
    }

    private static func steps(_ run: RunSummary) -> String {
        let repairs = run.repairs
        let ended = [
            (repairs.done, "done"), (repairs.stale, "stale"), (repairs.failed, "failed"),
        ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        if !ended.isEmpty { return ended.joined(separator: ", ") }
        guard repairs.planned > 0 else { return "" }
        let planned = "\(Figures.grouped(repairs.planned)) planned"
        // A complete nightly run that ended no step was not told to carry any out.
        return run.status == .complete && run.command == "run" ? planned + ", dry run" : planned
    }
}
