package import MooringModel

/// What could be told after an incident by what Mooring itself keeps. Pure.
package enum RunsOutlook {
    // Older gaps say little about the next one.
    private static let recent = 30

    /// The answers, by when each complete audit began, oldest first, and by how long runs are kept.
    package static func answers(_ audits: [Instant], keep: Duration) -> [IncidentAnswer] {
        let kept = IncidentAnswer(
            "reports", .yes,
            "runs and their findings are told for \(keep.label) (report.keep), what Mooring itself "
                + "did for good")
        guard let first = audits.first, let last = audits.last, audits.count > 1 else {
            return [
                IncidentAnswer(
                    "audits", .no,
                    (audits.isEmpty ? "no complete audit" : "one complete audit alone")
                        + " is kept: between which two an object or a reference went could not be "
                        + "told; run mooring audit each night"), kept,
            ]
        }
        let latest = audits.suffix(recent)
        let gap = zip(latest.dropFirst(), latest).map { $0 - $1 }.max() ?? .zero
        return [
            IncidentAnswer(
                "audits", .yes,
                "\(audits.count) complete ones since \(first.iso8601), the last of "
                    + "\(last.iso8601): between which two of them an object or a reference went "
                    + "can be told, of late to \(gap.label) or less"), kept,
        ]
    }
}
