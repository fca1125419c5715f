import MooringModel
import MooringReporting

/// How the findings would differ with one more file field.
struct TrialDifference {
    /// Fields that only the second audit knew, with what it found in them.
    let fields: [RunSummary.Field]
    /// Findings that would be there no more, in the order of reports.
    let gone: [Finding]
    /// Findings that would be new.
    let new: [Finding]
    /// Findings that would stay with another verdict or cause, as they would be then.
    let changed: [Finding]

    private static let shownLimit = 20

    /// The difference from an audit without the field to one with it.
    init(_ before: TrialAudit, _ after: TrialAudit) {
        let known = Set(before.summary.fields.map { [$0.source, $0.field] })
        fields = after.summary.fields.filter { !known.contains([$0.source, $0.field]) }
        let (old, later) = (Set(before.findings.map(\.id)), Set(after.findings.map(\.id)))
        gone = before.findings.filter { !later.contains($0.id) }
        new = after.findings.filter { !old.contains($0.id) }
        let judged = Dictionary(
            before.findings.map { ($0.id, [$0.verdict.rawValue, $0.cause?.rawValue]) },
            uniquingKeysWith: { first, _ in first })
        changed = after.findings.filter { finding in
            judged[finding.id].map {
                $0 != [finding.verdict.rawValue, finding.cause?.rawValue]
            } ?? false
        }
    }

    /// The difference in lines; of findings the first few, unless all are asked for.
    func lines(showsAll: Bool) -> [String] {
        fields.flatMap(Self.lines)
            + ["would be gone: \(Self.sums(gone))"] + shown(gone, "-", showsAll)
            + ["would be new: \(Self.sums(new))"] + shown(new, "+", showsAll)
            + ["would be judged otherwise: \(Self.sums(changed))"] + shown(changed, "~", showsAll)
    }

    private static func lines(_ field: RunSummary.Field) -> [String] {
        let facts =
            "\(Figures.counted(field.records, "record")), \(Figures.grouped(field.held)) hold it, "
            + "\(Figures.counted(field.references, "reference")), "
            + "\(Figures.grouped(field.listed)) of them listed"
        let line =
            "\(VisibleText.ascii(field.field)) of \(VisibleText.ascii(field.source)): \(facts)"
        guard field.references > 0, field.listed == 0 else { return [line] }
        return [
            line,
            "  none is listed: another level, bucket or 'stored' may be meant;",
            "  'mooring resolve VALUE' tells what a value may mean",
        ]
    }

    private static func sums(_ findings: [Finding]) -> String {
        let sums = FindingKind.reportOrder.compactMap { kind -> String? in
            let some = findings.filter { $0.kind == kind }
            guard !some.isEmpty else { return nil }
            let bytes = some.reduce(Int64(0)) { $0 + max(0, $1.object?.size ?? 0) }
            return "\(Figures.grouped(some.count)) \(kind.rawValue)"
                + (kind == .orphan ? " (\(Figures.size(bytes)))" : "")
        }
        return sums.isEmpty ? "nothing" : sums.joined(separator: ", ")
    }

    private func shown(_ findings: [Finding], _ sign: String, _ showsAll: Bool) -> [String] {
        let some = showsAll ? findings[...] : findings.prefix(Self.shownLimit)
        let lines = some.map { DifferenceText.line(sign, $0) }
        let rest = findings.count - some.count
        return rest == 0 ? lines : lines + ["  and \(Figures.grouped(rest)) more: --verbose"]
    }

    /// The same for programs.
    var json: JSONValue {
        .members([
            "fields": .array(fields.map(\.json)), "gone": .array(gone.map { $0.json() }),
            "new": .array(new.map { $0.json() }),
            "changed": .array(changed.map { $0.json() }),
        ])
    }
}
