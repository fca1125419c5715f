import MooringDecisions
import MooringLedger
import MooringModel

/// What was judged and what the guards say of it: the border behind which a run is remembered.
struct Guarded {
    /// What was judged.
    let judged: Judged
    /// The run, with its scans, counts and guards.
    var summary: RunSummary
    /// The findings, counted for gates and guards.
    let tally: Tally
    /// Which places the run proves nothing of.
    let standing: PlaceStanding
    /// What later runs compare their counts with.
    let counts: [PlaceCount]
    /// The clock difference that was measured; nil where it was not.
    let clock: Duration?

    /// How both sides were read.
    var observations: Observations { judged.confirmed.candidates.observations }
    /// Whether both sides were read to their end, and no guard refused.
    var passed: Bool {
        summary.status == .complete && !summary.guards.contains(where: \.refused)
    }
}
