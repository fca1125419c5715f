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
    /// `orphans.ncdu.json`, a tree of the orphans' sizes for ncdu.
    case ncdu
    /// `report.md`, for a comment or a step's summary; at most 60,000 bytes.
    case markdown
    /// `junit.xml`, a test case for each gate and each place with findings.
    case junit
    /// `report.sarif`, SARIF 2.1.0, whose results point into the configuration.
    case sarif
    /// `metrics.prom`, in Prometheus' text format.
    case prometheus
    /// `annotations.txt`, workflow commands of GitHub Actions, which commands print too.
    case github
}

extension ReportFormat {
    /// Formats that tell a program what became of a run; also written of one that ended with an
    /// error.
    package static let ofFailedRuns: [ReportFormat] = [
        .markdown, .junit, .sarif, .prometheus, .github,
    ]

    /// The name of the file by which a folder shows that a run was reported in the format.
    package var fileName: String {
        switch self {
        case .json: "report.json"
        case .html: "report.html"
        case .text: "report.txt"
        case .csv: "findings.csv"
        case .ncdu: "orphans.ncdu.json"
        case .markdown: "report.md"
        case .junit: "junit.xml"
        case .sarif: "report.sarif"
        case .prometheus: "metrics.prom"
        case .github: "annotations.txt"
        }
    }
}
