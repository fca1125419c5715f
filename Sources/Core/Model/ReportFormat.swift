/// A form in which a run is reported, as `--format` and `report.formats` spell it.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// `report.json` and `findings.jsonl`, which holds every finding.
    case json
    /// `report.html`, one file that needs no network and no script.
    case html
    /// `report.txt`, in ASCII and 80 columns.
    case text
    /// `findings.csv`, which holds every finding.
    case csv
}

extension ReportFormat {
    /// Formats of later versions, named so that an error can tell them from a misspelling.
    package static let notInThisVersion = ["markdown", "junit", "sarif", "prometheus"]
}
