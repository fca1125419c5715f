package import MooringModel

/// What the judge says of a candidate.
package struct Judgement: Hashable, Sendable {
    /// The verdict; what led to it stands in `evidence`.
    package var verdict: Verdict
    /// The cause, told whatever the verdict is.
    package var cause: FindingCause
    /// Why it may still resolve itself; only of explained findings.
    package var explanation: Explanation?
    /// What was judged, for everything that may still explain it; nil where no time is known or
    /// no device can be the reason.
    package var difference: Difference?
    /// What led here; the reason that decided stands last.
    package var evidence: [Evidence]
    /// The record to name beside it.
    package var place: RecordPlace?
    /// The proofs that it has, or waits for.
    package var proofs: Proofs

    /// Every workflow and step that may still come at this moment, each with its own end.
    package func explanations(under race: RaceModel, at now: Instant) -> [Explanation] {
        difference.map { ExplanationRule.explanations(of: $0, under: race, at: now) } ?? []
    }
}

extension Judgement {
    /// The evidence in words: first what may still come, each step with its own end.
    package func sentences(under race: RaceModel, at moment: Instant) -> [String] {
        let pending =
            verdict == .explained
            ? explanations(under: race, at: moment).map(Evidence.mayStillCome) : []
        return (pending + evidence).map(\.text)
    }
}
