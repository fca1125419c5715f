package import MooringModel

/// What is known of an object that no record references.
package struct OrphanFacts: Sendable {
    /// The version that was listed.
    package var object: ObjectVersion
    /// When a run first saw this version as a candidate.
    package var firstSight: Instant
    /// Every record that a template names as its owner.
    package var owners: [PossibleOwner]
    /// What speaks against calling it an orphan, one sentence each.
    package var doubts: [String]
    /// Sightings before this run.
    package var sighting: PriorSighting?

    /// Facts about an orphan.
    package init(
        object: ObjectVersion, firstSight: Instant, owners: [PossibleOwner], doubts: [String],
        sighting: PriorSighting?
    ) {
        self.object = object
        self.firstSight = firstSight
        self.owners = owners
        self.doubts = doubts
        self.sighting = sighting
    }

    /// When this version became visible: LastModified, or our first sight where a multipart
    /// upload may have hidden it until then.
    package var effectiveBirth: Instant {
        object.isMultipart ? max(object.lastModified, firstSight) : object.lastModified
    }
}

/// What the judge says of a candidate.
package struct Judgement: Hashable, Sendable {
    /// The verdict.
    package var verdict: Verdict
    /// The cause.
    package var cause: FindingCause
    /// Why it may still resolve itself; only of explained findings.
    package var explanation: Explanation?
    /// What led here, one sentence each.
    package var evidence: [String]
    /// The record to name beside it.
    package var place: RecordPlace?
    /// The proofs that it has, or waits for.
    package var proofs: Proofs
}

/// Judges candidate orphans. Pure: the same facts and moment give the same judgement.
package struct OrphanJudge: Sendable {
    private let race: RaceModel
    // The earlier of the moments at which records and objects were read.
    private let now: Instant

    /// A judge under a race model, at a moment.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one candidate.
    package func judge(_ facts: OrphanFacts) -> Judgement {
        let (cause, owner, reason) = cause(of: facts)
        let until = facts.effectiveBirth + race.grace
        var evidence = [
            "last modified \(facts.object.lastModified.iso8601)"
        ]
        if facts.effectiveBirth != facts.object.lastModified {
            evidence.append("a multipart object first seen \(facts.firstSight.iso8601)")
        }
        evidence.append(reason)
        evidence += facts.doubts
        var judgement = Judgement(
            verdict: .settled, cause: cause, explanation: nil, evidence: evidence,
            place: owner?.place,
            proofs: .orphan(
                owners: facts.owners, sighting: facts.sighting, race: race, now: now))
        if until > now {
            judgement.verdict = .explained
            judgement.explanation = Explanation(
                workflow: "create", step: "associate", until: until)
        } else if !facts.doubts.isEmpty {
            judgement.verdict = .undecided
        }
        return judgement
    }

    // The owner that tells most: one that is there, before one that is gone; and of those, one
    // that was cleared on purpose, since somebody may want the file.
    private func cause(
        of facts: OrphanFacts
    ) -> (cause: FindingCause, owner: PossibleOwner?, reason: String) {
        let causes = facts.owners.compactMap { owner in
            if case .present(let holding, let changed) = owner.state {
                let (cause, reason) = Self.cause(
                    holding: holding, changed: changed, birth: facts.effectiveBirth, race: race)
                return (cause: cause, owner: owner, reason: reason)
            }
            return nil
        }
        if let told = causes.first(where: { $0.cause == .cleared }) ?? causes.first {
            return (told.cause, told.owner, told.reason)
        }
        guard let owner = facts.owners.first else {
            return (.unattributed, nil, "no key template fits this key")
        }
        switch owner.state {
        case .tombstone: return (.ownerless, owner, "its owner is marked as deleted")
        default: return (.ownerless, owner, "its owner does not exist")
        }
    }

    private static func cause(
        holding: FieldHolding, changed: Instant?, birth: Instant, race: RaceModel
    ) -> (FindingCause, String) {
        switch holding {
        case .otherKey: return (.superseded, "its owner holds another key")
        case .otherKeys(let count):
            return (.detached, "its owner's list lacks it and holds \(count) others")
        case .nothing:
            guard let changed else {
                return (
                    .unassociated, "its owner holds no key, and no change time tells since when"
                )
            }
            if changed > birth + race.uploadWindow {
                return (
                    .cleared, "its owner holds no key since a change at \(changed.iso8601)"
                )
            }
            return (.unassociated, "its owner holds no key, unchanged since \(changed.iso8601)")
        }
    }
}
