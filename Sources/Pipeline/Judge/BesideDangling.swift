import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// What stands beside missing references in a run, and speaks of them.
struct BesideDangling {
    private let job: Job
    private let candidates: Candidates
    private let quarantine: [Int: NewestQuarantined]
    private let folders: FolderReferences
    private let values: ValueDoubts
    private let hasActs: Bool

    /// That of a run with this in quarantine.
    init(_ judging: Judging, _ quarantine: [Int: NewestQuarantined]) throws {
        hasActs = try judging.job.ledger.hasJournal()
        (job, candidates) = (judging.job, judging.candidates)
        self.quarantine = quarantine
        folders = FolderReferences(candidates)
        values = ValueDoubts(
            candidates,
            derived: DerivedObjects(candidates: candidates, buckets: job.bucketMappings))
    }

    /// What is known of a missing reference, all but its sightings and uploads.
    func facts(about reference: ConfirmedReference, changed: Instant?) throws -> DanglingFacts {
        let (candidate, look) = (reference.candidate, reference.look)
        let answer =
            candidate.bucket.flatMap { quarantine[$0] }?.answer(of: candidate.patterns) ?? .nothing
        let lost = try answer == .nothing ? lostFromQuarantine(candidate) : answer.doubt
        let field = job.models[candidate.model].mapping.files[candidate.field]
        let point = candidate.bucket.flatMap {
            AccessPointDoubt.sentence(about: field, in: job.bucketMappings[$0])
        }
        // What may mean another bucket is pointed to nothing.
        let meaning = answer.doubt == nil && point == nil ? reference.meaning : nil
        let doubts = [
            reference.doubt, look?.doubt, heldElsewhere(candidate), lost, meaning?.doubt,
            Judging.addressDoubt(candidate), folders.doubt(about: candidate), point,
        ]
        var facts = DanglingFacts(
            patterns: candidate.patterns, foreignBucket: candidate.foreignBucket,
            head: look?.head, deletion: look?.deletion, quarantined: answer.object,
            changed: changed,
            doubts: doubts.compactMap { $0 }
                + values.doubts(about: candidate, isDeleted: look?.deletion != nil),
            meant: meaning?.objects ?? [], meantBeside: meaning?.beside ?? 0,
            shape: FieldShape(of: field))
        // What the look did not find absent is not known to be gone.
        if [nil, .absent].contains(look?.head) {
            facts.vanished = reference.vanished.map(Judging.text)
        }
        return facts
    }

    private func lostFromQuarantine(_ candidate: DanglingCandidate) throws -> String? {
        hasActs ? try job.lostFromQuarantine(candidate) : nil
    }

    // Why a missing object may lie where nobody looks: in another ledger's quarantine.
    private func heldElsewhere(_ candidate: DanglingCandidate) -> String? {
        guard let keys = candidate.bucket.map({ candidates.heldElsewhere[$0] }), !keys.isEmpty
        else { return nil }
        let isHeld = candidate.patterns.contains { pattern in
            guard case .exact(let key) = pattern else {
                return keys.contains(where: pattern.matches)
            }
            return keys.contains(key)
        }
        return isHeld
            ? "an object of this key lies in a folder that is named like a run of Mooring" : nil
    }
}
