import MooringModel

// The numbers at the top of `report.html`.

extension HTMLReport {
    private struct Tile {
        let title: String
        let figure: String
        /// How it changed, or what it is a part of.
        let notes: [String]
        /// The same number of earlier runs, the oldest first, and what it is called.
        let past: (values: [Double], name: String)

        init(title: String, figure: String, notes: [String], past: (values: [Double], name: String))
        {
            (self.title, self.figure, self.notes, self.past) = (title, figure, notes, past)
        }

        /// Of a run that did not look at the stores.
        init(notScanned title: String) {
            self.init(title: title, figure: "-", notes: ["not looked at"], past: ([], ""))
        }

        // One line where no style is allowed.
        var html: String {
            let drawing = Drawing.line(
                past.values, label: "\(past.name) of the last \(min(past.values.count, 30)) runs")
            return "<li class=\"tile\"><span class=\"tilename\">\(title):</span> "
                + "<strong class=\"figure\">\(figure)</strong> <span class=\"delta\">"
                + Markup.text(notes.joined(separator: "; ")) + "</span>"
                + (drawing.isEmpty ? "" : " " + drawing) + "</li>\n"
        }
    }

    /// What a reader asks first: who is affected, what it costs, what was done, what is left to do.
    static func tiles(_ summary: RunSummary, _ sums: PageSums) -> String {
        // A run that did not scan both sides tells nothing of them, and not that they are well.
        let earlier = summary.isCompleteScan ? summary.trend.last { $0.run != summary.id } : nil
        return "<ul class=\"tiles\" aria-label=\"At a glance\">\n"
            + [
                affected(summary, sums), orphaned(summary, earlier), repaired(summary),
                needsYou(summary),
            ].map(\.html).joined() + "</ul>\n"
    }

    private static func affected(_ summary: RunSummary, _ sums: PageSums) -> Tile {
        guard summary.hasScanned else { return Tile(notScanned: "Records without their file") }
        let isHeld = sums.recordCount >= PageSums.recordLimit
        let count = summary.counts[.dangling]?.total ?? 0
        return Tile(
            title: "Records without their file",
            figure: (isHeld ? "over " : "") + Figures.grouped(sums.recordCount),
            notes: ["\(Figures.counted(count, "dangling reference"))"] + change(summary, .dangling),
            past: (
                summary.trend.map { Double($0.findings[.dangling] ?? 0) }, "dangling references"
            ))
    }

    private static func orphaned(_ summary: RunSummary, _ earlier: RunSummary.Past?) -> Tile {
        guard summary.hasScanned else { return Tile(notScanned: "Orphan bytes") }
        let count = summary.counts[.orphan] ?? RunSummary.Count()
        let change = earlier.map { past -> String in
            let difference = count.bytes.subtractingReportingOverflow(past.orphanBytes).partialValue
            let sign = difference > 0 ? "+" : ""
            return difference == 0
                ? "as in the last run" : "\(sign)\(Figures.size(difference)) since the last run"
        }
        return Tile(
            title: "Orphan bytes", figure: Figures.size(count.bytes),
            notes: [Figures.counted(count.total, "orphan")] + (change.map { [$0] } ?? [])
                + monthly(summary),
            past: (summary.trend.map { Double($0.orphanBytes) }, "bytes of orphans"))
    }

    private static func monthly(_ summary: RunSummary) -> [String] {
        guard let prices = summary.prices, let cost = summary.cost else { return [] }
        return ["\(Figures.money(cost.orphans, prices.currency)) a month"]
    }

    private static func repaired(_ summary: RunSummary) -> Tile {
        let repairs = summary.repairs
        let undone = repairs.stale + repairs.failed
        var notes =
            repairs.planned == 0
            ? ["no step was planned"] : ["of \(Figures.counted(repairs.planned, "step")) planned"]
        if undone > 0 { notes.append("\(Figures.grouped(undone)) left undone") }
        return Tile(
            title: "Repaired", figure: Figures.grouped(repairs.done), notes: notes,
            past: (summary.trend.map { Double($0.repairs.done) }, "repairs"))
    }

    private static func needsYou(_ summary: RunSummary) -> Tile {
        // As the list of what needs a person has it, and the headline counts it.
        let needs = RunOverview.needs(summary).count
        let new = summary.change?.new.values.reduce(0, +)
        let notes = new.map { ["\(Figures.counted($0, "new finding"))"] } ?? []
        return Tile(
            title: "Needs you", figure: Figures.grouped(needs),
            notes: [needs == 0 ? "nothing" : "listed below"] + notes,
            past: (
                summary.trend.map { Double($0.findings.values.reduce(0, +)) }, "all findings"
            ))
    }

    private static func change(_ summary: RunSummary, _ kind: FindingKind) -> [String] {
        summary.change.map { change in
            let (new, gone) = (change.new[kind] ?? 0, change.gone[kind] ?? 0)
            return new == 0 && gone == 0
                ? ["as in the last run"]
                : ["+\(Figures.grouped(new)), -\(Figures.grouped(gone)) since the last run"]
        } ?? []
    }
}
