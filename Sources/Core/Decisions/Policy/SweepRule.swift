package import MooringModel

/// Decides whether an object may be removed from quarantine for good.
package enum SweepRule {
    /// The longest chain of old copies, one read from the other, that cannot pass unseen between
    /// looks. A longer one is the stated limit of what a sweep survives.
    package static let longestChain = 3

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
        /// The looks of these runs, and the gaps between them.
        package var looks: CleanLooks
        /// This run's own look.
        package var scan: CleanLook
        /// The records that its key names as owners.
        package var owners: [PossibleOwner]
        /// Whether a field whose template names no owner may hold its key, or nothing says that
        /// none does: then its owners' being settled says nothing of who else references it.
        package var mayBeLinked: Bool

        /// Facts about an object in quarantine.
        package init(
            quarantinedAt: Instant, isReferenced: Bool, cleanRuns: Int, firstCleanAt: Instant?,
            looks: CleanLooks, scan: CleanLook, owners: [PossibleOwner], mayBeLinked: Bool = true
        ) {
            self.quarantinedAt = quarantinedAt
            self.isReferenced = isReferenced
            self.cleanRuns = cleanRuns
            self.firstCleanAt = firstCleanAt
            self.looks = looks
            self.scan = scan
            self.owners = owners
            self.mayBeLinked = mayBeLinked
        }

        /// Whether some record may come to reference it, of which nothing tells when it changed.
        var settlingIsUnknown: Bool {
            mayBeLinked || owners.isEmpty || owners.contains { !$0.tellsItsChange }
        }
    }

    /// What the sweep still waits for; nil when the object may be removed now.
    ///
    /// `now` is when this run's own scan began: what it took counts for no wait, since a reference
    /// may be written behind the scan that did not see it. `chain` is the longest chain of copies
    /// that must not pass unseen.
    package static func need(
        _ facts: Facts, retention: Duration, race: RaceModel, now: Instant,
        chain: Int = longestChain
    ) -> ProofNeed? {
        if facts.isReferenced { return ProofNeed(proof: "no reference", after: nil) }
        let kept = facts.quarantinedAt + retention
        if kept > now { return ProofNeed(proof: "retention", after: kept) }
        guard let first = facts.firstCleanAt, facts.cleanRuns >= 2 else {
            return ProofNeed(
                proof: "2 complete runs without a reference (\(facts.cleanRuns) so far)",
                after: nil)
        }
        if first + race.grace > now {
            return ProofNeed(proof: "grace since the first such run", after: first + race.grace)
        }
        // Those that do not tell are left to the looks.
        let telling = facts.owners.filter { $0.tellsItsChange || $0.isAbsent }
        if case .waiting(let until) = OwnerSettling.of(
            telling, race: race, now: now, irreversible: true)
        {
            return ProofNeed(proof: "settled owner", after: until)
        }
        guard facts.settlingIsUnknown else { return nil }
        return lookNeed(facts, race: race, chain: chain)
    }

    // A copy in flight at the first look is written within S + C; the next is read while that
    // reference stands unseen, which is less than the longest gap, and is written as late again.
    private static func lookNeed(_ facts: Facts, race: RaceModel, chain: Int) -> ProofNeed? {
        let proof = "looks so close that no chain of \(chain) old copies passes unseen between them"
        var ready: Instant?
        for beginning in facts.looks.seen(by: facts.scan) {
            var end = beginning.at + race.uploadWindow
            for _ in 0..<chain { end = end + race.staleWindow + race.clock }
            for _ in 0..<max(0, chain - 1) { end = end + beginning.gap }
            if end < facts.scan.from { return nil }
            ready = min(ready ?? end, end)
        }
        return ProofNeed(proof: proof, after: ready.map { $0 + .nanoseconds(1) })
    }
}
