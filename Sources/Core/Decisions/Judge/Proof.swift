package import MooringModel

/// What earlier complete runs saw of the same finding, settled, about the same version.
package struct PriorSighting: Hashable, Sendable {
    /// The time of the first of them.
    package let firstAt: Instant
    /// How many there were.
    package let runs: Int

    /// Earlier sightings.
    package init(firstAt: Instant, runs: Int) {
        self.firstAt = firstAt
        self.runs = runs
    }
}

/// That an act which can be taken back may be carried out: only a proof makes one.
package struct ReversibleProof: Hashable, Sendable {
    /// What is proof enough for an irreversible act is so for a reversible one.
    package init(_ proof: IrreversibleProof) {}

    /// The proof that an orphan's or a reference's finding has; nil while it waits for one.
    package init?(_ proofs: Proofs) {
        guard proofs.reversible == nil else { return nil }
    }

    /// The proof that stands behind a step of a saved plan: the planner makes none without one,
    /// and the hash tells that nobody changed it since.
    package init?(planned step: PlanStep) {
        let isReversible = step.strategy.traits.reversal == .undo || step.strategy == .requery
        // What lies in quarantine needs no proof to go back; a deletion is taken back by one.
        guard isReversible || step.undeletes, step.isIntact, !step.wouldMixRuns
        else { return nil }
    }

    /// The proof behind a step that was begun, whose intent stands in the journal: what it did is
    /// found out, and taken back where a record needs the object.
    package init?(begun step: PlanStep) {
        let isPlanned = ReversibleProof(planned: step) != nil
        guard isPlanned || step.wouldMixRuns && step.isIntact else { return nil }
    }
}

/// That an act which cannot be taken back may be carried out: only a proof makes one.
package struct IrreversibleProof: Hashable, Sendable {
    /// The proof that an orphan's finding has; nil while it waits for one.
    package init?(_ proofs: Proofs) {
        guard proofs.irreversible == nil, proofs.reversible == nil else { return nil }
    }

    /// The proof that stands behind a deletion in a saved plan, of an object, a record
    /// or an upload, as of `ReversibleProof`.
    package init?(planned step: PlanStep) {
        guard step.isForGood,
            step.precondition.quarantinedBy == nil, step.isIntact
        else { return nil }
    }

    /// The proof that an object in quarantine waits for nothing more; nil while it does.
    package init?(
        sweeping facts: SweepRule.Facts, retention: Duration, race: RaceModel, now: Instant,
        chain: Int = SweepRule.longestChain
    ) {
        let need = SweepRule.need(
            facts, retention: retention, race: race, now: now, chain: chain)
        guard need == nil else { return nil }
    }
}

/// The proofs that acts need (Docs/SAFETY.md, "What each act needs"): nil where a settled finding
/// has the proof, else what it waits for.
package struct Proofs: Hashable, Sendable {
    /// For quarantine, nullify and every other act that can be taken back.
    package let reversible: ProofNeed?
    /// For acts that cannot.
    package let irreversible: ProofNeed?
    /// How many of an orphan's possible owners are there and can take its key: it goes back to the
    /// only one.
    package let presentOwners: Int

    /// The proofs of an act.
    init(reversible: ProofNeed?, irreversible: ProofNeed?, presentOwners: Int = 0) {
        self.reversible = reversible
        self.irreversible = irreversible
        self.presentOwners = presentOwners
    }

    /// The proofs of an orphan, from its possible owners and the sightings before this run.
    package static func orphan(
        owners: [PossibleOwner], sighting: PriorSighting?, race: RaceModel, now: Instant
    ) -> Proofs {
        let second = secondSighting(sighting, race: race, now: now, runs: 2)
        let owner = OwnerSettling.of(owners, race: race, now: now, irreversible: false)
        let goneOwner = OwnerSettling.of(owners, race: race, now: now, irreversible: true)
        // Where nothing tells when an owner last changed, sightings stand in for it, and what
        // cannot be undone needs one more of them.
        let irreversible =
            goneOwner == .unknown
            ? secondSighting(sighting, race: race, now: now, runs: 3)
            : second ?? need(goneOwner)
        return Proofs(
            reversible: earliest(need(owner), second), irreversible: irreversible,
            presentOwners: owners.count(where: \.takesKey))
    }

    /// The proofs of a dangling reference: its record unchanged for S + U, or a second sighting.
    /// Under optimistic conflict detection only the latter, since a device may stand between
    /// "remove K" and "delete record".
    package static func dangling(
        changed: Instant?, sighting: PriorSighting?, race: RaceModel, now: Instant
    ) -> Proofs {
        let second = secondSighting(sighting, race: race, now: now, runs: 2)
        // Where nothing tells when the record changed, what cannot be undone needs one more.
        guard let changed else {
            return Proofs(
                reversible: second,
                irreversible: secondSighting(sighting, race: race, now: now, runs: 3))
        }
        let until = changed + race.ownerSettling
        let settled: ProofNeed? =
            until <= now ? nil : ProofNeed(proof: "settled record", after: until)
        return Proofs(
            reversible: race.bounds.conflicts == .optimistic ? second : earliest(settled, second),
            irreversible: second ?? settled)
    }

    /// The proofs of an abandoned upload, which no record can reference and so nobody owns: a
    /// second sighting.
    package static func upload(
        sighting: PriorSighting?, race: RaceModel, now: Instant
    ) -> Proofs {
        let second = secondSighting(sighting, race: race, now: now, runs: 2)
        return Proofs(reversible: second, irreversible: second)
    }

    /// The sighting that an act of so many runs still waits for; nil when there were enough.
    static func secondSighting(
        _ sighting: PriorSighting?, race: RaceModel, now: Instant, runs: Int
    ) -> ProofNeed? {
        guard let sighting else {
            return ProofNeed(proof: "second sighting", after: now + race.grace)
        }
        let after = sighting.firstAt + race.grace
        if sighting.runs + 1 >= runs, after <= now { return nil }
        return ProofNeed(
            proof: runs == 2 || sighting.runs == 1 ? "second sighting" : "third sighting",
            after: max(after, now))
    }

    private static func need(_ settling: OwnerSettling) -> ProofNeed? {
        switch settling {
        case .settled: nil
        case .waiting(let until): ProofNeed(proof: "settled owner", after: until)
        case .unknown: ProofNeed(proof: "settled owner", after: nil)
        }
    }

    /// Either proof does: the one at hand, or the one that is there first.
    static func earliest(_ one: ProofNeed?, _ other: ProofNeed?) -> ProofNeed? {
        guard let one, let other else { return nil }
        guard let oneAfter = one.after else { return other }
        guard let otherAfter = other.after else { return one }
        return oneAfter <= otherAfter ? one : other
    }
}
