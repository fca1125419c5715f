import MooringModel

/// `metrics.prom`: a run's numbers in Prometheus' text format, all of them gauges.
///
/// No sample has a time of its own, since node_exporter skips a file with one. Labels have few
/// values: kinds, verdicts, outcomes, and names of the configuration.
final class MetricsReport: FindingReport {
    private let folder: String

    /// Metrics in a folder.
    init(folder: String) {
        self.folder = folder
    }

    /// Findings are counted in the summary.
    func add(_ finding: Finding) {}

    /// Writes the file.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        try Self.write(
            Self.render(summary), to: "\(folder)/\(ReportFormat.prometheus.fileName)")
    }

    /// The whole file.
    static func render(_ summary: RunSummary) -> String {
        var metrics = Metrics(command: summary.command)
        addRun(summary, &metrics)
        addSides(summary, &metrics)
        // Of a run that looked at nothing a zero would be a claim.
        if !(summary.records.isEmpty && summary.buckets.isEmpty) {
            addFindings(summary.counts, &metrics)
        }
        addAnswers(summary, &metrics)
        return metrics.text
    }

    private static func addRun(_ summary: RunSummary, _ metrics: inout Metrics) {
        let end = summary.finishedAt ?? summary.startedAt
        metrics.add(
            "build_info", "The version that ran, as a label; always 1.",
            [.init(1, ["version": summary.programVersion])])
        metrics.add(
            "run_status", "How the run ended: 1 for its status, 0 for all others.",
            RunSummary.Status.allCases.filter { $0 != .running }.map {
                .init($0 == summary.status ? 1 : 0, ["status": $0.rawValue])
            })
        metrics.add(
            "last_run_timestamp_seconds", "When the run ended, whatever became of it.",
            [.init(seconds(end))])
        let success = summary.isSuccess ? end : summary.lastSuccess
        metrics.add(
            "last_success_timestamp_seconds",
            "When a run of this command last succeeded, this one included; 0 when none did.",
            [.init(success.map(seconds) ?? 0)])
        metrics.add(
            "run_duration_seconds", "How long the run took.",
            [.init(Double((end - summary.startedAt).nanoseconds) / 1e9)])
        if let memory = summary.peakMemory {
            metrics.add(
                "run_peak_memory_bytes", "The most memory that the run took at once.",
                [.init(Double(memory))])
        }
    }

    private static func addSides(_ summary: RunSummary, _ metrics: inout Metrics) {
        func add<Side>(
            _ name: String, _ help: String, _ sides: [Side], _ sample: (Side) -> Metrics.Sample
        ) {
            metrics.add(name, help, sides.map(sample))
        }
        let (sources, buckets) = (summary.records, summary.buckets)
        add("records", "Records that were read.", sources) {
            .init(Double($0.records), ["source": $0.name])
        }
        add("references", "References that were read.", sources) {
            .init(Double($0.references), ["source": $0.name])
        }
        add("source_complete", "Whether the source was read to its end.", sources) {
            .init($0.scan.complete ? 1 : 0, ["source": $0.name])
        }
        add("objects", "Objects that were listed.", buckets) {
            .init(Double($0.objects), ["bucket": $0.name])
        }
        add("object_bytes", "The sizes of these objects together.", buckets) {
            .init(Double($0.bytes), ["bucket": $0.name])
        }
        add("quarantined_objects", "Objects in quarantine.", buckets) {
            .init(Double($0.quarantined), ["bucket": $0.name])
        }
        add("quarantined_bytes", "The sizes of the objects in quarantine together.", buckets) {
            .init(Double($0.quarantinedBytes), ["bucket": $0.name])
        }
        add("bucket_complete", "Whether the bucket was listed to its end.", buckets) {
            .init($0.scan.complete ? 1 : 0, ["bucket": $0.name])
        }
    }

    private static func addFindings(
        _ counts: [FindingKind: RunSummary.Count], _ metrics: inout Metrics
    ) {
        let kinds = FindingKind.allCases.map { (kind: $0, count: counts[$0] ?? .init()) }
        metrics.add(
            "findings", "Findings by kind and verdict.",
            kinds.flatMap { kind, count in
                [
                    (Verdict.settled, count.settled), (.explained, count.explained),
                    (.undecided, count.undecided),
                ].map {
                    .init(Double($0.1), ["kind": kind.rawValue, "verdict": $0.0.rawValue])
                }
            })
        func add(_ name: String, _ help: String, _ number: (RunSummary.Count) -> Double) {
            metrics.add(
                name, help, kinds.map { .init(number($0.count), ["kind": $0.kind.rawValue]) })
        }
        add("findings_new", "Findings that no earlier run saw.") { Double($0.new) }
        add("finding_bytes", "Bytes of the objects that findings name.") { Double($0.bytes) }
        add("settled_finding_bytes", "Bytes of the objects that settled findings name.") {
            Double($0.settledBytes)
        }
    }

    private static func addAnswers(_ summary: RunSummary, _ metrics: inout Metrics) {
        let repairs = summary.repairs
        metrics.add(
            "repairs", "Steps by how they ended; planned ones are all that were meant.",
            [
                ("planned", repairs.planned), ("done", repairs.done), ("stale", repairs.stale),
                ("failed", repairs.failed),
            ].map { .init(Double($0.1), ["outcome": $0.0]) })
        metrics.add(
            "guards_refused", "Guards that refuse repairs.",
            [.init(Double(summary.guards.count(where: \.refused)))])
        // What was counted of half a scan passes or fails nothing.
        guard summary.isCompleteScan else { return }
        metrics.add(
            "gate_passed", "Whether a gate of check passed.",
            summary.gates.map { .init($0.passed ? 1 : 0, ["gate": $0.gate]) })
        metrics.add(
            "gate_value", "The number that a gate of check compared.",
            summary.gates.map { .init(Double($0.value), ["gate": $0.gate]) })
    }

    private static func seconds(_ instant: Instant) -> Double {
        Double(instant.nanoseconds / 1_000_000) / 1_000
    }
}

/// Samples as Prometheus reads them.
private struct Metrics {
    /// One number of a gauge.
    struct Sample {
        let value: Double
        let labels: KeyValuePairs<String, String>

        /// A number under labels.
        init(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
            (self.value, self.labels) = (value, labels)
        }
    }

    /// The file so far.
    private(set) var text = ""
    private let command: String
    private var seen: Set<[String]> = []

    /// No samples yet; each gets the command for a label, so that the files of two scheduled
    /// commands can lie beside one another.
    init(command: String) {
        self.command = command
    }

    /// Adds a gauge of this name behind `mooring_`; nothing where it has no sample. Two samples of
    /// the same labels would spoil the whole file: the first one counts.
    mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP mooring_\(name) \(help)\n# TYPE mooring_\(name) gauge\n"
        for sample in samples {
            let pairs = [("command", command)] + sample.labels.map { ($0.key, $0.value) }
            let labels = pairs.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            guard seen.insert([name] + labels).inserted else { continue }
            text += "mooring_\(name){\(labels.joined(separator: ","))} "
            text += Self.number(sample.value) + "\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        // What is hidden is escaped as in all reports; then the three characters of the format.
        ShownBytes(active: []).text(text)
            .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static func number(_ value: Double) -> String {
        value.magnitude < 9e15 && value == value.rounded()
            ? "\(Int64(value))" : "\(value)"
    }
}
