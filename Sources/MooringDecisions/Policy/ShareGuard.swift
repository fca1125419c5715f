import MooringModel

/// The guards on how much of a place is taken away within a day.
struct ShareGuard {
    /// The limits.
    let limits: Limits

    /// So many acts in one place are never too large a share.
    static let always = 3

    /// What the acts in a place come to, of what there was before them.
    func measure(_ acts: GuardFacts.Acts, _ facts: GuardFacts) -> MeasuredGuard {
        let place = acts.share.place
        let (here, kind) = (limits.at(place), acts.share.kind)
        let limit = kind == .orphanShare ? here.orphanShare : here.recordShare
        let count = acts.planned + acts.done
        let total = acts.total + acts.done
        let share = count == 0 ? 0 : min(1, Double(count) / Double(max(total, 1)))
        // What was done stays done: only what is to come can be refused.
        let exceeds = acts.planned > 0 && count > Self.always && share > limit
        let of =
            acts.done == 0
            ? "\(count) of \(total)"
            : "\(acts.planned) and \(acts.done) of the last 24 hours, of \(total)"
        return MeasuredGuard(
            name: kind.rawValue, place: place, limit: Measure.share(limit),
            value: "\(Measure.share(share)) (\(of))", number: share, exceeds: exceeds,
            isGrave: share > 0.5 || acts.total == 0,
            covering: MeasuredGuard.covering(share),
            cause: exceeds ? LikelyCause(facts).cause(of: acts) : nil,
            review: kind == .orphanShare ? "review the orphans" : "review the findings")
    }
}
