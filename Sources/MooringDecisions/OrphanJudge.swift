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

    /// When this version became visible.
    package var effectiveBirth: Instant { EffectiveTime.birth(of: object, firstSight: firstSight) }
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
        let birth = facts.effectiveBirth
        let told = telling(facts.owners, birth: birth)
        // An owner that is written every day would keep the orphan explained for ever, so that
        // only the object's birth counts here; what owners change, the proofs wait for.
        let difference = Difference(told.state, shape: told.owner?.shape, since: birth)
        let explanation = ExplanationRule.explanation(of: difference, under: race, at: now)
        let verdict: Verdict =
            explanation != nil ? .explained : facts.doubts.isEmpty ? .settled : .undecided
        return Judgement(
            verdict: verdict, cause: told.cause, explanation: explanation,
            difference: difference,
            evidence: evidence(facts, told, difference, verdict), place: told.owner?.place,
            proofs: .orphan(
                owners: facts.owners, sighting: facts.sighting, race: race, now: now))
    }

    /// The owner that is named beside an orphan, the state in which it leaves it, and its cause.
    private struct Telling {
        let owner: PossibleOwner?
        let state: DifferenceState
        let cause: FindingCause
    }

    // The owner that tells most: one that is there, before one that is gone; and of those, one
    // that was cleared on purpose, since somebody may want the file.
    private func telling(_ owners: [PossibleOwner], birth: Instant) -> Telling {
        var present: Telling?
        for owner in owners {
            guard case .present(_, let changed) = owner.state else { continue }
            let cause = CauseRule.cause(
                of: owner.state.leaves, birth: birth, changed: changed, race: race)
            if cause != .cleared, present != nil { continue }
            present = Telling(owner: owner, state: owner.state.leaves, cause: cause)
            if cause == .cleared { break }
        }
        if let present { return present }
        let state = owners.first?.state.leaves ?? .ownerUnknown
        return Telling(owner: owners.first, state: state, cause: CauseRule.cause(of: state))
    }

    private func evidence(
        _ facts: OrphanFacts, _ told: Telling, _ difference: Difference, _ verdict: Verdict
    ) -> [Evidence] {
        var evidence: [Evidence] = []
        evidence.reserveCapacity(4 + facts.doubts.count)
        evidence.append(.lastModified(facts.object.lastModified))
        if difference.since != facts.object.lastModified {
            evidence.append(.multipartFirstSeen(facts.firstSight))
        }
        if verdict == .settled {
            evidence.append(.left(told.state, told.cause, shape: difference.shape))
        }
        evidence.append(rule(told))
        for doubt in facts.doubts { evidence.append(.doubt(doubt)) }
        return evidence
    }

    // What was seen of the owner, by which the cause was told.
    private func rule(_ told: Telling) -> Evidence {
        switch told.owner?.state {
        case nil: return .noTemplateFits
        case .absent: return .ownerIsAbsent
        case .tombstone: return .ownerIsTombstone
        case .present(.otherKey, _): return .ownerHoldsAnother
        case .present(.otherKeys(let count), _): return .ownerListsOthers(count)
        case .present(.nothing, let changed):
            if let changed, told.cause == .cleared { return .ownerCleared(at: changed) }
            return .ownerHoldsNothing(since: changed)
        }
    }
}
