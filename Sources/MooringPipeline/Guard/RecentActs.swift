import MooringDecisions
import MooringLedger
import MooringModel

extension Job {
    /// What the acts of the last 24 hours took away, by share: those that nobody took back, and
    /// that no acceptance of their plan covered.
    func recentActs() throws -> [PlacedShare: Int] {
        let entries = try ledger.journal(doneSince: clock() - .hours(24))
        let undone = Set(entries.filter { $0.outcome == .done }.compactMap(\.undoes))
        var accepted: [String: Acceptance] = [:]
        var acts: [PlacedShare: Int] = [:]
        for entry in entries where !undone.contains(entry.number) {
            for share in entry.placedActs {
                if let plan = entry.plan {
                    let known =
                        try accepted[plan]
                        ?? Acceptance(texts: ledger.plan(plan)?.accepted ?? [:])
                    accepted[plan] = known
                    if known.names(share.kind.rawValue, at: share.place.text) { continue }
                }
                acts[share, default: 0] += 1
            }
        }
        return acts
    }
}
