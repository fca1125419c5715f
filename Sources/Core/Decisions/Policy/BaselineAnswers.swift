package import MooringModel

/// What a check made of a baseline.
package struct BaselineAnswers: Hashable, Sendable {
    /// An entry whose finding does not pass, and why.
    package struct Failing: Hashable, Sendable {
        /// Why.
        package let answer: FindingBaseline.Answer
        /// The entry.
        package let entry: FindingBaseline.Entry
    }

    /// How many findings got each answer.
    package private(set) var counts: [FindingBaseline.Answer: Int] = [:]
    /// A few of those in the list that do not pass.
    package private(set) var failing: [Failing] = []
    /// The entries whose finding is gone.
    package private(set) var healed: [FindingBaseline.Entry] = []
    /// The findings that do not pass, counted.
    package private(set) var tally = Tally()

    /// The most entries of a sort that are named.
    package static let mostNamed = 10

    /// What a baseline says of a run's findings. Of an incomplete run nothing is healed.
    package init(
        _ baseline: FindingBaseline, _ findings: [Finding], at now: Instant, isComplete: Bool
    ) {
        var found: Set<String> = []
        for finding in findings {
            let answer = baseline.answer(to: finding, at: now)
            counts[answer, default: 0] += 1
            if !answer.passes { tally.add(finding) }
            guard let entry = baseline.entry(finding.id) else { continue }
            found.insert(finding.id)
            if !answer.passes, failing.count < Self.mostNamed {
                failing.append(Failing(answer: answer, entry: entry))
            }
        }
        if isComplete { healed = baseline.healed(besides: found) }
    }
}
