import MooringModel

/// One file of a report, written while the findings pass by in the order of reports; what it holds
/// of them has a bound.
protocol FindingReport: AnyObject {
    /// Adds a finding.
    func add(_ finding: Finding) throws(ReportError)
    /// Writes and closes the file; `placeOfAll` is the file that holds every finding, if one does.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError)
}

extension FindingReport {
    /// Writes a whole file into a folder; throws where the disk does not take all of it.
    static func write(_ text: String, to path: String) throws(ReportError) {
        let file = try OutputFile(creating: path)
        try file.append(text)
        try file.close()
    }
}
