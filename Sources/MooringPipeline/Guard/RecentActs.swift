import MooringDecisions
import MooringLedger
import MooringModel

/// What the acts of a day took away, by share: those that nobody took back.
struct RecentActs {
    /// Those that no acceptance of their plan covered.
    var free: [PlacedShare: Int] = [:]
    /// Those that one covered.
    var accepted: [PlacedShare: Int] = [:]
}

extension Job {
    /// What the acts of the last 24 hours took away.
    func recentActs() throws -> RecentActs {
        let entries = try ledger.journal(doneSince: clock() - .hours(24))
        let undone = Set(entries.filter { $0.outcome == .done }.compactMap(\.undoes))
        var accepted: [String: Acceptance] = [:]
        var acts = RecentActs()
        for entry in entries where !undone.contains(entry.number) {
            for share in entry.placedActs {
                if let plan = entry.plan {
                    let known =
                        try accepted[plan]
                        ?? Acceptance(texts: ledger.plan(plan)?.accepted ?? [:])
                    accepted[plan] = known
                    if known.names(share.kind.rawValue, at: share.place.text) {
                        acts.accepted[share, default: 0] += 1
                        continue
                    }
                }
                acts.free[share, default: 0] += 1
            }
        }
        return acts
    }
}
