import MooringModel

/// A form of report that is one page: a summary around sections of findings, one for each kind.
protocol PageFormat {
    /// The file's name.
    static var fileName: String { get }
    /// What stands before and after the findings.
    static func page(_ summary: RunSummary) -> (before: String, after: String)
    /// What stands above the findings of a kind, of which there are so many.
    static func sectionHead(_ kind: FindingKind, total: Int) -> String
    /// One finding with everything that is known about it.
    static func rendered(_ finding: Finding) -> String
    /// What stands below the findings of a kind; `omission` says how many are left out.
    static func sectionEnd(omission: String?) -> String
}

/// Writes a page while its findings pass by: since the summary stands above them and is known
/// last, each kind's findings wait in a file of their own.
final class PageWriter: FindingReport {
    /// The most findings of a kind on a page.
    static let shownLimit = 1_000

    private let format: any PageFormat.Type
    private let folder: String
    private var sections: [FindingKind: Section] = [:]

    private struct Section {
        let part: OutputFile
        var total = 0
    }

    /// A page in a folder.
    init(_ format: any PageFormat.Type, folder: String) {
        self.format = format
        self.folder = folder
    }

    /// Adds a finding, or counts it where enough are shown.
    func add(_ finding: Finding) throws(ReportError) {
        if sections[finding.kind] == nil {
            let path = "\(folder)/.\(format.fileName).\(finding.kind.rawValue)"
            sections[finding.kind] = Section(part: try OutputFile(creating: path))
        }
        sections[finding.kind]?.total += 1
        guard let section = sections[finding.kind], section.total <= Self.shownLimit else { return }
        try section.part.append(format.rendered(finding))
    }

    /// Puts the page together; `placeOfAll` is the file that holds every finding, if one does.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        let file = try OutputFile(creating: "\(folder)/\(format.fileName)")
        let page = format.page(summary)
        try file.append(page.before)
        for kind in FindingKind.reportOrder {
            guard let section = sections[kind] else { continue }
            try file.append(format.sectionHead(kind, total: section.total))
            try file.append(contentsOf: section.part)
            let omission = Self.omission(
                total: section.total, run: summary.id, placeOfAll: placeOfAll)
            try file.append(format.sectionEnd(omission: omission))
            try section.part.remove()
        }
        sections = [:]
        try file.append(page.after)
        try file.close()
    }

    /// How many of a kind's findings are left out, and where they all are; nil when none is.
    static func omission(total: Int, run: RunID, placeOfAll: String?) -> String? {
        guard total > shownLimit else { return nil }
        let place =
            placeOfAll.map { "all of them are in \($0)." }
            ?? "'mooring report \(run.text) --format json' writes all of them."
        return "\(Figures.grouped(shownLimit)) of \(Figures.grouped(total)) are shown; "
            + "\(Figures.grouped(total - shownLimit)) are left out here, and \(place)"
    }
}
