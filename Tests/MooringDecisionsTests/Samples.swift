import MooringDecisions
import MooringModel

/// The moment at which everything in these tests is judged.
let now = Instant(seconds: 1_900_000_000)

/// Short forms of the nouns that the tests judge.
enum Sample {
    static let standard = RaceModel(bounds: RaceBounds())
    static let optimistic = RaceModel(bounds: RaceBounds(conflicts: .optimistic))
    static let noRelink = RaceModel(bounds: RaceBounds(relinkPossible: false))

    static func version(
        born: Instant = now - .days(100), etag: String = "e", size: Int64 = 17
    ) -> ObjectVersion {
        ObjectVersion(size: size, etag: etag, lastModified: born)
    }

    /// The proof of an orphan whose owner is gone for long and that was seen for long.
    static let irreversible: IrreversibleProof = {
        let proofs = Proofs.orphan(
            owners: [owner(.absent(since: now - .days(29)))], sighting: seen(2, .days(30)),
            race: standard, now: now)
        guard let proof = IrreversibleProof(proofs) else {
            // A machine can only be tested where its proof can be made.
            fatalError("nothing proves the sample")
        }
        return proof
    }()
    static let reversible = ReversibleProof(irreversible)

    static func identity(_ id: String = "s1", model: String = "Song") -> RecordIdentity {
        RecordIdentity(source: "app", model: model, id: RecordID(id))
    }

    /// An owner that an earlier run saw.
    static func owner(_ state: PossibleOwner.State, id: String = "s1") -> PossibleOwner {
        var owner = PossibleOwner(
            place: RecordPlace(identity: identity(id), field: "cover"), state: state)
        owner.wasSeen = true
        return owner
    }

    static func present(
        _ holding: FieldHolding, changed: Instant?, id: String = "s1"
    ) -> PossibleOwner {
        owner(.present(holding: holding, changed: changed), id: id)
    }

    static func orphan(
        _ version: ObjectVersion = version(), owners: [PossibleOwner] = [],
        doubts: [String] = [], sighting: PriorSighting? = nil, firstSight: Instant = now
    ) -> OrphanFacts {
        OrphanFacts(
            object: version, firstSight: firstSight, owners: owners, doubts: doubts,
            sighting: sighting)
    }

    static func seen(_ runs: Int, _ ago: Duration) -> PriorSighting {
        PriorSighting(firstAt: now - ago, runs: runs)
    }

    static func finding(
        _ kind: FindingKind = .orphan, cause: FindingCause? = .superseded,
        verdict: Verdict = .settled, key: String? = "media/a.png"
    ) -> Finding {
        var finding = Finding(id: "0123456789abcdef", kind: kind, cause: cause, verdict: verdict)
        finding.bucket = "media"
        finding.key = key.map { ObjectKey($0) }
        finding.object = version()
        finding.record = RecordPlace(identity: identity(), field: "cover", version: 3)
        return finding
    }
}

extension [UInt8] {
    /// The UTF-8 bytes of a text.
    init(_ text: String) { self = Array(text.utf8) }
}
