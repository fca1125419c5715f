import MooringModel

/// `junit.xml`: a test case for the scan, for each gate, and for each field or bucket, so that a
/// pipeline shows what its people have to look at.
///
/// Names hold no number, since pipelines compare cases by their names. A case fails where settled
/// findings are; from a run that proves no absence nothing fails or passes but the scan.
final class JUnitReport: FindingReport {
    private let folder: String
    private let configuration: String
    private var places = FindingGroups(byCause: false, limit: 1_000, examples: exampleLimit)
    // What gates may count.
    private var examples: [Class: [FindingExample]] = [:]

    private static let exampleLimit = 10

    private struct Class: Hashable {
        let kind: FindingKind
        let verdict: Verdict
        let isNew: Bool
    }

    /// A file in a folder, whose cases name the configuration's.
    init(folder: String, configuration: String) {
        self.folder = folder
        self.configuration = configuration
    }

    /// Adds a finding, or only counts it; what the run has mended is none of them.
    func add(_ finding: Finding) {
        guard !finding.isMended else { return }
        let place = Class(kind: finding.kind, verdict: finding.verdict, isNew: finding.runs <= 1)
        if (examples[place]?.count ?? 0) < Self.exampleLimit {
            examples[place, default: []].append(FindingExample(finding))
        }
        if finding.verdict == .settled { places.add(finding) }
    }

    /// Writes the file.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        let suites = [
            JUnitSuite(name: "run", cases: runCases(summary)),
            JUnitSuite(name: "gates", cases: gateCases(summary)),
            JUnitSuite(name: "findings", cases: findingCases(summary)),
        ]
        let document = JUnitSuite.document(
            suites, file: configuration, start: summary.startedAt,
            taken: summary.finishedAt.map { $0 - summary.startedAt } ?? .zero)
        try Self.write(document, to: "\(folder)/\(ReportFormat.junit.fileName)")
    }

    private func runCases(_ summary: RunSummary) -> [JUnitCase] {
        var scan = JUnitCase(className: "mooring.run", name: "both sides are read to their end")
        if !summary.isCompleteScan {
            let sides =
                summary.records.map { ($0.name, $0.scan) }
                + summary.buckets.map { ($0.name, $0.scan) }
            let problems = sides.flatMap { name, scan in
                scan.problems.prefix(Self.exampleLimit).map { "\(name): \($0)" }
            }
            let overview = RunOverview(summary)
            scan.result = .error(
                ([overview.status] + problems + overview.next).map { .words($0) })
        }
        var guards = JUnitCase(className: "mooring.run", name: "no guard refuses")
        let refused = RunOverview(summary).refused
        if !refused.isEmpty {
            let hints = summary.guards.filter(\.refused).compactMap(\.hint)
            guards.result = .failure((refused + hints).map { .words($0) })
        }
        return [scan, guards]
    }

    private func gateCases(_ summary: RunSummary) -> [JUnitCase] {
        var taken: [String: Int] = [:]
        return summary.gates.map { gate in
            // What stands before the comparison: a case's name holds no number.
            let subject = gate.gate.prefix { !"=!<>".contains($0) }.split(separator: " ")
                .joined(separator: " ")
            taken[subject, default: 0] += 1
            let number = taken[subject] ?? 1
            // Only of gates that ask for the same thing twice.
            let name = number == 1 ? subject : "\(subject), again" + again(number)
            var testCase = JUnitCase(className: "mooring.gates", name: name)
            let value = [JUnitLine.words("\(gate.gate): the value is \(gate.shown)")]
            if !summary.isCompleteScan {
                testCase.result = .error(value + [.words(RunOverview(summary).status)])
            } else if !gate.passed {
                testCase.result = .failure(value + examples(of: gate, summary))
            } else if let reason = gate.nothingToJudge(summary) {
                testCase.result = .skipped(reason)
            }
            return testCase
        }
    }

    private func again(_ number: Int) -> String {
        String(repeating: " and again", count: min(number - 2, 20))
    }

    private func examples(of gate: RunSummary.Gate, _ summary: RunSummary) -> [JUnitLine] {
        guard let counted = gate.counted else { return [.words("next: read the run's notes.")] }
        let verdicts = Verdict.allCases.filter { counted.verdict == nil || counted.verdict == $0 }
        let shown = verdicts.flatMap { verdict in
            [true, false].filter { $0 || !counted.newOnly }.flatMap {
                examples[Class(kind: counted.kind, verdict: verdict, isNew: $0)] ?? []
            }
        }
        return lines(Array(shown.prefix(Self.exampleLimit))) + [next(counted.kind, summary)]
    }

    private func findingCases(_ summary: RunSummary) -> [JUnitCase] {
        // Fields and buckets without findings stand there too: then a case is told as mended.
        var groups = Set(places.sums.keys)
        for field in summary.fields {
            groups.insert(FindingGroup(.dangling, site: field.source, name: field.field))
        }
        for bucket in summary.buckets {
            groups.insert(FindingGroup(.orphan, site: bucket.name, name: bucket.name))
        }
        return FindingGroups.ordered(Array(groups)).map { group in
            var testCase = JUnitCase(
                className: group.site.isEmpty ? "mooring" : "mooring.\(group.site)",
                name: "\(group.kind.rawValue) \u{B7} \(group.name)")
            if !summary.isCompleteScan {
                testCase.result = .skipped("the run is no complete scan, and proves no absence")
            } else if let sum = places.sums[group] {
                testCase.result = .failure(
                    [
                        .words("settled findings: \(Figures.grouped(sum.total)) (limit: 0)"),
                        .words(group.kind.meaning),
                    ] + lines(sum.examples) + [
                        .words(group.kind.advice), next(group.kind, summary),
                    ])
            }
            return testCase
        }
    }

    private func lines(_ examples: [FindingExample]) -> [JUnitLine] {
        examples.flatMap { example -> [JUnitLine] in
            let record = example.record.map { [JUnitLine.bytes("    of ", $0, ascii: false)] }
            return [
                .bytes("  \(example.verdict): ", example.title, ascii: example.needsASCII)
            ] + (record ?? [])
        }
    }

    private func next(_ kind: FindingKind, _ summary: RunSummary) -> JUnitLine {
        .words("next: mooring findings --run \(summary.id.text) --kind \(kind.rawValue)")
    }
}

extension RunSummary.Gate {
    /// Why a gate that passed had nothing to judge; nil where it had something.
    fileprivate func nothingToJudge(_ summary: RunSummary) -> String? {
        switch counted?.kind {
        case .orphan where summary.buckets.allSatisfy { $0.objects == 0 }:
            return "no bucket holds an object"
        case .dangling, .shared, .emptyObject, .exposed, .invalidKey:
            return summary.records.allSatisfy { $0.references == 0 }
                ? "no record holds a reference" : nil
        case .danglingRelation, .staleCopy:
            return summary.records.allSatisfy { $0.records == 0 }
                ? "no source holds a record" : nil
        default: return nil
        }
    }
}
