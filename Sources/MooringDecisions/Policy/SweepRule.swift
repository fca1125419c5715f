package import MooringModel

/// Decides whether an object may be removed from quarantine for good.
package enum SweepRule {
    /// What is known of an object in quarantine.
    package struct Facts: Sendable {
        /// When it was put there.
        package var quarantinedAt: Instant
        /// Whether this run's own scan found a reference, mapped or not.
        package var isReferenced: Bool
        /// Complete runs before this one since it was put there, none of which saw a reference.
        package var cleanRuns: Int
        /// The first of them; nil when there was none.
        package var firstCleanAt: Instant?
        /// The records that its key names as owners.
        package var owners: [PossibleOwner]

        /// Facts about an object in quarantine.
        package init(
            quarantinedAt: Instant, isReferenced: Bool, cleanRuns: Int, firstCleanAt: Instant?,
            owners: [PossibleOwner]
        ) {
            self.quarantinedAt = quarantinedAt
            self.isReferenced = isReferenced
            self.cleanRuns = cleanRuns
            self.firstCleanAt = firstCleanAt
            self.owners = owners
        }
    }

    /// What the sweep still waits for; nil when the object may be removed now.
    ///
    /// `now` is when this run's own scan began: what it took counts for no wait, since a reference
    /// may be written behind the scan that did not see it.
    package static func need(
        _ facts: Facts, retention: Duration, race: RaceModel, now: Instant
    ) -> ProofNeed? {
        if facts.isReferenced { return ProofNeed(proof: "no reference", after: nil) }
        let kept = facts.quarantinedAt + retention
        if kept > now { return ProofNeed(proof: "retention", after: kept) }
        let settling = OwnerSettling.of(facts.owners, race: race, now: now, irreversible: true)
        // Where nothing tells when an owner last changed, one more run stands in for it.
        let runs = settling == .unknown ? 3 : 2
        guard let first = facts.firstCleanAt, facts.cleanRuns >= runs else {
            return ProofNeed(
                proof: "\(runs) complete runs without a reference (\(facts.cleanRuns) so far)",
                after: nil)
        }
        if first + race.grace > now {
            return ProofNeed(proof: "grace since the first such run", after: first + race.grace)
        }
        if case .waiting(let until) = settling {
            return ProofNeed(proof: "settled owner", after: until)
        }
        return nil
    }
}
