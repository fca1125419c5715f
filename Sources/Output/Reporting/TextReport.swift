package import MooringModel

/// A run in ASCII: `report.txt`, and the overview that commands print.
///
/// Foreign text is escaped as `VisibleText` describes; no line is longer than the width, but for
/// keys that may not be shortened.
package enum TextReport: PageFormat {
    /// The file's name.
    static let fileName = "report.txt"
    /// The most findings of a kind, cause and verdict in the overview.
    package static let overviewLimit = 3
    /// The most steps in the overview.
    static let overviewSteps = 10

    /// What a command prints of a run: the verdict, the gates, what changed, was done and needs a
    /// person, the first findings of each group, then what was read. `samples` stand in report
    /// order; those that are left out are counted.
    package static func overview(
        _ summary: RunSummary, samples: [Finding], _ options: OverviewOptions
    ) -> String {
        let layout = TextLayout(
            width: options.width, color: options.color, cutsKeys: options.cutsKeys)
        let blocks = TextBlocks(summary, layout)
        var lines = blocks.headline + [""] + blocks.gates + blocks.news
        if !options.toldSteps { lines += blocks.done(limit: overviewSteps) }
        lines += blocks.needs + blocks.waits + blocks.counts
        // By their places: of a million findings few are shown.
        let places = Dictionary(grouping: samples.indices) { samples[$0].kind }
        for kind in FindingKind.reportOrder {
            guard let own = places[kind] else { continue }
            lines += blocks.findings(
                kind, own, of: samples, limit: options.showsAll ? .max : overviewLimit)
        }
        lines += blocks.records + blocks.buckets + blocks.guards(refusedOnly: true)
        lines += blocks.repairs + blocks.notes + blocks.next
        return lines.joined(separator: "\n") + "\n"
    }

    /// Why the plan of a run takes no more of its findings, in lines below a heading; none where it
    /// takes all.
    package static func leftOut(_ summary: RunSummary, width: Int) -> [String] {
        TextBlocks(summary, TextLayout(width: width)).leftOut
    }

    /// What a command without a terminal prints of a run, as mail: the verdict, what is new, what
    /// was done, what needs a person, and what waits; nil of a run without news, so that nobody is
    /// taught to look away. A doubt that was there before is none.
    package static func news(_ summary: RunSummary, width: Int) -> String? {
        let isNew =
            summary.status != .complete || summary.hasActed
            || summary.guards.contains(where: \.refused)
            || summary.gates.contains { !$0.passed }
            || (summary.change.map { !$0.new.isEmpty }
                ?? summary.counts.values.contains {
                    $0.total > 0
                })
        guard isNew else { return nil }
        let blocks = TextBlocks(summary, TextLayout(width: width))
        let lines =
            blocks.headline + [""] + blocks.gates + blocks.news
            + blocks.done(limit: overviewSteps) + blocks.needs + blocks.waits
        return lines.joined(separator: "\n") + "\n"
    }

    /// The run on one line, which a command prints last, as test runners do.
    package static func lastLine(_ summary: RunSummary, color: Bool) -> String {
        TextBlocks(summary, TextLayout(width: width, color: color)).lastLine
    }

    /// How a command prints a run.
    package struct OverviewOptions {
        /// Whether terminal sequences colour it.
        let color: Bool
        /// The columns, at least 40.
        let width: Int
        /// Whether no finding is left out.
        let showsAll: Bool
        /// Whether the steps were told while they ended.
        let toldSteps: Bool
        /// Whether keys that are too long for a line are shortened, as for a person's eyes.
        let cutsKeys: Bool

        /// Options.
        package init(
            color: Bool, width: Int, showsAll: Bool = false, toldSteps: Bool = false,
            cutsKeys: Bool = true
        ) {
            self.color = color
            self.width = width
            self.cutsKeys = cutsKeys
            self.showsAll = showsAll
            self.toldSteps = toldSteps
        }
    }

    /// The whole of `report.txt` for findings in report order that fit in memory.
    package static func render(_ summary: RunSummary, findings: [Finding]) -> String {
        var body = ""
        for kind in FindingKind.reportOrder {
            let all = findings.filter { $0.kind == kind }
            guard !all.isEmpty else { continue }
            body += sectionHead(kind, total: all.count)
            for finding in all.prefix(ReportWriter.shownLimit) { body += rendered(finding) }
            let omission = PageWriter.omission(total: all.count, run: summary.id, placeOfAll: nil)
            body += sectionEnd(omission: omission)
        }
        let page = page(summary)
        return page.before + body + page.after
    }

    /// The columns of `report.txt`.
    static let width = 80

    /// What stands before and after the findings.
    static func page(_ summary: RunSummary) -> (before: String, after: String) {
        let blocks = TextBlocks(summary, TextLayout(width: width))
        let (before, after) = Templates.text.split(at: "findings")
        return (
            before.filled([
                "headline": joined(blocks.headline), "glance": joined(blocks.overview),
                "records": joined(blocks.records), "buckets": joined(blocks.buckets),
                "counts": joined(blocks.counts), "repairs": joined(blocks.repairs),
                "guards": joined(blocks.guards(refusedOnly: false)),
                "notes": joined(blocks.notes),
            ]),
            after.filled(["footer": joined(blocks.footer)])
        )
    }

    /// What stands above the findings of a kind, of which there are so many.
    static func sectionHead(_ kind: FindingKind, total: Int) -> String {
        let layout = TextLayout(width: width)
        let title = "\(kind.rawValue.uppercased()) (\(Figures.grouped(total)))"
        return joined(
            [title, String(repeating: "-", count: title.utf8.count)]
                + layout.wrapped(kind.meaning + " " + kind.advice) + [""])
    }

    /// One finding with everything that is known about it.
    static func rendered(_ finding: Finding) -> String {
        joined(TextFinding(finding, TextLayout(width: width)).full + [""])
    }

    /// What stands below the findings of a kind.
    static func sectionEnd(omission: String?) -> String {
        omission.map { joined(TextLayout(width: width).wrapped($0) + [""]) } ?? ""
    }

    private static func joined(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}
