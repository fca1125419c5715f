package import MooringModel
import MooringText

/// Writes one run's report to `DIR/RUN/` while its findings pass by, in bounded memory.
///
/// The report appears whole or not at all; `DIR/latest` then points to it if the run scanned
/// both sides to their end, its repair refused or not. Not for use by several tasks at once.
package final class ReportWriter {
    /// The most findings of a kind in `report.txt`; `findings.jsonl` and `findings.csv` hold all.
    package static let shownLimit = PageWriter.shownLimit

    private let folder: ReportFolder
    private let reports: [any FindingReport]
    private let lines: OutputFile?
    private let rows: OutputFile?
    private var isOpen = true

    /// Claims the run's folder under `directory`, which is created where it is missing. Throws
    /// `ReportError`, also while another process writes a report of the same run. `places` is where
    /// formats that point into the configuration do so, `page` what a page of too many findings
    /// holds.
    package init(
        directory: String, run: RunID, formats: [ReportFormat],
        places: ConfigurationPlaces = ConfigurationPlaces(), page: PageCut = PageCut()
    ) throws {
        folder = try ReportFolder(directory: directory, run: run)
        let path = folder.partial
        var reports: [any FindingReport] = []
        for format in ReportFormat.allCases where formats.contains(format) {
            switch format {
            case .json, .csv: break
            case .html: reports.append(HTMLReport(folder: path, cut: page))
            case .text: reports.append(PageWriter(TextReport.self, folder: path))
            case .ncdu: reports.append(try NcduReport(folder: path))
            case .markdown: reports.append(MarkdownReport(folder: path))
            case .junit: reports.append(JUnitReport(folder: path, configuration: places.file))
            case .sarif: reports.append(try SARIFReport(folder: path, places: places))
            case .prometheus: reports.append(MetricsReport(folder: path))
            case .github: reports.append(AnnotationReport(folder: path, places: places))
            }
        }
        self.reports = reports
        lines =
            formats.contains(.json) ? try OutputFile(creating: path + "/findings.jsonl") : nil
        rows =
            formats.contains(.csv)
            ? try OutputFile(creating: path + "/\(CSVReport.fileName)") : nil
        try rows?.append(CSVReport.header)
    }

    deinit { abandon() }

    /// Adds findings in report order; called as often as there are batches. After an error only
    /// `abandon` may follow.
    package func add(_ findings: [Finding]) throws {
        if let lines {
            let parts = Cores.map(findings.count, least: Cores.leastEach) { part in
                var bytes: [UInt8] = []
                for number in part {
                    findings[number].json().append(to: &bytes)
                    bytes.append(0x0A)
                }
                return bytes
            }
            for part in parts { try lines.append(part) }
        }
        if let rows {
            let rendered = Cores.each(findings.count) { CSVReport.row(findings[$0]) }
            for row in rendered { try rows.append(row) }
        }
        for report in reports {
            for finding in findings { try report.add(finding) }
        }
    }

    /// Writes the summary and the extra files, publishes the report and returns `DIR/RUN`. Throws
    /// `ReportError` and leaves nothing of the report when a file cannot be written.
    package func finish(
        _ summary: RunSummary, extraFiles: [(name: String, bytes: [UInt8])] = [],
        updatesLatest: Bool = true
    ) throws -> String {
        do {
            let placeOfAll = lines != nil ? "findings.jsonl" : rows.map { _ in CSVReport.fileName }
            if let lines {
                try lines.close()
                try write(summary.json.prettyRendered, to: "report.json")
            }
            try rows?.close()
            for report in reports { try report.finish(summary, placeOfAll: placeOfAll) }
            for file in extraFiles { try write(file.bytes, to: file.name) }
            let path = try folder.publish(
                updatingLatest: updatesLatest && summary.isCompleteScan)
            isOpen = false
            return path
        } catch {
            abandon()
            throw error
        }
    }

    /// Removes what was written; the report of an earlier rendering stays as it was.
    package func abandon() {
        if isOpen { folder.abandon() }
        isOpen = false
    }

    /// Removes what a process that died left of a run's report before anybody was shown it, if it
    /// left anything. Throws `ReportError`, also while another process writes it.
    package static func removeLeft(of run: RunID, in directory: String) throws {
        try ReportFolder.removeLeft(of: run, in: directory)
    }

    private func write(_ bytes: [UInt8], to name: String) throws(ReportError) {
        let isPlain =
            !name.isEmpty && !name.hasPrefix(".")
            && !name.utf8.contains { byte in
                byte == UInt8(ascii: "/") || byte == 0
            }
        guard isPlain else {
            throw ReportError(path: name, reason: "no name of a file in a report")
        }
        let file = try OutputFile(creating: "\(folder.partial)/\(name)")
        try file.append(bytes)
        try file.close()
    }
}
