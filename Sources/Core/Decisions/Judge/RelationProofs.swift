package import MooringModel

extension Proofs {
    /// The proofs of a dangling relation. Reversible: its child unchanged for S + U, or a second
    /// sighting; under optimistic conflict detection only the latter, since a device may stand
    /// between "delete parent" and "delete child". Irreversible: a second sighting, and both the
    /// child unchanged and the parent gone for S + U.
    ///
    /// Where nothing tells when the child changed, what cannot be undone needs a third sighting.
    package static func relation(
        changed: Instant?, goneSince: Instant, sighting: PriorSighting?, race: RaceModel,
        now: Instant
    ) -> Proofs {
        let second = secondSighting(sighting, race: race, now: now, runs: 2)
        let parent = settled("settled parent", since: goneSince, race: race, now: now)
        guard let changed else {
            let third = secondSighting(sighting, race: race, now: now, runs: 3)
            return Proofs(reversible: second, irreversible: third ?? parent)
        }
        let child = settled("settled record", since: changed, race: race, now: now)
        return Proofs(
            reversible: race.bounds.conflicts == .optimistic ? second : earliest(child, second),
            irreversible: second ?? child ?? parent)
    }

    private static func settled(
        _ proof: String, since: Instant, race: RaceModel, now: Instant
    ) -> ProofNeed? {
        let until = since + race.ownerSettling
        return until <= now ? nil : ProofNeed(proof: proof, after: until)
    }
}
