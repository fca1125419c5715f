package import MooringModel

/// The numbers that the guards compare.
package struct GuardFacts: Hashable, Sendable {
    /// Sides that were not read to their end, by name.
    package var incomplete: [String] = []
    /// References read in this run.
    package var references = 0
    /// References read in the last complete run; nil when there was none.
    package var previousReferences: Int?
    /// Objects listed.
    package var objects = 0
    /// Steps of the plan.
    package var steps = 0
    /// Those of the steps that remove an orphan.
    package var orphansToRemove = 0
    /// Objects in quarantine, which a sweep may remove for good.
    package var held = 0
    /// The bytes of the orphans to be removed.
    package var bytesToRemove: Int64 = 0
    /// The clock difference; nil when it was not measured.
    package var clock: Duration?
    /// The guard on mapping errors as the audit answered it; nil where it did not.
    package var mapping: RunSummary.Guard?

    /// Nothing measured.
    package init() {}
}

/// Guards that a person accepted in words for one plan: name, written value, and the number.
package struct Acceptance: Hashable, Sendable {
    /// The values as they were written, by guard.
    package let texts: [String: String]
    /// The values as numbers: a share of one, a count, or bytes.
    package let numbers: [String: Double]
    /// The buckets and sources that are those meant from now on, whatever the ledger knew.
    package var identities: Set<String> = []
    /// How many references below which prefixes may be without their objects.
    package var losses: [[UInt8]: Int] = [:]

    /// Acceptances by guard.
    package init(texts: [String: String] = [:], numbers: [String: Double] = [:]) {
        self.texts = texts
        self.numbers = numbers
    }

    /// Whether the number accepted for a guard is as large as the measured one.
    func covers(_ guardName: String, _ measured: Double) -> Bool {
        // A share is written in hundredths of a percent, which no binary fraction holds exactly.
        numbers[guardName].map { measured <= $0 * (1 + 1e-12) } ?? false
    }
}

/// The guards of DESIGN §3: each compares one number and refuses repairs when it is too large.
package struct Guards: Sendable {
    /// The guards that `--accept` can cover.
    package static let acceptable = ["orphanShare", "steps", "bytes", "referenceDrop"]

    private let limits: Limits
    private let clockBound: Duration

    /// The guards under these limits.
    package init(limits: Limits, clockBound: Duration) {
        self.limits = limits
        self.clockBound = clockBound
    }

    /// Every guard's answer, in a fixed order.
    package func check(
        _ facts: GuardFacts, accepting acceptance: Acceptance = Acceptance()
    ) -> [RunSummary.Guard] {
        [
            completeness(facts), referenceDrop(facts, acceptance),
            orphanShare(facts, acceptance), steps(facts, acceptance), bytes(facts, acceptance),
            clockAnswer(facts.clock),
        ] + [facts.mapping].compactMap { $0 }
    }

    private func completeness(_ facts: GuardFacts) -> RunSummary.Guard {
        RunSummary.Guard(
            name: "complete", limit: "every side read to its end",
            value: facts.incomplete.isEmpty
                ? "complete" : "incomplete: " + facts.incomplete.joined(separator: ", "),
            refused: !facts.incomplete.isEmpty,
            hint: facts.incomplete.isEmpty
                ? nil : "mend what the scan names, then run mooring audit again")
    }

    // An empty or shrunken set of references is what a wrong table, a failed restore or a broken
    // mapping looks like; every object would be an orphan.
    private func referenceDrop(
        _ facts: GuardFacts, _ acceptance: Acceptance
    ) -> RunSummary.Guard {
        let before = facts.previousReferences ?? 0
        let lost = max(0, before - facts.references)
        let drop = facts.references == 0 ? 1 : Double(lost) / Double(max(before, 1))
        let exceeds = facts.references == 0 || drop > limits.referenceDrop
        let refused =
            exceeds && facts.orphansToRemove + facts.held > 0
            && !acceptance.covers("referenceDrop", drop)
        let value =
            facts.references == 0
            ? "no references" : "\(Measure.share(drop)) (\(before) to \(facts.references))"
        return RunSummary.Guard(
            name: "referenceDrop", limit: Measure.share(limits.referenceDrop),
            value: facts.previousReferences == nil && facts.references > 0
                ? "no earlier run (\(facts.references))" : value,
            refused: refused,
            hint: refused
                ? "check the record sources; if it is right: --accept referenceDrop="
                    + Self.covering(drop) : nil)
    }

    private func orphanShare(
        _ facts: GuardFacts, _ acceptance: Acceptance
    ) -> RunSummary.Guard {
        let share =
            facts.orphansToRemove == 0
            ? 0 : Double(facts.orphansToRemove) / Double(max(facts.objects, 1))
        let refused = share > limits.orphanShare && !acceptance.covers("orphanShare", share)
        return RunSummary.Guard(
            name: "orphanShare", limit: Measure.share(limits.orphanShare),
            value: "\(Measure.share(share)) (\(facts.orphansToRemove) of \(facts.objects))",
            refused: refused,
            hint: refused
                ? "review the orphans; to remove them: --accept orphanShare="
                    + Self.covering(share) : nil)
    }

    private func steps(_ facts: GuardFacts, _ acceptance: Acceptance) -> RunSummary.Guard {
        let refused =
            facts.steps > limits.steps && !acceptance.covers("steps", Double(facts.steps))
        return RunSummary.Guard(
            name: "steps", limit: "\(limits.steps)", value: "\(facts.steps)", refused: refused,
            hint: refused
                ? "review the findings; to repair them: --accept steps=\(facts.steps)" : nil)
    }

    private func bytes(_ facts: GuardFacts, _ acceptance: Acceptance) -> RunSummary.Guard {
        let refused =
            facts.bytesToRemove > limits.bytes
            && !acceptance.covers("bytes", Double(facts.bytesToRemove))
        return RunSummary.Guard(
            name: "bytes", limit: Measure.bytes(limits.bytes),
            value: Measure.bytes(facts.bytesToRemove), refused: refused,
            hint: refused
                ? "review the orphans; to remove them: --accept bytes=\(facts.bytesToRemove)B"
                : nil)
    }

    /// The guard on lost references alone, for a confirm scan that is repeated before removals:
    /// the references read now, and those before, where they are known.
    package func referenceAnswer(_ references: Int, before: Int?) -> RunSummary.Guard {
        var facts = GuardFacts()
        facts.references = references
        facts.previousReferences = before
        facts.orphansToRemove = 1
        return referenceDrop(facts, Acceptance())
    }

    /// The clock guard alone, for a command that measured the clock before anything else.
    package func clockAnswer(_ clock: Duration?) -> RunSummary.Guard {
        let refused = clock.map { abs($0) > clockBound } ?? false
        return RunSummary.Guard(
            name: "clockBound", limit: clockBound.label,
            value: clock?.label ?? "not measured", refused: refused,
            hint: refused ? "set this machine's clock or the store's, then run again" : nil)
    }

    private func abs(_ duration: Duration) -> Duration {
        max(duration, .zero - duration)
    }

    // The share rounded up to a hundredth of a percent, so that accepting it covers the number.
    private static func covering(_ share: Double) -> String {
        Measure.share((share * 10_000).rounded(.up) / 10_000)
    }
}
