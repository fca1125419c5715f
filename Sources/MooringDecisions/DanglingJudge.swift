package import MooringModel

/// What is known of a reference whose object was not listed.
package struct DanglingFacts: Sendable {
    /// Where the object may lie; empty when the record names a bucket nobody configured.
    package var patterns: [KeyPattern]
    /// The bucket that the record names, when it is not configured.
    package var foreignBucket: String?
    /// A look at the object after the listing; nil where the bucket cannot be asked.
    package var head: HeadAnswer?
    /// The object in quarantine, when it lies there.
    package var quarantined: QuarantinedObject?
    /// The record's effective change; nil when it is not known.
    package var changed: Instant?
    /// What speaks against calling it dangling, one sentence each.
    package var doubts: [String]
    /// Sightings before this run.
    package var sighting: PriorSighting?

    /// Facts about a dangling reference.
    package init(
        patterns: [KeyPattern], foreignBucket: String? = nil, head: HeadAnswer? = nil,
        quarantined: QuarantinedObject? = nil, changed: Instant?, doubts: [String] = [],
        sighting: PriorSighting? = nil
    ) {
        self.patterns = patterns
        self.foreignBucket = foreignBucket
        self.head = head
        self.quarantined = quarantined
        self.changed = changed
        self.doubts = doubts
        self.sighting = sighting
    }
}

/// Judges candidate dangling references. Pure, as `OrphanJudge`.
package struct DanglingJudge: Sendable {
    private let race: RaceModel
    // When the objects were listed.
    private let now: Instant

    /// A judge under a race model, at a moment.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one candidate.
    package func judge(_ facts: DanglingFacts) -> Judgement {
        var judgement = Judgement(
            verdict: .settled, cause: .missing, explanation: nil, evidence: [], place: nil,
            proofs: .dangling(
                changed: facts.changed, sighting: facts.sighting, race: race, now: now))
        if let bucket = facts.foreignBucket {
            judgement.cause = .foreign
            judgement.verdict = .undecided
            judgement.evidence = ["no bucket named '\(bucket)' is configured"]
            return judgement
        }
        if let quarantined = facts.quarantined {
            judgement.cause = .quarantined
            judgement.evidence = [
                "the object lies in quarantine since run \(quarantined.run.text)"
            ]
            // Giving an object back to a record that references it needs no further proof.
            judgement.proofs = Proofs(
                reversible: nil, irreversible: judgement.proofs.irreversible)
            return judgement
        }
        judgement.evidence.append("no such object was listed")
        if facts.head == .absent {
            judgement.evidence.append("a look after the listing found no such object")
        }
        judgement.evidence += doubts(facts)
        if !doubts(facts).isEmpty {
            judgement.verdict = .undecided
        } else if let changed = facts.changed, changed + race.grace > now {
            judgement.verdict = .explained
            judgement.explanation = Explanation(
                workflow: "delete both, file first", step: "delete record",
                until: changed + race.grace)
            judgement.evidence.append("its record changed at \(changed.iso8601)")
        } else if let changed = facts.changed {
            judgement.evidence.append("its record is unchanged since \(changed.iso8601)")
        } else {
            judgement.evidence.append("its record does not tell when it changed")
        }
        return judgement
    }

    private func doubts(_ facts: DanglingFacts) -> [String] {
        var doubts = facts.doubts
        if facts.patterns.count > 1 {
            doubts.append("its level is not known, so it may mean \(facts.patterns.count) keys")
        } else if case .anyIdentity = facts.patterns.first {
            doubts.append("the identity under which it lies is not known")
        }
        switch facts.head {
        case .unknown(let reason):
            doubts.append("a look at the object gave no answer: \(reason)")
        case .present: doubts.append("a look after the listing found the object")
        case .absent, nil: break
        }
        return doubts
    }
}
