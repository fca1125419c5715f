import MooringModel

/// A run as one HTML file: a page to read where nothing may run, and to search where its one script
/// may. Nothing is loaded, from nowhere.
final class HTMLReport: FindingReport {
    /// The file's name.
    static let fileName = "report.html"
    /// The most findings of all kinds together that the page holds.
    static let limit = 500_000
    /// The most findings of a kind that are told without the script.
    static let shownLimit = 50

    private struct Part {
        let list: OutputFile
        let blocks: PageBlocks
    }

    private let folder: String
    private let limit: Int
    private let sizes: PageBlocks.Sizes
    private let cut: PageCut
    private var left: PageCut
    private var parts: [FindingKind: Part] = [:]
    private var sums = PageSums()

    /// A page in a folder, of at most so many findings; beyond, those stay that the cut keeps.
    init(
        folder: String, limit: Int = HTMLReport.limit, sizes: PageBlocks.Sizes = .init(),
        cut: PageCut = PageCut()
    ) {
        (self.folder, self.limit, self.sizes) = (folder, limit, sizes)
        (self.cut, left) = (cut, cut)
    }

    /// Adds a finding.
    func add(_ finding: Finding) throws(ReportError) {
        let part = try part(finding.kind)
        let facts = FindingFacts(finding)
        sums.add(finding)
        if left.keeps(finding) { try part.blocks.add(finding, facts) } else { part.blocks.skip() }
        guard part.blocks.total <= Self.shownLimit else { return }
        try part.list.append(Self.rendered(finding, facts))
    }

    private func part(_ kind: FindingKind) throws(ReportError) -> Part {
        if let part = parts[kind] { return part }
        let path = "\(folder)/.\(Self.fileName).\(kind.rawValue)"
        let part = Part(
            list: try OutputFile(creating: path),
            blocks: try PageBlocks(kind, path: path, limit: limit, sizes: sizes))
        parts[kind] = part
        return part
    }

    /// Puts the page together; `placeOfAll` is the file that holds every finding, if one does.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        let totals = parts.mapValues(\.blocks.total)
        let shares = PageBlocks.shares(of: totals, limit: limit)
        let kinds = FindingKind.reportOrder.filter { parts[$0] != nil }
        var kept: [FindingKind: Int] = [:]
        for kind in kinds { kept[kind] = try parts[kind]?.blocks.kept(within: shares[kind] ?? 0) }
        let commandOfAll = "mooring report \(summary.id.text) --format json"
        let place =
            placeOfAll.map { "all of them are in \($0)" } ?? "'\(commandOfAll)' writes all of them"
        let file = try OutputFile(creating: "\(folder)/\(Self.fileName)")
        let page = Self.page(summary, sums)
        try file.append(page.before)
        if kinds.isEmpty { try file.append("<p class=\"none\">No findings.</p>\n") }
        for kind in kinds {
            guard let part = parts[kind] else { continue }
            try file.append(Self.sectionHead(kind, total: part.blocks.total))
            try file.append(contentsOf: part.list)
            let note = Self.omission(
                shown: Self.shownLimit, total: part.blocks.total, kept: kept[kind] ?? 0,
                place)
            try file.append(Self.sectionEnd(omission: note))
            try part.list.remove()
        }
        try file.append(page.between)
        let note = Self.omission(totals: totals, kept: kept, place, cut)
        try file.append(Self.data(PageCodes.json(summary, totals: totals, omission: note)))
        for kind in kinds { try parts[kind]?.blocks.appendColumns(to: file, kept: kept[kind] ?? 0) }
        try file.append(page.script)
        for kind in kinds {
            try parts[kind]?.blocks.appendDetails(to: file, kept: kept[kind] ?? 0)
            try parts[kind]?.blocks.remove()
        }
        parts = [:]
        try file.append(page.after)
        try file.close()
    }

    /// How many of a kind's findings are not told without the script, and where they are.
    private static func omission(shown: Int, total: Int, kept: Int, _ place: String) -> String? {
        guard total > shown else { return nil }
        let inPage =
            kept == total
            ? "The search of this page, which needs its script, finds all of them"
            : "The search of this page, which needs its script, finds "
                + "\(Figures.grouped(kept)) of them"
        return "\(Figures.grouped(shown)) of \(Figures.grouped(total)) are shown here. \(inPage); "
            + "\(place)."
    }

    /// What the page does not hold at all, by kind; nil where it holds everything.
    private static func omission(
        totals: [FindingKind: Int], kept: [FindingKind: Int], _ place: String, _ cut: PageCut
    ) -> String? {
        let cut = FindingKind.reportOrder.compactMap { kind -> String? in
            guard let total = totals[kind], let held = kept[kind], held < total else { return nil }
            let part = "\(Figures.grouped(held)) of \(Figures.grouped(total)) of '\(kind.rawValue)'"
            return cut.isCut(kind)
                ? "\(part), those with the most bytes, and of as many the first by their keys"
                : "the first \(part), in the order of their keys"
        }
        guard !cut.isEmpty else { return nil }
        return "This page holds at most \(Figures.grouped(limit)) findings: "
            + cut.joined(separator: "; ") + ". \(place.prefix(1).uppercased())"
            + "\(place.dropFirst())."
    }

    // JSON in an element: no `<` of a text may end it.
    private static func data(_ value: JSONValue) -> String {
        let json = String(decoding: value.rendered, as: UTF8.self).replacing("<", with: "\\u003c")
        return "<script type=\"application/json\" id=\"meta\">\(json)</script>\n"
    }
}

extension PageCodes {
    /// What the script needs beside the rows: the lists that codes point into, with what they
    /// mean, and what is left out.
    static func json(
        _ summary: RunSummary, totals: [FindingKind: Int], omission: String?
    ) -> JSONValue {
        func words(_ entries: [(String, String)]) -> JSONValue {
            .array(entries.map { .members(["name": .string($0.0), "meaning": .string($0.1)]) })
        }
        return .members([
            "run": .string(summary.id.text),
            "end": .integer((summary.finishedAt ?? summary.startedAt).nanoseconds / 1_000_000_000),
            "kinds": .array(
                kinds.map {
                    .members([
                        "name": .string($0.rawValue), "meaning": .string($0.meaning),
                        "advice": .string($0.advice),
                        "total": .integer(Int64(totals[$0] ?? 0)),
                    ])
                }),
            "severities": .texts(severities.map(\.rawValue)),
            "causes": words(causes.map { ($0.rawValue, $0.meaning) }),
            "verdicts": words(verdicts.map { ($0.rawValue, $0.meaning) }),
            "actions": .texts(actions.map(\.rawValue)),
            "outcomes": .texts(outcomes.map(\.rawValue)), "omission": .text(omission),
        ])
    }
}
