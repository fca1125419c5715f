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
    /// What the acts of the last day took away.
    ///
    /// A day is an hour less, and an act lies where it was begun: the acts of a nightly run end
    /// later than the next night's plan is made.
    func recentActs() throws -> RecentActs {
        let since = clock() - .hours(23)
        let entries = try ledger.journal(doneSince: since)
        let undone = Set(entries.filter { $0.outcome == .done }.compactMap(\.undoes))
        var accepted: [String: Acceptance] = [:]
        var acts = RecentActs()
        for entry in entries
        where entry.intendedAt >= since && !undone.contains(entry.number) {
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
