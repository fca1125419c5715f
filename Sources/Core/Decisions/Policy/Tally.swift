package import MooringModel

/// Counts findings as they are judged, for the summary, the gates and the guards.
package struct Tally: Hashable, Sendable {
    private struct Class: Hashable {
        let kind: FindingKind
        let verdict: Verdict
        let isNew: Bool
    }

    private struct Sum: Hashable {
        var count = 0
        var bytes: Int64 = 0
    }

    private var sums: [Class: Sum] = [:]
    /// Findings that wait for nothing more, those left out that give something back. A plan made
    /// now holds no more steps: of several about a record that goes, only the removal.
    package private(set) var steps = 0
    /// Findings that wait for nothing more and give something back.
    package private(set) var restores = 0
    /// What a plan made now would take away at most, by place.
    package private(set) var acts: [PlacedShare: Int] = [:]
    /// Orphans that it would remove and that lie under identities no record knows, by bucket.
    package private(set) var strangers: [String: Int] = [:]
    /// What the findings wait for.
    package private(set) var waiting = WaitingSums()
    /// The bytes of the orphans to be removed.
    package private(set) var bytesToRemove: Int64 = 0

    /// Nothing counted.
    package init() {}

    /// Counts one finding, and what a plan made now may do about it.
    package mutating func add(_ finding: Finding) {
        let place = Class(
            kind: finding.kind, verdict: finding.verdict, isNew: finding.runs <= 1)
        let size = max(finding.objects?.bytes ?? finding.object?.size ?? 0, 0)
        sums[place, default: Sum()].count += 1
        sums[place, default: Sum()].bytes.add(size)
        waiting.add(finding, size: size)
        guard Planner.acts(on: finding) else { return }
        if finding.action == .restore { restores += 1 } else { steps += 1 }
        for (share, count) in finding.placedActs {
            acts[share, default: 0] += count
            guard case .bucket(let bucket) = share.place else { continue }
            bytesToRemove.add(size)
            if finding.cause == .unknownIdentity { strangers[bucket, default: 0] += 1 }
        }
    }

    /// The counts by kind, as the report holds them.
    package var counts: [FindingKind: RunSummary.Count] {
        var counts: [FindingKind: RunSummary.Count] = [:]
        for (place, sum) in sums {
            var count = counts[place.kind] ?? RunSummary.Count()
            switch place.verdict {
            case .settled:
                count.settled += sum.count
                count.settledBytes.add(sum.bytes)
            case .explained: count.explained += sum.count
            case .undecided: count.undecided += sum.count
            }
            count.bytes.add(sum.bytes)
            if place.isNew { count.new += sum.count }
            counts[place.kind] = count
        }
        return counts
    }

    /// The number that a gate compares.
    package func value(of gate: Gate) -> Int64 {
        var total: Int64 = 0
        for (place, sum) in sums
        where place.kind == gate.kind && (!gate.newOnly || place.isNew)
            && (gate.verdict == nil || gate.verdict == place.verdict)
        {
            total.add(gate.countsBytes ? sum.bytes : Int64(sum.count))
        }
        return total
    }
}

extension Int64 {
    /// Adds bytes. A listing may claim any size: sums stop at the end of the range instead of
    /// trapping.
    mutating func add(_ other: Int64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}
