package import MooringModel

/// The guards (Docs/SAFETY.md, "Guards"): each compares one number in one place and refuses repairs
/// when it is too large.
package struct Guards: Sendable {
    private let limits: Limits
    private let clockBound: Duration

    /// The name of the guard on clocks.
    package static let clockName = "clockBound"

    /// How a refusal names what accepts it.
    package let words: AcceptingWords

    /// The guards under these limits; a refusal names the command that takes `--accept`.
    package init(
        limits: Limits, clockBound: Duration, words: AcceptingWords = AcceptingWords()
    ) {
        self.limits = limits
        self.clockBound = clockBound
        self.words = words
    }

    /// Every guard's answer, in a fixed order.
    package func check(
        _ facts: GuardFacts, accepting acceptance: Acceptance = Acceptance()
    ) -> [RunSummary.Guard] {
        let drops = DropGuard(limits: limits)
        return facts.sides.map(completeness)
            + answers(facts.buckets.map(drops.objects), acceptance)
            + answers(drops.references(facts), acceptance)
            + plan(facts, accepting: acceptance) + [clockAnswer(facts.clock, behind: facts.behind)]
            + facts.answers
    }

    /// The guards on what a plan or sweep is to do: the shares, and how much it is in all.
    package func plan(
        _ facts: GuardFacts, accepting acceptance: Acceptance
    ) -> [RunSummary.Guard] {
        let shares = facts.acts.map { ShareGuard(limits: limits).measure($0, facts) }
        return answers(
            shares.filter { $0.name == AcceptableGuard.orphanShare.rawValue }, acceptance)
            + answers(
                shares.filter { $0.name == AcceptableGuard.recordShare.rawValue }, acceptance)
            + answers([steps(facts)], acceptance) + answers([bytes(facts)], acceptance)
    }

    /// An earlier answer under what is accepted by now.
    package func again(
        _ earlier: [RunSummary.Guard], accepting acceptance: Acceptance
    ) -> [RunSummary.Guard] {
        earlier.map { answer in
            let others = earlier.filter { $0.name == answer.name && $0.refused }
            guard answer.refused, let number = answer.number else { return answer }
            let measured = MeasuredGuard(
                name: answer.name, place: answer.place.map { .bucket($0) }, limit: answer.limit,
                value: answer.value, number: number, exceeds: true, isGrave: number > 0.5,
                covering: MeasuredGuard.covering(number), cause: answer.cause,
                review: "check what it names")
            return measured.answer(acceptance, isOnly: others.count == 1, words)
        }
    }

    /// The clock guard alone, for a command that measured the clock before anything else, under how
    /// far this machine's clock is behind that of the run before.
    package func clockAnswer(_ clock: Duration?, behind: Duration?) -> RunSummary.Guard {
        if let behind, behind > clockBound {
            return RunSummary.Guard(
                name: Self.clockName, limit: clockBound.label,
                value: "\(behind.label) behind the run before (this machine's clock)",
                refused: true,
                hint: "one of the two clocks was wrong: set this machine's clock, and run it again "
                    + "(the next run compares with this one)")
        }
        let refused = clock.map { abs($0) > clockBound } ?? false
        return RunSummary.Guard(
            name: Self.clockName, limit: clockBound.label,
            value: clock?.label ?? "not measured", refused: refused,
            hint: refused ? "set this machine's clock or the store's, then run again" : nil)
    }

    /// The guard on lost references alone, for a confirm scan that is repeated before removals.
    package func referenceAnswers(_ fields: [GuardFacts.Field]) -> [RunSummary.Guard] {
        var facts = GuardFacts()
        facts.fields = fields
        var bucket = GuardFacts.Bucket(name: "")
        bucket.held = 1
        facts.buckets = [bucket]
        return answers(DropGuard(limits: limits).references(facts), Acceptance())
    }

    private func completeness(_ side: GuardFacts.Side) -> RunSummary.Guard {
        RunSummary.Guard(
            name: "complete", place: side.place.text, limit: "read to its end",
            value: side.isComplete ? "complete" : "incomplete", refused: !side.isComplete,
            hint: side.isComplete
                ? nil : "mend what the scan names, then run mooring audit again")
    }

    private func steps(_ facts: GuardFacts) -> MeasuredGuard {
        MeasuredGuard(
            name: AcceptableGuard.steps.rawValue, limit: "\(limits.steps)", value: "\(facts.steps)",
            number: Double(facts.steps), exceeds: facts.steps > limits.steps,
            covering: "\(facts.steps)", review: "review the findings")
    }

    private func bytes(_ facts: GuardFacts) -> MeasuredGuard {
        MeasuredGuard(
            name: AcceptableGuard.bytes.rawValue, limit: Measure.bytes(limits.bytes),
            value: Measure.bytes(facts.bytesToRemove), number: Double(facts.bytesToRemove),
            exceeds: facts.bytesToRemove > limits.bytes, covering: "\(facts.bytesToRemove)B",
            review: "review the orphans")
    }

    private func answers(
        _ measured: [MeasuredGuard], _ acceptance: Acceptance
    ) -> [RunSummary.Guard] {
        let isOnly = measured.count(where: \.exceeds) == 1
        return measured.map { $0.answer(acceptance, isOnly: isOnly, words) }
    }

    private func abs(_ duration: Duration) -> Duration {
        max(duration, .zero - duration)
    }
}
