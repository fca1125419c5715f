import MooringModel

/// A run as one HTML file without scripts, links to elsewhere, or anything to be loaded.
enum HTMLReport: PageFormat {
    /// The file's name.
    static let fileName = "report.html"

    /// What stands before and after the findings.
    static func page(_ summary: RunSummary) -> (before: String, after: String) {
        let overview = RunOverview(summary)
        let (before, after) = Templates.page.split(at: "findings")
        return (
            before.filled([
                "style": Templates.style, "command": summary.command, "run": summary.id.text,
                "status": summary.status.rawValue, "times": Figures.times(of: summary),
                "statusSentence": overview.status, "found": list(overview.found),
                "refused": refused(overview), "next": list(overview.next),
                "notes": notes(summary.notes), "guards": guards(summary.guards),
                "repairs": repairs(summary.repairs), "records": records(summary.records),
                "buckets": buckets(summary.buckets), "counts": counts(summary.counts),
            ]),
            after.filled([
                "version": summary.programVersion, "configuration": summary.configuration,
            ])
        )
    }

    private static func refused(_ overview: RunOverview) -> String {
        guard !overview.refused.isEmpty else { return "" }
        return "<div class=\"card bad\">\n<h3>Refused</h3>\n\(list(overview.refused))\n</div>\n"
    }

    private static func notes(_ notes: [String]) -> String {
        guard !notes.isEmpty else { return "" }
        return "<div class=\"card wide\">\n<h3>Notes</h3>\n\(list(notes))\n</div>\n"
    }

    private static func list(_ sentences: [String]) -> String {
        "<ul>\n" + sentences.map { "<li>\(Markup.text($0))</li>\n" }.joined() + "</ul>"
    }

    private static func guards(_ guards: [RunSummary.Guard]) -> String {
        table(
            "Guards, and the numbers that they compared",
            ["guard", "answer", "measured", "limit", "what to do"],
            guards.map { answer in
                let word = answer.refused ? "refused" : "passed"
                return [
                    .text(answer.title), .mark(word, word), .text(answer.value),
                    .text(answer.limit),
                    .text([answer.cause, answer.hint].compactMap { $0 }.joined(separator: "; ")),
                ]
            })
    }

    private static func repairs(_ repairs: RunSummary.Repairs) -> String {
        guard repairs != RunSummary.Repairs() else { return "" }
        return table(
            "Repairs: steps by how they ended", ["planned", "done", "stale", "failed"],
            [
                [repairs.planned, repairs.done, repairs.stale, repairs.failed]
                    .map { .number(Figures.grouped($0)) }
            ])
    }

    private static func records(_ records: [RunSummary.Records]) -> String {
        table(
            "Record sources", ["source", "kind", "records", "references"] + scanHeadings,
            records.map { source in
                [
                    .text(source.name), .text(source.kind),
                    .number(Figures.grouped(source.records)),
                    .number(Figures.grouped(source.references)),
                ] + scan(source.scan)
            }) + records.map { problems($0.name, $0.scan) }.joined()
    }

    private static func buckets(_ buckets: [RunSummary.Objects]) -> String {
        table(
            "Buckets", ["bucket", "kind", "objects", "bytes", "in quarantine"] + scanHeadings,
            buckets.map { bucket in
                let size = Figures.size(bucket.quarantinedBytes)
                let quarantined =
                    bucket.quarantined == 0
                    ? "none" : "\(Figures.grouped(bucket.quarantined)) (\(size))"
                return [
                    .text(bucket.name), .text(bucket.kind),
                    .number(Figures.grouped(bucket.objects)),
                    .number(Figures.size(bucket.bytes)), .number(quarantined),
                ] + scan(bucket.scan)
            }) + buckets.map { problems($0.name, $0.scan) }.joined()
    }

    private static let scanHeadings = ["scan", "consistency", "window"]

    private static func scan(_ scan: ScanResult.Summary) -> [Cell] {
        [
            scan.complete ? .mark("complete", "complete") : .mark("incomplete", "incomplete"),
            .text(scan.consistency),
            .text(
                "\(Figures.time(scan.window.from)) + \((scan.window.to - scan.window.from).label)"),
        ]
    }

    private static func problems(_ name: String, _ scan: ScanResult.Summary) -> String {
        guard !scan.problems.isEmpty else { return "" }
        let rest = scan.problemCount - scan.problems.count
        let sentences =
            rest > 0
            ? scan.problems + ["and \(Figures.grouped(rest)) more problems"] : scan.problems
        return "<h3>Problems of \(Markup.text(name))</h3>\n\(list(sentences))\n"
    }

    private static func counts(_ counts: [FindingKind: RunSummary.Count]) -> String {
        let kinds = FindingKind.reportOrder.filter { (counts[$0]?.total ?? 0) > 0 }
        return table(
            "Findings by kind and verdict",
            ["kind", "settled", "explained", "undecided", "new", "bytes", "settled bytes"],
            kinds.map { kind in
                let count = counts[kind] ?? RunSummary.Count()
                return [.link(kind.rawValue, "#\(kind.rawValue)")]
                    + [count.settled, count.explained, count.undecided, count.new]
                    .map { .number(Figures.grouped($0)) }
                    + [count.bytes, count.settledBytes].map { .number(Figures.size($0)) }
            })
    }
}

extension HTMLReport {
    /// One cell of a table, not yet escaped.
    enum Cell {
        case text(String)
        case number(String)
        /// A word with a class of the style sheet.
        case mark(String, String)
        /// A word with a place in the same page.
        case link(String, String)
    }

    /// A table with a caption; a sentence instead where there are no rows.
    static func table(_ caption: String, _ headings: [String], _ rows: [[Cell]]) -> String {
        let title = Markup.text(caption)
        guard !rows.isEmpty else { return "<p class=\"none\">\(title): none.</p>\n" }
        // What scrolls must be reachable by the keyboard, and so needs a name.
        var html = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(title)\">"
        html += "\n<table>\n<caption>\(title)</caption>\n<thead><tr>"
        for (index, heading) in headings.enumerated() {
            let isNumber = if case .number = rows[0][index] { true } else { false }
            html += "<th scope=\"col\"\(isNumber ? " class=\"number\"" : "")>"
            html += Markup.text(heading) + "</th>"
        }
        html += "</tr></thead>\n<tbody>\n"
        for row in rows { html += "<tr>" + row.map(cell).joined() + "</tr>\n" }
        return html + "</tbody>\n</table></div>\n"
    }

    private static func cell(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): "<td>\(Markup.text(text))</td>"
        case .number(let text):
            "<td class=\"number\(text == "0" || text == "0 B" ? " zero" : "")\">"
                + "\(Markup.text(text))</td>"
        case .mark(let text, let style):
            "<td><span class=\"mark \(style)\">\(Markup.text(text))</span></td>"
        case .link(let text, let target):
            "<td><a href=\"\(Markup.text(target))\">\(Markup.text(text))</a></td>"
        }
    }
}
