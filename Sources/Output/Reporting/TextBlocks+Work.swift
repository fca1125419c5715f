import MooringModel

// What a reader acts on: the change, what was done, what needs a person, what the rest waits for.
extension TextBlocks {
    /// What is new since the newest complete scan before, and what is gone.
    var news: [String] {
        guard let change = summary.change else { return [] }
        let kinds = FindingKind.reportOrder.compactMap { kind -> String? in
            let (new, gone) = (change.new[kind] ?? 0, change.gone[kind] ?? 0)
            guard new + gone > 0 else { return nil }
            return "\(kind.rawValue): \(Figures.grouped(new)) new, \(Figures.grouped(gone)) gone"
        }
        return heading("Since \(change.since.text)")
            + (kinds.isEmpty ? ["nothing new, nothing gone"] : kinds).flatMap(wrapped) + [""]
    }

    /// The steps that ended, at most so many of them, and what takes them back.
    func done(limit: Int) -> [String] {
        let repairs = summary.repairs
        let total = repairs.done + repairs.stale + repairs.failed
        guard !summary.done.isEmpty else { return [] }
        let ordered = summary.stepsUndoneFirst
        var lines = heading("Done")
        for step in ordered.prefix(limit) { lines += line(step) }
        let left = total - min(limit, ordered.count)
        if left > 0 { lines.append("  ... and \(Figures.grouped(left)) more") }
        if summary.done.contains(where: \.canBeUndone) {
            lines += wrapped("to take it back: mooring undo \(summary.id.text) --apply")
        }
        return lines + [""]
    }

    /// What a person has to see to, numbered.
    var needs: [String] {
        guard !sentences.needs.isEmpty else { return [] }
        return heading("Needs you")
            + sentences.needs.enumerated().flatMap { place, need in
                layout.wrapped(
                    VisibleText.ascii(need), first: "  \(place + 1). ", rest: "     ")
            } + [""]
    }

    /// Why no more is repaired.
    var waits: [String] {
        guard !sentences.waits.isEmpty else { return [] }
        return heading("Why not more") + sentences.waits.flatMap(wrapped) + [""]
    }

    /// Why a plan takes no more: what waits, and what somebody else decides.
    var leftOut: [String] {
        let sentences = RunOverview.leftOut(summary)
        return sentences.isEmpty ? [] : heading("Why not more") + sentences.flatMap(wrapped)
    }

    /// What each gate compared.
    var gates: [String] {
        guard !summary.gates.isEmpty else { return [] }
        return heading("Gates")
            + summary.gates.flatMap { gate in
                let isJudged = summary.judges(gate)
                let lines = wrapped(
                    isJudged
                        ? gate.line
                        : "gate not judged: \(gate.gate), since a side was not read to its end")
                return gate.passed || !isJudged
                    ? lines : lines.map { "  " + layout.painted(String($0.dropFirst(2)), .red) }
            } + [""]
    }

    /// The run on one line, as test runners end.
    var lastLine: String {
        let found = summary.counts.values.reduce(0) { $0 + $1.total }
        let new = summary.change.map { $0.new.values.reduce(0, +) }
        let repairs = summary.repairs
        var parts = [
            Figures.counted(found, "finding")
                + (new.map { " (\(Figures.grouped($0)) new)" } ?? "")
        ]
        if repairs.done + repairs.stale + repairs.failed > 0 {
            parts.append(
                "\(Figures.grouped(repairs.done)) done, "
                    + "\(Figures.grouped(repairs.stale + repairs.failed)) undone")
        }
        if !summary.gates.isEmpty {
            let passed = summary.gates.count(where: \.passed)
            parts.append("\(passed) of \(Figures.counted(summary.gates.count, "gate")) passed")
        }
        let time = summary.finishedAt.map { " in \(($0 - summary.startedAt).label)" } ?? ""
        let level = Headline(summary).level
        return layout.painted(level.rawValue, level.paint) + " "
            + parts.joined(separator: ", ") + time
    }

    private func line(_ step: RunSummary.EndedStep) -> [String] {
        let subject = VisibleText.ascii(step.subject)
        let head =
            "  \(TextLayout.column(step.outcome.rawValue, 9)) "
            + "\(TextLayout.column(step.strategy.rawValue, 13)) "
        let reason = step.reason.map { ": " + VisibleText.ascii($0) } ?? ""
        return layout.wrapped(subject + reason, first: head, rest: "      ")
    }
}

extension Headline.Level {
    /// Its colour on a terminal.
    var paint: TextLayout.Color {
        switch self {
        case .ok: .green
        case .attention, .incomplete, .interrupted, .running: .yellow
        case .refused, .failed: .red
        }
    }
}

extension Severity {
    /// Its colour on a terminal; nil of what is no alarm.
    var paint: TextLayout.Color? {
        switch self {
        case .error: .red
        case .warning: .yellow
        case .note: nil
        }
    }
}
