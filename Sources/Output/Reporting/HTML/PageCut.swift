package import MooringModel

/// Which findings a page holds where it cannot hold all of a kind: those with the most bytes, and
/// of as many bytes the first ones. Kinds without objects have no bytes, so that the first stay.
package struct PageCut: Sendable {
    /// The fewest bytes of a finding that stays, and how many of just so many bytes do.
    private struct Bound {
        let bytes: Int64
        var places: Int
    }

    private var bounds: [FindingKind: Bound] = [:]

    /// Nothing is left out.
    package init() {}

    /// What stays of findings of these bytes: eight bytes of memory for each finding.
    package init(_ bytes: [FindingKind: [Int64]]) { self.init(bytes, limit: HTMLReport.limit) }

    /// The same of a page that holds so many.
    init(_ bytes: [FindingKind: [Int64]], limit: Int) {
        let shares = PageBlocks.shares(of: bytes.mapValues(\.count), limit: limit)
        for (kind, all) in bytes {
            guard let share = shares[kind], share > 0, share < all.count else { continue }
            let kept = all.sorted(by: >).prefix(share)
            guard let least = kept.last else { continue }
            bounds[kind] = Bound(bytes: least, places: kept.count { $0 == least })
        }
    }

    /// What stays of a run's findings.
    package init(_ findings: [Finding], _ summary: RunSummary) {
        var bytes: [FindingKind: [Int64]] = [:]
        if Self.isNeeded(of: summary) {
            for finding in findings {
                bytes[finding.kind, default: []].append(Self.bytes(of: finding))
            }
        }
        self.init(bytes)
    }

    /// Whether a run has more findings than a page holds.
    package static func isNeeded(of summary: RunSummary) -> Bool {
        summary.counts.values.reduce(0) { $0 + $1.total } > HTMLReport.limit
    }

    /// The bytes by which findings are compared.
    package static func bytes(of finding: Finding) -> Int64 { max(0, finding.object?.size ?? 0) }

    /// Whether the largest of a kind were chosen.
    func isCut(_ kind: FindingKind) -> Bool { bounds[kind] != nil }

    /// Whether a finding stays; asked once for each, in the order of reports.
    mutating func keeps(_ finding: Finding) -> Bool {
        guard var bound = bounds[finding.kind] else { return true }
        let bytes = Self.bytes(of: finding)
        guard bytes == bound.bytes else { return bytes > bound.bytes }
        guard bound.places > 0 else { return false }
        bound.places -= 1
        bounds[finding.kind] = bound
        return true
    }
}
