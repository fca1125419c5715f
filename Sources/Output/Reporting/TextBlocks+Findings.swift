import MooringModel

// Findings of one kind, those of one cause and verdict together.
extension TextBlocks {
    private struct Group: Hashable {
        let cause: FindingCause?
        let verdict: Verdict
    }

    /// The findings of a kind, which stand at these places, by cause and verdict, settled ones and
    /// large groups first, at most so many of each group; what is left out is counted, with the
    /// command that shows it.
    func findings(
        _ kind: FindingKind, _ own: [Int], of all: [Finding], limit: Int
    ) -> [String] {
        var groups: [Group: [Int]] = [:]
        var order: [Group] = []
        for place in own {
            let group = Group(cause: all[place].cause, verdict: all[place].verdict)
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(place)
        }
        let total = max(own.count, summary.counts[kind]?.total ?? 0)
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
        for group in order {
            let own = groups[group] ?? []
            lines += head(
                group, of: kind, own.count, bytes: bytes(of: own.lazy.map { all[$0].object }))
            for place in own.prefix(limit) { lines += TextFinding(all[place], layout).example }
            if own.count > limit { lines += rest(group, own.count - limit, kind) }
        }
        if total > own.count {
            lines.append("  ... and \(Figures.grouped(total - own.count)) more")
        }
        return lines + [""]
    }

    private func head(
        _ group: Group, of kind: FindingKind, _ count: Int, bytes: Int64
    ) -> [String] {
        let verdict = group.verdict.rawValue
        let words =
            (group.cause.map { ", \($0.rawValue)" } ?? "") + ": \(Figures.grouped(count))"
            + (bytes > 0 ? ", \(Figures.size(bytes))" : "") + " (\(group.verdict.plainWords))"
        var lines = layout.wrapped("\(verdict)\(words)", first: "  ", rest: "    ")
        lines[0] =
            "  " + layout.painted(verdict, Severity(kind, group.verdict).paint)
            + lines[0].dropFirst(2 + verdict.utf8.count)
        return lines
    }

    // A listing may claim any size.
    private func bytes(of objects: some Sequence<ObjectVersion?>) -> Int64 {
        objects.reduce(0) { sum, object in
            let (next, overflow) = sum.addingReportingOverflow(max(0, object?.size ?? 0))
            return overflow ? .max : next
        }
    }

    private func rest(_ group: Group, _ count: Int, _ kind: FindingKind) -> [String] {
        wrapped(
            "... and \(Figures.grouped(count)) more: mooring findings --kind \(kind.rawValue) "
                + "--verdict \(group.verdict.rawValue)"
                + (group.cause.map { " --cause \($0.rawValue)" } ?? ""))
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
