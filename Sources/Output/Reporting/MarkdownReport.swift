import MooringModel

/// `report.md`: what a comment on a pull request or a step's summary shows.
///
/// Hosts refuse a longer text as a whole: sections that do not fit are left out, and named.
final class MarkdownReport: FindingReport {
    /// The most bytes of the file.
    static let byteLimit = 60_000

    private let folder: String
    private var groups = FindingGroups(byCause: false, limit: 0, examples: 3)

    /// A file in a folder.
    init(folder: String) {
        self.folder = folder
    }

    /// Adds a finding, or only counts it.
    func add(_ finding: Finding) { groups.add(finding) }

    /// Writes the file.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        let sections = MarkdownSections(summary)
        let examples = FindingKind.reportOrder.compactMap { kind in
            groups.sums[FindingGroup(restOf: kind)].map {
                sections.examples(kind, $0.examples, total: $0.total, placeOfAll: placeOfAll)
            }
        }
        let text = Self.fitted(
            head: sections.verdict,
            [
                sections.gates, sections.needs, sections.done, sections.waits, sections.counts,
                sections.problems,
            ] + examples + [sections.notes],
            end: sections.next, limit: Self.byteLimit)
        try Self.write(text, to: "\(folder)/\(ReportFormat.markdown.fileName)")
    }

    /// The sections that fit between head and end, in their order, and a sentence that names those
    /// that do not. Head and end are short by their making.
    static func fitted(
        head: String, _ sections: [MarkdownSection], end: String, limit: Int
    ) -> String {
        // Room for the longest sentence about what is left out.
        var room =
            limit - head.utf8.count - end.utf8.count
            - omission(sections.map(\.title)).utf8.count
        var body = ""
        var omitted: [String] = []
        for section in sections where !section.text.isEmpty {
            if section.text.utf8.count <= room {
                body += section.text
                room -= section.text.utf8.count
            } else {
                omitted.append(section.title)
            }
        }
        return head + body + (omitted.isEmpty ? "" : omission(omitted)) + end
    }

    private static func omission(_ titles: [String]) -> String {
        "_Left out, since this page has at most \(Figures.grouped(byteLimit)) bytes: "
            + "\(titles.joined(separator: ", "))._\n\n"
    }
}

/// A part of the page that is there as a whole or not at all.
struct MarkdownSection {
    /// What it is called where it is left out.
    let title: String
    /// Its text, with an empty line at its end; empty where there is nothing to say.
    let text: String
}

/// The sections of `report.md`. All foreign text stands in code spans and code blocks, in which
/// nothing acts, without the characters that end them or that a table would read.
struct MarkdownSections {
    private let summary: RunSummary
    private let overview: RunOverview

    private static let shown = ShownBytes(active: ["`", "|", "<", ">", "[", "]"], limit: 400)

    /// The sections of a run.
    init(_ summary: RunSummary) {
        self.summary = summary
        overview = RunOverview(summary)
    }

    /// The run, how it ended, and its numbers.
    var verdict: String {
        let counts = summary.counts.values
        func sum(_ number: (RunSummary.Count) -> Int) -> Int {
            counts.reduce(0) { $0 + number($1) }
        }
        var numbers =
            "\(Figures.counted(sum(\.total), "finding")): \(Figures.grouped(sum(\.settled)))"
        numbers += " settled, \(Figures.grouped(sum(\.explained))) explained, "
        numbers += "\(Figures.grouped(sum(\.undecided))) undecided"
        if let change = summary.change {
            let new = change.new.values.reduce(0, +)
            let gone = change.gone.values.reduce(0, +)
            numbers += "; since run \(change.since.text) \(Figures.grouped(new)) new, "
            numbers += "\(Figures.grouped(gone)) gone"
        }
        let failed = summary.gates.count { !$0.passed }
        var gates = "**\(failed) of \(Figures.counted(summary.gates.count, "gate")) failed.** "
        if summary.gates.isEmpty { gates = "" }
        if !summary.isCompleteScan { gates = "**The run proves no absence.** " }
        let headline = Headline(summary)
        // Why a run failed is foreign text, and stands in a block below.
        let clauses = summary.status == .failed ? [] : headline.clauses
        return "## Mooring \(code(summary.command)): \(summary.status.rawValue)\n\n"
            + "**\(headline.level.rawValue)**"
            + (clauses.isEmpty ? "" : ": \(clauses.joined(separator: " \u{B7} "))") + "\n\n"
            + "\(gates)\(numbers).\n\n"
            + (summary.isCompleteScan && summary.reason == nil ? "" : block([overview.status]))
            + "Run \(summary.id.text), \(Figures.times(of: summary)), version "
            + "\(code(summary.programVersion)).\n\n"
    }

    /// What `check` compared.
    var gates: MarkdownSection {
        table(
            "Gates", ["gate", "value", "result"],
            summary.gates.map {
                // What was counted of half a scan passes or fails nothing.
                let answer = $0.passed ? "passed" : "**failed**"
                return [
                    gate($0.gate), $0.shown,
                    summary.isCompleteScan ? answer : "not judged",
                ]
            })
    }

    /// The findings by kind, and what changed since the run before.
    var counts: MarkdownSection {
        let kinds = FindingKind.reportOrder.filter {
            (summary.counts[$0]?.total ?? 0) > 0 || (summary.change?.gone[$0] ?? 0) > 0
        }
        return table(
            "Findings",
            ["kind", "settled", "explained", "undecided", "since before", "bytes"],
            kinds.map { kind in
                let count = summary.counts[kind] ?? RunSummary.Count()
                let change = summary.change.map {
                    "+" + Figures.grouped($0.new[kind] ?? 0)
                        + " \u{2212}" + Figures.grouped($0.gone[kind] ?? 0)
                }
                return [kind.rawValue]
                    + [count.settled, count.explained, count.undecided].map { Figures.grouped($0) }
                    + [change ?? "", count.bytes > 0 ? Figures.size(count.bytes) : ""]
            })
    }

    /// What needs a person, refused guards among it.
    var needs: MarkdownSection { listed("Needs you", overview.needs) }

    /// Why no more is repaired.
    var waits: MarkdownSection { listed("Why not more", overview.waits) }

    /// The first steps that ended, those that were left undone before the others.
    var done: MarkdownSection {
        let ordered = summary.stepsUndoneFirst
        let shown = 20
        var lines = ordered.prefix(shown).map { step in
            let subject = String(decoding: step.subject, as: UTF8.self)
            return "\(step.outcome.rawValue) \(step.strategy.rawValue) \(subject)"
                + (step.reason.map { ": \($0)" } ?? "")
        }
        if ordered.count > shown {
            lines.append("and \(Figures.grouped(ordered.count - shown)) more")
        }
        if summary.done.contains(where: \.canBeUndone) {
            lines.append("to take it back: mooring undo \(summary.id.text) --apply")
        }
        return listed("Done", lines)
    }

    /// What was met while the sides were read.
    var problems: MarkdownSection {
        let sides =
            summary.records.map { ($0.name, $0.scan) } + summary.buckets.map { ($0.name, $0.scan) }
        let shown = 10
        return listed(
            "Problems of the scans",
            sides.flatMap { name, scan in
                let rest = scan.problemCount - min(shown, scan.problems.count)
                return scan.problems.prefix(shown).map { "\(name): \($0)" }
                    + (rest > 0 ? ["\(name): and \(Figures.grouped(rest)) more"] : [])
            })
    }

    /// Sentences that every reader must see.
    var notes: MarkdownSection {
        listed("Notes", summary.notes)
    }

    /// The first findings of a kind.
    func examples(
        _ kind: FindingKind, _ examples: [FindingExample], total: Int, placeOfAll: String?
    ) -> MarkdownSection {
        var text = "### \(kind.rawValue) (\(Figures.grouped(total)))\n\n\(kind.meaning)\n\n"
        for example in examples {
            let title = Self.shown.text(example.title, ascii: example.needsASCII)
            text += "- `\(title)` (\(example.verdict))"
            text += example.record.map { ", `\(Self.shown.text($0))`" } ?? ""
            text += "\n"
        }
        if total > examples.count {
            let place =
                placeOfAll.map { "`\($0)`" } ?? "`mooring findings --run \(summary.id.text)`"
            text += "- and \(Figures.grouped(total - examples.count)) more: \(place)\n"
        }
        return MarkdownSection(title: kind.rawValue, text: text + "\n")
    }

    /// What to do next, most urgent first.
    var next: String {
        "### Next\n\n" + block(Array(overview.next.prefix(10)))
    }

    private func table(
        _ title: String, _ headings: [String], _ rows: [[String]]
    ) -> MarkdownSection {
        guard !rows.isEmpty else { return MarkdownSection(title: title, text: "") }
        let lines = [headings, headings.map { _ in "---" }] + rows
        let text = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        return MarkdownSection(title: title, text: "### \(title)\n\n\(text)\n")
    }

    private func listed(_ title: String, _ sentences: [String]) -> MarkdownSection {
        guard !sentences.isEmpty else { return MarkdownSection(title: title, text: "") }
        return MarkdownSection(title: title, text: "### \(title)\n\n" + block(sentences))
    }

    private func code(_ text: String) -> String { "`\(Self.shown.text(text))`" }

    // A text of the configuration, in which a comparison stays one.
    private func gate(_ text: String) -> String {
        "`\(ShownBytes(active: ["`", "|"], limit: 400).text(text))`"
    }

    // Sentences that quote foreign text, a line each.
    private func block(_ sentences: [String]) -> String {
        let lines = sentences.map { Self.shown.text($0) + "\n" }
        return "```text\n" + lines.joined() + "```\n\n"
    }
}
