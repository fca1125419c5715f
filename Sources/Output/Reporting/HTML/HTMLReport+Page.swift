import MooringModel

// What stands around the findings in `report.html`, from the run's summary and sums.

extension HTMLReport {
    /// The page around what is written in pieces: the findings as a list, their columns, and the
    /// whole ones, which stand behind the script so that it need not wait for them.
    static func page(
        _ summary: RunSummary, _ sums: PageSums
    ) -> (before: String, between: String, script: String, after: String) {
        let overview = RunOverview(summary)
        let (before, rest) = Templates.page.split(at: "findings")
        let (between, last) = rest.split(at: "data")
        let (script, after) = last.split(at: "details")
        return (
            before.filled([
                "policy": ContentPolicy.text(script: Templates.script, style: Templates.style),
                "style": Templates.style, "command": summary.command, "run": summary.id.text,
                "status": summary.status.rawValue, "times": Figures.times(of: summary),
                "app": app(summary), "verdict": Headline(summary).sentence(),
                "tiles": tiles(summary, sums), "refused": refused(overview),
                "next": list(overview.next), "notes": notes(summary.notes),
                "done": done(summary), "waiting": waiting(summary.waiting),
                "counts": counts(summary.counts), "shares": shares(sums, summary),
                "guards": guards(summary.guards), "gates": gates(summary.gates),
                "open": summary.guards.contains(where: \.refused) || !isWhole(summary)
                    ? " open" : "",
                "records": records(summary.records), "buckets": buckets(summary.buckets),
            ]),
            between.filled([
                "version": summary.programVersion, "configuration": summary.configuration,
            ]), script.filled(["script": Templates.script]), after.filled([:])
        )
    }

    // The app goes by the names of its record sources.
    private static func app(_ summary: RunSummary) -> String {
        let names = summary.records.map(\.name)
        guard let first = names.first else { return "Mooring \(summary.command)" }
        return names.count > 2
            ? "\(first) and \(names.count - 1) more" : names.joined(separator: " and ")
    }

    private static func isWhole(_ summary: RunSummary) -> Bool {
        summary.records.allSatisfy(\.scan.complete) && summary.buckets.allSatisfy(\.scan.complete)
    }

    private static func refused(_ overview: RunOverview) -> String {
        guard !overview.needs.isEmpty else { return "" }
        return "<h3>Needs you</h3>\n\(list(overview.needs, style: "refused"))\n"
    }

    private static func notes(_ notes: [String]) -> String {
        guard !notes.isEmpty else { return "" }
        return "<h3>Notes</h3>\n\(list(notes))\n"
    }

    private static func list(_ sentences: [String], style: String? = nil) -> String {
        "<ul\(style.map { " class=\"\($0)\"" } ?? "")>\n"
            + sentences.map { "<li>\(Markup.text($0))</li>\n" }.joined() + "</ul>"
    }

    private static func done(_ summary: RunSummary) -> String {
        guard !summary.done.isEmpty else { return "" }
        let all = summary.repairs.done + summary.repairs.stale + summary.repairs.failed
        let rest = all - summary.done.count
        let note =
            rest > 0
            ? "<p>\(Figures.counted(rest, "more step")) stand in the journal: "
                + "<code>mooring explain</code> with a key tells what was done about it.</p>\n" : ""
        return table(
            "Steps that ended", ["outcome", "step", "what", "why", "take it back"],
            summary.done.map { step in
                let undo =
                    step.canBeUndone
                    ? "mooring undo \(summary.id.text) --step \(ShellWord.quoting(step.id)) --apply"
                    : ""
                return [
                    .mark(step.outcome.rawValue, step.outcome.rawValue),
                    .text(step.strategy.rawValue),
                    .code(step.key?.bytes ?? step.record.map(FindingFacts.text) ?? []),
                    .text(step.reason ?? ""), .command(undo),
                ]
            }) + note
    }

    private static func waiting(_ waiting: [RunSummary.Waiting]) -> String {
        guard !waiting.isEmpty else { return "" }
        return table(
            "Findings by what they wait for",
            ["kind", "waits for", "findings", "bytes", "until"],
            waiting.map { sum in
                [
                    .link(sum.kind.rawValue, "#kind=\(sum.kind.rawValue)"),
                    .text(sum.proof ?? sum.reason.meaning),
                    .number(Figures.grouped(sum.findings)), .number(Figures.size(sum.bytes)),
                    .text(sum.last.map { Figures.time($0) } ?? ""),
                ]
            })
    }

    private static func gates(_ gates: [RunSummary.Gate]) -> String {
        guard !gates.isEmpty else { return "" }
        return table(
            "Gates", ["gate", "answer", "measured"],
            gates.map { gate in
                let word = gate.passed ? "passed" : "failed"
                return [
                    .text(gate.gate), .mark(word, word), .number(Figures.grouped(gate.value)),
                ]
            })
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

    private static func scan(_ scan: ScanResult.Summary) -> [HTMLTable.Cell] {
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
                return [.link(kind.rawValue, "#kind=\(kind.rawValue)")]
                    + [count.settled, count.explained, count.undecided, count.new]
                    .map { .number(Figures.grouped($0)) }
                    + [count.bytes, count.settledBytes].map { .number(Figures.size($0)) }
            })
    }

    private static func table(
        _ caption: String, _ headings: [String], _ rows: [[HTMLTable.Cell]]
    ) -> String {
        HTMLTable(caption: caption, headings: headings, rows: rows).html
    }
}

extension RunSummary.Waiting.Reason {
    /// What it takes, in a few words.
    fileprivate var meaning: String {
        switch self {
        case .ready: "nothing: the next plan takes them"
        case .proof: "a proof"
        case .explained: "time: a device in flight may still be the reason"
        case .undecided: "a person: a doubt is left"
        case .policy: "another policy: it keeps them"
        case .hand: "a person: no strategy is for this kind"
        }
    }
}
