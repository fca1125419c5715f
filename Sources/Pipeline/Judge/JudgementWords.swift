import MooringDecisions
import MooringModel

extension Judgement {
    /// The evidence in words: first what may still come, each step with its own end.
    func sentences(under race: RaceModel, at moment: Instant) -> [String] {
        let pending =
            verdict == .explained
            ? explanations(under: race, at: moment).map(Evidence.mayStillCome) : []
        return (pending + evidence).map(\.text)
    }
}
