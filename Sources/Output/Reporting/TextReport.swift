package import MooringModel

/// A run in ASCII: `report.txt`, and the overview that commands print.
///
/// Foreign text is escaped as `VisibleText` describes; no line is longer than the width.
package enum TextReport: PageFormat {
    /// The file's name.
    static let fileName = "report.txt"
    /// The most findings of a kind in the overview.
    package static let overviewLimit = 10

    /// What a command prints of a run: the summary, the first findings of each kind, and what to
    /// do next. `samples` stand in report order; ten of each kind are shown, and those that are
    /// left out are counted. The width is at least 40 columns.
    package static func overview(
        _ summary: RunSummary, samples: [Finding], color: Bool, width: Int
    ) -> String {
        let blocks = TextBlocks(summary, TextLayout(width: width, color: color))
        var lines = blocks.headline + [""] + blocks.records + blocks.buckets + blocks.counts
        lines += blocks.guards(refusedOnly: true) + blocks.repairs + blocks.notes
        for kind in FindingKind.reportOrder {
            let findings = samples.filter { $0.kind == kind }
            guard !findings.isEmpty else { continue }
            let total = max(findings.count, summary.counts[kind]?.total ?? 0)
            let shown = findings.prefix(overviewLimit)
            lines += blocks.heading("\(kind.rawValue) (\(Figures.grouped(total)))")
            for finding in shown { lines += TextFinding(finding, blocks.layout).short }
            if total > shown.count {
                lines.append("  ... and \(Figures.grouped(total - shown.count)) more")
            }
            lines.append("")
        }
        return (lines + blocks.next).joined(separator: "\n") + "\n"
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
