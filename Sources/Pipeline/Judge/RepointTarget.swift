import MooringDecisions
import MooringModel
import MooringReconcile

// The one object that a reference without its own can be pointed to.

extension Judging {
    /// Names the object that `repoint` may point a twin, misplaced or foreign reference to: the
    /// only one that it may mean, where the reference's field can name it.
    func nameTarget(
        _ finding: inout Finding, of candidate: DanglingCandidate, _ facts: DanglingFacts
    ) {
        guard [.twin, .misplaced, .foreign].contains(finding.cause), facts.meantBeside == 0,
            let only = facts.meant.onlyTarget
        else { return }
        let place = ObjectPlace(bucket: only.bucket, key: only.key)
        guard canName(place, candidate) else { return }
        finding.target = place
        finding.object = only.version
    }

    private func canName(_ target: ObjectPlace, _ candidate: DanglingCandidate) -> Bool {
        let field = job.models[candidate.model].mapping.files[candidate.field]
        let isElsewhere = candidate.bucket.map { job.buckets[$0].name } != target.bucket
        let mapping = job.bucketMappings.first { $0.name == target.bucket }
        if isElsewhere, mapping?.accessPoint != nil { return false }
        guard let bucket = candidate.bucket else {
            // Only a complex object names its bucket; what else it means was looked at as it is.
            return field.isComplex
        }
        guard candidate.patterns.count == 1, case .exact(let key) = candidate.patterns[0] else {
            return false
        }
        return RepointingChange.meaning(
            of: target, inPlaceOf: candidate.value, meaning: key,
            bucket: job.buckets[bucket].name, field: field) != nil
    }

    /// The token of a reference's row under which it is sighted: what was seen while it may have
    /// meant another object proves nothing once that is gone.
    func sightingToken(_ reference: ConfirmedReference) -> String {
        let token = reference.seen.token
        return reference.meaning == nil ? token : "may mean another object: \(token)"
    }
}
