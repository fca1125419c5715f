import MooringModel

/// The guards on how much of a place is taken away within a day.
struct ShareGuard {
    /// The general limits, and those of places that have their own.
    let limits: Limits

    /// So many acts in one place are never too large a share.
    static let always = 3

    /// What the acts in a place come to, of what there was before them.
    func measure(_ acts: GuardFacts.Acts, _ facts: GuardFacts) -> MeasuredGuard {
        let place = acts.share.place
        let (here, kind) = (limits.at(place), acts.share.kind)
        let limit = kind == .orphanShare ? here.orphanShare : here.recordShare
        // What was done stays done: only what is to come can be refused.
        let exceeds =
            acts.planned > 0
            && (acts.planned + acts.done > Self.always || acts.takesAllOfMoved)
            && Self.share(acts, acts.done) > limit
        // What was accepted is free of the limit once. Another acceptance has to cover it too, or
        // each run of an hourly job would take its number anew.
        let done = exceeds ? acts.done + acts.accepted : acts.done
        let share = Self.share(acts, done)
        let of =
            done == 0
            ? "\(acts.planned) of \(acts.total)"
            : "\(acts.planned) and \(done) of the last 24 hours, of \(acts.total + done)"
        return MeasuredGuard(
            name: kind.rawValue, place: place, limit: Measure.share(limit),
            value: "\(Measure.share(share)) (\(of))", number: share, exceeds: exceeds,
            isGrave: share > 0.5 || acts.total == 0,
            covering: MeasuredGuard.covering(share),
            cause: exceeds ? LikelyCause(facts).cause(of: acts) : nil,
            review: kind == .orphanShare ? "review the orphans" : "review the findings")
    }

    private static func share(_ acts: GuardFacts.Acts, _ done: Int) -> Double {
        let count = acts.planned + done
        return count == 0 ? 0 : min(1, Double(count) / Double(max(acts.total + done, 1)))
    }
}
