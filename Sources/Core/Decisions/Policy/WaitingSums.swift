package import MooringModel

/// Sums findings by what it takes until something is done about them: what a plan takes now, and
/// why it takes no more.
package struct WaitingSums: Hashable, Sendable {
    private struct Class: Hashable {
        let kind: FindingKind
        let reason: RunSummary.Waiting.Reason
        let proof: String?
    }

    private var sums: [Class: RunSummary.Waiting] = [:]

    /// The most sums of one kind; those beyond, of proofs that name places, stand in one without
    /// their words.
    static let limitOfKind = 20

    /// Nothing summed.
    package init() {}

    /// The sums, in the order of kinds and reasons, larger ones first among the like.
    package var ordered: [RunSummary.Waiting] {
        let kinds = FindingKind.allCases
        let reasons = RunSummary.Waiting.Reason.allCases
        func rank(_ sum: RunSummary.Waiting) -> (Int, Int, Int, String) {
            (
                kinds.firstIndex(of: sum.kind) ?? 0, reasons.firstIndex(of: sum.reason) ?? 0,
                -sum.findings, sum.proof ?? ""
            )
        }
        return sums.values.sorted { rank($0) < rank($1) }
    }

    /// Adds a finding whose object has that size.
    package mutating func add(_ finding: Finding, size: Int64) {
        let (reason, moment) = Self.reason(of: finding)
        var place = Class(
            kind: finding.kind, reason: reason,
            proof: reason == .proof ? finding.needs?.proof : nil)
        if sums[place] == nil, place.proof != nil,
            sums.keys.count(where: { $0.kind == finding.kind }) >= Self.limitOfKind
        {
            place = Class(kind: finding.kind, reason: reason, proof: nil)
        }
        var sum =
            sums[place]
            ?? RunSummary.Waiting(kind: place.kind, reason: place.reason, proof: place.proof)
        let isTimed = sum.findings == 0 || sum.last != nil
        sum.findings += 1
        let (bytes, overflow) = sum.bytes.addingReportingOverflow(size)
        sum.bytes = overflow ? .max : bytes
        // One that time alone does not bring leaves the sum without a moment.
        if isTimed, let moment {
            sum.first = min(sum.first ?? moment, moment)
            sum.last = max(sum.last ?? moment, moment)
        } else {
            (sum.first, sum.last) = (nil, nil)
        }
        sums[place] = sum
    }

    /// What it takes until something is done about a finding, and when time brings it.
    package static func reason(
        of finding: Finding
    ) -> (reason: RunSummary.Waiting.Reason, moment: Instant?) {
        if Planner.acts(on: finding) { return (.ready, nil) }
        switch (finding.verdict, finding.action) {
        case (.explained, _): return (.explained, finding.explanation?.until)
        case (.undecided, _): return (.undecided, nil)
        case (.settled, nil): return (.hand, nil)
        // What the policy asked for is kept where a store or a column cannot: `needs` says which.
        case (.settled, .keep) where finding.needs != nil:
            return (.proof, finding.needs?.after)
        // Where the policy has no choice, it is not the policy that keeps it.
        case (.settled, .keep):
            let choices = StrategyMatrix.strategies(of: finding.kind).filter { $0 != .keep }
            return (choices.isEmpty ? .hand : .policy, nil)
        case (.settled, _):
            return finding.needs.map { (.proof, $0.after) } ?? (.hand, nil)
        }
    }
}
