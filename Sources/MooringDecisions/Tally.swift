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
    /// Steps that a plan made now would hold.
    package private(set) var steps = 0
    /// Orphans that a plan made now would remove, and their bytes.
    package private(set) var orphansToRemove = 0
    package private(set) var bytesToRemove: Int64 = 0

    /// Nothing counted.
    package init() {}

    /// Counts one finding.
    package mutating func add(_ finding: Finding) {
        let place = Class(
            kind: finding.kind, verdict: finding.verdict, isNew: finding.runs <= 1)
        sums[place, default: Sum()].count += 1
        let size = finding.object?.size ?? 0
        sums[place, default: Sum()].bytes += size
        guard Planner.acts(on: finding) else { return }
        steps += 1
        if finding.action == .quarantine || finding.action == .delete {
            orphansToRemove += 1
            bytesToRemove += size
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
                count.settledBytes += sum.bytes
            case .explained: count.explained += sum.count
            case .undecided: count.undecided += sum.count
            }
            count.bytes += sum.bytes
            if place.isNew { count.new += sum.count }
            counts[place.kind] = count
        }
        return counts
    }

    /// The number that a gate compares.
    package func value(of gate: Gate) -> Int64 {
        sums.reduce(0) { total, entry in
            let (place, sum) = entry
            guard place.kind == gate.kind, !gate.newOnly || place.isNew,
                gate.verdict == nil || gate.verdict == place.verdict
            else { return total }
            return total + (gate.countsBytes ? sum.bytes : Int64(sum.count))
        }
    }
}

extension Gate {
    /// Whether a measured number passes the gate.
    package func passes(_ measured: Int64) -> Bool {
        switch comparison {
        case .equal: measured == value
        case .unequal: measured != value
        case .less: measured < value
        case .atMost: measured <= value
        case .greater: measured > value
        case .atLeast: measured >= value
        }
    }
}
