import MooringModel

/// `annotations.txt`: workflow commands that a step of GitHub Actions prints, so that what a run
/// found stands beside the lines of the configuration that it is about.
///
/// What fails the run is an error, a group of findings a warning or a notice: known debt that a
/// gate lets pass turns no page red. A step shows ten of each level and drops the rest without a
/// word, so that the tenth says how many more there are (source: GitHub's own limits).
final class AnnotationReport: FindingReport {
    /// The most annotations of a level, the one that counts the rest among them.
    static let levelLimit = 10

    private let folder: String
    private let places: ConfigurationPlaces
    private var groups = FindingGroups(byCause: true, limit: 1_000, examples: 1)

    /// A file in a folder, whose annotations point into the configuration.
    init(folder: String, places: ConfigurationPlaces) {
        self.folder = folder
        self.places = places
    }

    /// Counts a finding; what the run has mended is left out.
    func add(_ finding: Finding) {
        if !finding.isMended { groups.add(finding) }
    }

    /// Writes the file. Of a run that proves no absence only its end is told.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        var all = ends(summary)
        if summary.isCompleteScan {
            all += gates(summary) + groups.ordered.compactMap(annotation)
        }
        let lines = Annotation.Level.allCases.flatMap { level in
            limited(all.filter { $0.level == level }, summary).map { $0.command + "\n" }
        }
        try Self.write(lines.joined(), to: "\(folder)/\(ReportFormat.github.fileName)")
    }

    private func ends(_ summary: RunSummary) -> [Annotation] {
        let overview = RunOverview(summary)
        let end = Annotation(
            level: .error, title: "mooring \(summary.command): \(summary.status.rawValue)",
            message: overview.status, file: places.file, line: places.first.number)
        let refused = overview.refused.map {
            Annotation(
                level: .error, title: "mooring \(summary.command): refused", message: $0,
                file: places.file, line: places.first.number)
        }
        return (summary.status == .complete ? [] : [end]) + refused
    }

    private func gates(_ summary: RunSummary) -> [Annotation] {
        summary.gates.filter { !$0.passed }.map {
            Annotation(
                level: .error, title: "mooring: a gate failed", message: $0.line,
                file: places.file, line: (places.line(ofGate: $0.gate) ?? places.first).number)
        }
    }

    private func annotation(_ group: FindingGroup) -> Annotation? {
        guard let sum = groups.sums[group] else { return nil }
        let severity = sum.counts.keys.map { Severity(group.kind, $0) }.max() ?? .note
        let verdicts = Verdict.allCases.compactMap { verdict in
            sum.counts[verdict].map { "\(Figures.grouped($0)) \(verdict.rawValue)" }
        }.joined(separator: ", ")
        let cause = group.cause.map { " (\($0.rawValue))" } ?? ""
        let example = sum.examples.first.map { example in
            " One of them: " + Self.shown.text(example.title, ascii: example.needsASCII)
        }
        return Annotation(
            level: severity == .note ? .notice : .warning,
            title: "\(group.kind.rawValue)\(cause) at \(Self.shown.text(group.name))",
            message: "\(Figures.counted(sum.total, "finding")): \(verdicts). "
                + group.kind.meaning + (example ?? ""),
            file: places.file, line: places.line(of: sum.record, bucket: sum.bucket).number)
    }

    // As `ShownBytes` escapes line breaks and controls, no key begins a line, and so no command.
    private static let shown = ShownBytes(active: [], limit: 400)

    private func limited(_ annotations: [Annotation], _ summary: RunSummary) -> [Annotation] {
        guard annotations.count > Self.levelLimit else { return annotations }
        let shown = annotations.prefix(Self.levelLimit - 1)
        let rest = Figures.grouped(annotations.count - shown.count)
        return shown + [
            Annotation(
                level: shown[0].level, title: "mooring: and \(rest) more",
                message: "\(rest) more like these are not shown here; "
                    + "'mooring findings --run \(summary.id.text)' lists all findings.",
                file: places.file, line: places.first.number)
        ]
    }
}

/// One workflow command of GitHub Actions.
struct Annotation {
    /// How it is marked; an error marks the line red, and changes nothing of the step's status.
    enum Level: String, CaseIterable {
        case error, warning, notice
    }

    /// How it is marked.
    let level: Level
    /// What stands in bold.
    let title: String
    /// What is said.
    let message: String
    /// The file, from the repository's root.
    let file: String
    /// The line, from 1.
    let line: Int

    /// The command on one line, whatever its texts hold.
    var command: String {
        "::\(level.rawValue) file=\(Self.property(file)),line=\(line),title="
            + "\(Self.property(title))::\(Self.data(message))"
    }

    // The escapes of the runner's own commands: three characters in a message, two more in a
    // property.
    private static func data(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    private static func escaped(
        _ text: String, _ escapes: [Unicode.Scalar: String]
    ) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                escaped += escape
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
