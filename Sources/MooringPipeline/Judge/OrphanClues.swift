import MooringDecisions
import MooringModel
import MooringReconcile

/// What speaks of an orphan beside its possible owners: missing references that may mean it, and
/// an identity that no record knows.
struct OrphanClues {
    /// What the scan of both sides left over.
    let observations: Observations
    /// Pass B.
    let scan: ConfirmScan
    /// Turns values into keys and back.
    let resolver: KeyResolver

    /// Who may mean the object of a wanted key, one sentence each.
    func claims(on wanted: Int) -> [String] {
        guard let claim = scan.claim(on: wanted) else { return [] }
        let record = claim.place.identity
        let name = Shown.text(record.id.joined).dropFirst().dropLast()
        return [
            "a record may mean it: \(record.model)/\(name) \(claim.place.field ?? "") holds "
                + claim.object.relation
        ]
    }

    /// The identity under which an orphan lies, where records know identities and none of them
    /// this one; nil elsewhere.
    func unknownIdentity(of number: Int) -> [UInt8]? {
        let key = observations.orphans[number].object.key
        let identities = resolver.readings(of: key).compactMap(\.identity)
        guard let first = identities.first, observations.reconciler.knows(identity: first).any,
            !identities.contains(where: { observations.reconciler.knows(identity: $0).this })
        else { return nil }
        // Where the level goes on without a slash, several cuts fit: the longest is the likeliest.
        return identities.max { $0.count < $1.count }
    }
}
