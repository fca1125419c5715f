package import MooringModel

/// What is known of a relation to a record that is not there.
package struct RelationFacts: Hashable, Sendable {
    /// How the parent is gone.
    package enum Parent: Hashable, Sendable {
        /// No record has the identifier; since our first sight of that.
        case absent(since: Instant)
        /// The record is marked as deleted; since its effective change.
        case tombstone(since: Instant)

        /// Since when the parent is gone.
        package var since: Instant {
            switch self {
            case .absent(let since), .tombstone(let since): since
            }
        }
    }

    /// How the parent is gone, and since when.
    package var parent: Parent
    /// Whether the child is a row that only joins two records.
    package var isJoin: Bool
    /// Whether the child goes with its parent.
    package var cascade: Bool
    /// The child's effective change; nil when it is not known.
    package var changed: Instant?
    /// Sightings before this run.
    package var sighting: PriorSighting?
    /// Whether something else than a record that is gone may be meant.
    package var isInDoubt = false

    /// Facts about a relation.
    package init(
        parent: Parent, isJoin: Bool = false, cascade: Bool = false, changed: Instant?,
        sighting: PriorSighting? = nil
    ) {
        self.parent = parent
        self.isJoin = isJoin
        self.cascade = cascade
        self.changed = changed
        self.sighting = sighting
    }
}

/// What is said of a difference between two records.
package struct RowJudgement: Hashable, Sendable {
    /// The verdict: settled or explained; undecided where something else may be meant.
    package var verdict: Verdict
    /// The cause; of a row that only joins two records, `joinEnd`.
    package var cause: FindingCause
    /// Why it may still resolve itself; only of explained findings.
    package var explanation: Explanation?
    /// The proofs that it has, or waits for; nil where no act needs one.
    package var proofs: Proofs?
}

/// Judges relations to records that are not there. Pure, as `OrphanJudge`.
package struct RelationJudge: Sendable {
    private let race: RaceModel
    private let now: Instant

    /// A judge under a race model, at the moment when the records were read.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one relation. A device may create the parent, write it back or finish the cascade
    /// until the child's change, or the later tombstone's, and G.
    package func judge(_ facts: RelationFacts) -> RowJudgement {
        let isTombstone: Bool
        var since = facts.changed
        switch facts.parent {
        case .absent: isTombstone = false
        case .tombstone(let gone):
            isTombstone = true
            since = max(gone, since ?? gone)
        }
        let plain: FindingCause = isTombstone ? .tombstonedParent : .missingParent
        var judgement = RowJudgement(
            verdict: .settled, cause: facts.isJoin ? .joinEnd : plain, explanation: nil,
            proofs: .relation(
                changed: facts.changed, goneSince: facts.parent.since, sighting: facts.sighting,
                race: race, now: now))
        if let until = since.map({ $0 + race.grace }), until > now {
            judgement.verdict = .explained
            judgement.explanation = workflow(facts, isTombstone).explanation(until: until)
        }
        // No window ends that it may name a record that is there, or none.
        if facts.isInDoubt { (judgement.verdict, judgement.explanation) = (.undecided, nil) }
        return judgement
    }

    // Where stores refuse old copies nobody writes a parent back; its children may still go.
    private func workflow(_ facts: RelationFacts, _ isTombstone: Bool) -> RowWorkflow {
        if facts.cascade { return .cascade }
        guard isTombstone else { return .childFirst }
        return race.staleWindow > .zero ? .writeBack : .cascade
    }
}
