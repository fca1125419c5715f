import MooringDecisions
import MooringModel
import MooringReconcile

/// What speaks of an orphan beside its possible owners: missing references that may mean it, and
/// an identity that no record knows.
struct OrphanClues {
    /// What the scan of both sides left over.
    let candidates: Candidates
    /// Turns values into keys and back.
    let resolver: KeyResolver
    /// The fields of records whose references are in doubt.
    let undecided: Set<FieldOfRecord>

    /// The fields that undecided dangling references stand in.
    static func undecided(among findings: [Finding]) -> Set<FieldOfRecord> {
        Set(
            findings.filter(\.isInDoubt).compactMap(\.record).map {
                FieldOfRecord(record: $0.identity, field: $0.field ?? "")
            })
    }

    /// Who may mean an object that pass B tells this of and that has these owners, one sentence
    /// each.
    func claims(_ answer: WantedAnswer, of owners: [PossibleOwner]) -> [String] {
        var claims: [String] = []
        if let claim = answer.claim {
            claims.append(
                "a record may mean it: \(Self.text(claim.place)) holds \(claim.object.relation)")
        }
        if let place = answer.namedAt {
            claims.append("a record may mean it: \(Self.text(place)) holds its name")
        }
        let owner = owners.first { owner in
            undecided.contains(
                FieldOfRecord(record: owner.place.identity, field: owner.place.field ?? ""))
        }
        if let owner {
            claims.append("what its owner references is in doubt: \(Self.text(owner.place))")
        }
        return claims
    }

    private static func text(_ place: RecordPlace) -> String {
        let name = Quoted.bare(place.identity.id.joined)
        return "\(place.identity.model)/\(name) \(place.field ?? "")"
    }

    /// The identity under which an orphan lies, where records know identities and none of them
    /// this one; nil elsewhere.
    func unknownIdentity(of key: ObjectKey) -> [UInt8]? {
        let identities = resolver.readings(of: key).compactMap(\.identity)
        guard let first = identities.first, candidates.join.knows(identity: first).any,
            !identities.contains(where: { candidates.join.knows(identity: $0).this })
        else { return nil }
        // Where the level goes on without a slash, several cuts fit: the longest is the likeliest.
        return identities.max { $0.count < $1.count }
    }
}

/// A field of one record.
struct FieldOfRecord: Hashable {
    /// The record.
    let record: RecordIdentity
    /// The field's name; empty where the whole record is meant.
    let field: String
}
