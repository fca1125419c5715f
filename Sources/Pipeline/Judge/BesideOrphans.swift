import MooringDecisions
import MooringModel
import MooringReconcile

/// What stands beside orphans in a run, and speaks of them.
struct BesideOrphans {
    /// What is derived from what.
    let derived: DerivedObjects
    /// Who may mean them.
    let clues: OrphanClues
    private let candidates: Candidates
    private let missed: MissedBelow
    private let folders: FolderReferences
    private let taken: TakenReferences

    /// That of a run whose missing references were judged.
    init(_ judging: Judging, _ judged: Judged) throws {
        candidates = judging.candidates
        derived = DerivedObjects(
            candidates: candidates, buckets: judging.job.bucketMappings,
            needed: judging.confirmed.needed)
        clues = OrphanClues(
            candidates: candidates, resolver: judging.job.resolver,
            undecided: OrphanClues.undecided(among: judged.findings))
        missed = MissedBelow(candidates)
        folders = FolderReferences(candidates)
        taken = try TakenReferences(judging.job)
    }

    /// What speaks against calling an object an orphan, one sentence each.
    func doubts(about orphan: ConfirmedOrphan, at place: ObjectPlace) -> [String] {
        let (bucket, object) = (orphan.candidate.bucket, orphan.candidate.object)
        var doubts: [String] = []
        if let target = candidates.links.target(of: object.key, bucket: bucket) {
            doubts.append("a symbolic link, or a mount, leads to \(Quoted.key(target))")
        }
        if let doubt = object.doubt { doubts.append(doubt) }
        if missed.contains(object.key, bucket: bucket) {
            doubts.append(
                "references mean keys below it, as if it were a folder: most likely it stands for "
                    + "a folder that is not mounted")
        }
        if let folder = folders.folder(of: object.key, bucket: bucket) {
            let name = Quoted.key(ObjectKey(Array(folder.bytes)))
            doubts.append("a reference that is missed means \(name), as if it were a folder")
        }
        if let source = derived.source(of: orphan.candidate) {
            doubts.append("it is derived from \(Quoted.key(source)), which is there")
        }
        if orphan.answer.areOwnersCutOff {
            doubts.append("its key may name more owners than were looked for")
        }
        if let near = orphan.answer.nearOwner {
            doubts.append(
                "no record is spelt as its key names it, but \(near.model) "
                    + "\(Quoted.text(near.id.joined)) is spelt alike")
        }
        if let doubt = taken.doubt(about: place.key, bucket: place.bucket) { doubts.append(doubt) }
        return doubts
    }

    /// Whether an object in quarantine is missed by its folder: references mean keys below it.
    func isMissed(_ held: ConfirmedHeld) -> Bool {
        missed.contains(held.object.key, bucket: held.bucket)
    }

    /// Why an object in quarantine stays there though nothing references it; nil where nothing
    /// keeps it.
    func doubt(
        about held: ConfirmedHeld, of bucket: String, isReferenced: Bool
    ) -> String? {
        let key = held.object.key
        if case .doubted(let doubt) = held.successor, isReferenced, !isMissed(held) { return doubt }
        if !isReferenced, candidates.links.target(of: key, bucket: held.bucket) != nil {
            return "an object that no symbolic link leads to"
        }
        if taken.run(thatTook: key, bucket: bucket) != nil {
            return "no reference to it that a run took away"
        }
        if folders.folder(of: key, bucket: held.bucket) != nil {
            return "no reference that means its folder"
        }
        return held.answer.nearOwner == nil ? nil : "an owner spelt as its key spells it"
    }
}
