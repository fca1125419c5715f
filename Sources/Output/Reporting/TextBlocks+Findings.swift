import MooringModel

// Findings of one kind, those of one cause and verdict together.
extension TextBlocks {
    private struct Group: Hashable {
        let cause: FindingCause?
        let verdict: Verdict
    }

    /// The findings of a kind by cause and verdict, settled ones and large groups first, at most so
    /// many of each group; what is left out is counted, with the command that shows it.
    func findings(_ kind: FindingKind, _ all: [Finding], limit: Int) -> [String] {
        var groups: [Group: [Finding]] = [:]
        var order: [Group] = []
        for finding in all {
            let group = Group(cause: finding.cause, verdict: finding.verdict)
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(finding)
        }
        let total = max(all.count, summary.counts[kind]?.total ?? 0)
        var lines = heading("\(kind.rawValue) (\(Figures.grouped(total)))")
        let ranks: [Verdict] = [.settled, .undecided, .explained]
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        order.sort { one, other in
            let keys = [one, other].map {
                (
                    ranks.firstIndex(of: $0.verdict) ?? 0, -(groups[$0]?.count ?? 0),
                    places[$0] ?? 0
                )
            }
            return keys[0] < keys[1]
        }
        for group in order { lines += self.lines(group, groups[group] ?? [], kind, limit) }
        if total > all.count {
            lines.append("  ... and \(Figures.grouped(total - all.count)) more")
        }
        return lines + [""]
    }

    private func lines(
        _ group: Group, _ findings: [Finding], _ kind: FindingKind, _ limit: Int
    ) -> [String] {
        let verdict = group.verdict.rawValue
        let paint = Severity(kind, group.verdict).paint
        let bytes = findings.reduce(Int64(0)) { sum, finding in
            let (next, overflow) = sum.addingReportingOverflow(max(0, finding.object?.size ?? 0))
            return overflow ? .max : next
        }
        let words =
            (group.cause.map { ", \($0.rawValue)" } ?? "") + ": \(Figures.grouped(findings.count))"
            + (bytes > 0 ? ", \(Figures.size(bytes))" : "") + " (\(group.verdict.plainWords))"
        var lines = layout.wrapped("\(verdict)\(words)", first: "  ", rest: "    ")
        lines[0] =
            "  " + layout.painted(verdict, paint) + lines[0].dropFirst(2 + verdict.utf8.count)
        for finding in findings.prefix(limit) { lines += TextFinding(finding, layout).example }
        if findings.count > limit {
            lines += wrapped(
                "... and \(Figures.grouped(findings.count - limit)) more: mooring findings "
                    + "--kind \(kind.rawValue) --verdict \(verdict)"
                    + (group.cause.map { " --cause \($0.rawValue)" } ?? ""))
        }
        return lines
    }
}

extension Verdict {
    /// What the verdict means to who reads it for the first time.
    var plainWords: String {
        switch self {
        case .settled: "nothing in flight explains it"
        case .explained: "a device may still be at work: wait"
        case .undecided: "a doubt is left: look"
        }
    }
}
