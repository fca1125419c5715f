import MooringDecisions
import MooringLedger
import MooringModel

extension Judging {
    /// What earlier runs saw of a finding while it was about the version of a token. Runs that a
    /// share alone refused count once a share as large is accepted where the finding lies.
    func sighting(
        _ history: FindingHistory?, token: String, bound: [PlacedShare] = []
    ) -> PriorSighting? {
        guard let sighting = history?.sighting,
            ObjectVersion.isToken(sighting.token, for: token)
        else { return nil }
        let accepted = bound.compactMap {
            stage.acceptance.number($0.kind.rawValue, at: $0.place.text)
        }.max()
        if let heldBack = sighting.heldBack, let accepted,
            Acceptance.covers(heldBack.share, by: accepted)
        {
            return PriorSighting(
                firstAt: min(sighting.firstAt, heldBack.firstAt),
                runs: sighting.runs + heldBack.runs)
        }
        guard sighting.runs > 0 else { return nil }
        return PriorSighting(firstAt: sighting.firstAt, runs: sighting.runs)
    }
}
