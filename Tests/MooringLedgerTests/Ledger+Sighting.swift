import MooringLedger
import MooringModel

extension Ledger {
    /// Notes findings as seen, each by its id and token, at the places that are given.
    func sight(
        _ findings: [(id: String, token: String)], worth: SightingWorth = .counts(accepted: nil),
        at instant: Instant, run: RunID, places: [String: RunScope.Place] = [:]
    ) throws {
        try sight(
            findings.map {
                SeenFinding(
                    id: $0.id, token: $0.token, place: places[$0.id] ?? RunScope.Place())
            }, worth: worth, at: instant, run: run)
    }
}
