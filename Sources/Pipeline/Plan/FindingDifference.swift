package import MooringLedger
package import MooringModel

/// What became of the findings of one run in another, told in the order of reports while both pass
/// by; a page of each is held.
package struct FindingDifference {
    /// What became of one finding.
    package enum Change: Hashable, Sendable {
        /// Only the later run has it.
        case new(Finding)
        /// Only the earlier run has it.
        case gone(Finding)
        /// Both have it, and these members differ.
        case changed(before: Finding, after: Finding, members: [Member])
    }

    /// A member of findings that is compared, as JSON names it.
    package enum Member: String, Hashable, Sendable, CaseIterable {
        case verdict, cause, action, needs, object
    }

    /// How many findings there are of each class.
    package struct Totals: Hashable, Sendable {
        /// Findings of each class.
        package var new = 0
        package var gone = 0
        package var changed = 0
        package var unchanged = 0

        /// None.
        package init() {}
    }

    private let ledger: Ledger
    private let runs: (from: RunID, to: RunID)
    private let filter: FindingFilter

    /// The difference between two runs in the findings that fit; a finding fits when it does in
    /// either run.
    package init(
        _ ledger: Ledger, from: RunID, to later: RunID, filter: FindingFilter = FindingFilter()
    ) {
        self.ledger = ledger
        runs = (from, later)
        self.filter = filter
    }

    /// Tells every change in the order of reports, and gives the totals; throws what `tell` throws.
    package func compare(_ tell: (Change) throws -> Void) throws -> Totals {
        // The verdict may be what changed, so it is looked at on both sides.
        var wide = filter
        wide.verdicts = []
        // In one series only what began or ended between the two can differ; between others all
        // of both is compared.
        let standing = try ledger.standing(from: runs.from, to: runs.to, filter)
        let isOne = standing != nil
        var old = FindingStream(
            ledger, run: runs.from, filter: wide, changedSince: isOne ? runs.to : nil)
        var new = FindingStream(
            ledger, run: runs.to, filter: wide, changedSince: isOne ? runs.from : nil)
        var (before, after) = (try old.next(), try new.next())
        var totals = Totals()
        totals.unchanged = standing ?? 0
        while before != nil || after != nil {
            if let one = before, let other = after, one.id == other.id {
                try add(one, other, &totals, tell)
                (before, after) = (try old.next(), try new.next())
            } else if let other = after, before.map({ Finding.precedes(other, $0) }) ?? true {
                // The same finding may stand elsewhere in the other run, under another key; it is
                // told where it stands now.
                try add(try ledger.finding(other.id, in: runs.from), other, &totals, tell)
                after = try new.next()
            } else if let one = before {
                let moved = try ledger.finding(one.id, in: runs.to)
                if moved == nil { try add(one, nil, &totals, tell) }
                if let moved, !fits(moved, wide) { try add(one, moved, &totals, tell) }
                before = try old.next()
            }
        }
        return totals
    }

    private func add(
        _ before: Finding?, _ after: Finding?, _ totals: inout Totals,
        _ tell: (Change) throws -> Void
    ) throws {
        let verdicts = filter.verdicts
        guard
            verdicts.isEmpty
                || [before, after].contains(where: {
                    $0.map { verdicts.contains($0.verdict) } ?? false
                })
        else { return }
        switch (before, after) {
        case (nil, let after?):
            totals.new += 1
            try tell(.new(after))
        case (let before?, nil):
            totals.gone += 1
            try tell(.gone(before))
        case (let before?, let after?):
            let members = Self.members(before, after)
            if members.isEmpty {
                totals.unchanged += 1
            } else {
                totals.changed += 1
                try tell(.changed(before: before, after: after, members: members))
            }
        case (nil, nil): break
        }
    }

    // Whether the stream of the later run tells of a finding itself.
    private func fits(_ finding: Finding, _ filter: FindingFilter) -> Bool {
        (filter.kinds.isEmpty || filter.kinds.contains(finding.kind))
            && (finding.key?.bytes ?? []).starts(with: filter.keyPrefix)
    }

    /// The members in which two findings of one id differ.
    static func members(_ before: Finding, _ after: Finding) -> [Member] {
        Member.allCases.filter { member in
            switch member {
            case .verdict: before.verdict != after.verdict
            case .cause: before.cause != after.cause
            case .action: before.action != after.action
            case .needs: before.needs?.proof != after.needs?.proof
            case .object: before.object != after.object
            }
        }
    }
}
