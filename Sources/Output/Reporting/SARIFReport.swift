import MooringModel

/// `report.sarif`: SARIF 2.1.0, a result for each finding at the line of the configuration that
/// names its field or bucket.
///
/// Above 5,000 findings, of which code hosts keep no more, a result stands for all of a kind, cause
/// and place. A run that proves no absence has no results, since a host takes a finding that is not
/// among them for mended.
final class SARIFReport: FindingReport {
    /// The most findings that are results of their own.
    static let resultLimit = 5_000

    private let folder: String
    private let places: ConfigurationPlaces
    private let part: OutputFile
    private var groups = FindingGroups(byCause: true, limit: resultLimit, examples: 1)
    private var total = 0

    /// A file in a folder, whose results point into the configuration.
    init(folder: String, places: ConfigurationPlaces) throws(ReportError) {
        self.folder = folder
        self.places = places
        part = try OutputFile(creating: "\(folder)/.\(ReportFormat.sarif.fileName).results")
    }

    /// Adds a finding, or counts it where it will be no result of its own; what the run has mended
    /// is left out.
    func add(_ finding: Finding) throws(ReportError) {
        guard !finding.isMended else { return }
        total += 1
        groups.add(finding)
        guard total <= Self.resultLimit else { return }
        try part.append(separated(result(finding), isFirst: total == 1))
    }

    /// Puts the file together.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        let file = try OutputFile(creating: "\(folder)/\(ReportFormat.sarif.fileName)")
        let log = SARIFLog(summary, kinds: Set(groups.sums.keys.map(\.kind)))
        try file.append(log.head)
        if summary.isCompleteScan {
            if total <= Self.resultLimit {
                try file.append(contentsOf: part)
            } else {
                for (number, group) in groups.ordered.enumerated() {
                    guard let sum = groups.sums[group] else { continue }
                    try file.append(separated(result(group, sum), isFirst: number == 0))
                }
            }
        }
        try file.append(SARIFLog.tail)
        try part.remove()
        try file.close()
    }

    private func separated(_ value: JSONValue, isFirst: Bool) -> [UInt8] {
        Array((isFirst ? "\n" : ",\n").utf8) + value.rendered
    }

    // In a message brackets make links, and braces stand for arguments.
    private static let shown = ShownBytes(active: ["[", "]", "{", "}"])

    private func result(_ finding: Finding) -> JSONValue {
        let example = FindingExample(finding)
        let cause = finding.cause.map { ": \($0.meaning)" } ?? "."
        let record = example.record.map { " Record: \(Self.shown.text($0))." } ?? ""
        return SARIFResult(
            kind: finding.kind, level: Severity(finding.kind, finding.verdict),
            message: "\(finding.kind.rawValue) '\(title(example))'\(cause)\(record) "
                + finding.verdict.meaning,
            line: places.line(of: finding.record, bucket: finding.bucket),
            fingerprint: finding.id,
            properties: .members([
                "verdict": .string(finding.verdict.rawValue),
                "cause": .text(finding.cause?.rawValue), "bucket": .text(finding.bucket),
                "key": .text(finding.key?.text),
                "keyBase64": finding.key.flatMap { .base64(unlessText: $0.bytes) },
                "size": .whole(finding.object?.size), "firstSeen": .moment(finding.firstSeen),
                "runs": .whole(finding.runs), "action": .text(finding.action?.rawValue),
            ])
        ).json(file: places.file)
    }

    private func result(_ group: FindingGroup, _ sum: FindingGroups.Sum) -> JSONValue {
        let cause = group.cause.map { ", \($0.rawValue)" } ?? ""
        let examples = sum.examples.map { " One of them: '\(title($0))'." }.joined()
        let verdicts = Verdict.allCases.compactMap { verdict in
            sum.counts[verdict].map { "\(Figures.grouped($0)) \(verdict.rawValue)" }
        }.joined(separator: ", ")
        let place = [group.kind.rawValue, group.cause?.rawValue ?? "", group.site, group.name]
        return SARIFResult(
            kind: group.kind,
            level: sum.counts.keys.map { Severity(group.kind, $0) }.max() ?? .note,
            message: "\(Figures.counted(sum.total, "finding")) at \(Self.shown.text(group.name)): "
                + "\(group.kind.rawValue)\(cause) (\(verdicts)).\(examples)",
            line: places.line(of: sum.record, bucket: sum.bucket),
            fingerprint: place.map { VisibleText.ascii($0) }.joined(separator: "/"),
            properties: .members([
                "findings": .whole(sum.total), "cause": .text(group.cause?.rawValue),
                "place": .string(group.name),
            ])
        ).json(file: places.file)
    }

    private func title(_ example: FindingExample) -> String {
        Self.shown.text(example.title, ascii: example.needsASCII)
    }
}
