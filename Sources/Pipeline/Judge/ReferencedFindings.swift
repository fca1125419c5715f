import MooringDecisions
import MooringModel
import MooringReconcile

// What is said of objects that records reference, and of values that are no keys.

extension Judging {
    /// Adds `shared`, `empty-object` and `exposed`.
    func addReferenced(_ judged: inout Judged) {
        let join = candidates.join
        for shared in join.shared() {
            guard let facts = facts(shared.bucket, shared.object, shared.places) else { continue }
            judged.findings.append(SharedJudge.finding(facts))
        }
        for empty in join.empty() {
            guard let facts = facts(empty.bucket, empty.object, empty.places) else { continue }
            judged.findings.append(
                EmptyObjectJudge(
                    race: job.objectRace(clock: clock),
                    now: observations.objectMoments[empty.bucket]
                ).finding(facts))
        }
        for exposed in join.exposed() {
            guard let facts = facts(exposed.bucket, exposed.object, [exposed.place]) else {
                continue
            }
            judged.findings.append(
                ExposedJudge.finding(
                    facts, readers: exposed.readers, allowed: exposed.visibility))
        }
    }

    /// Adds `invalid-key`, once for each value of a record.
    func addInvalid(_ judged: inout Judged) {
        var seen: Set<String> = []
        for invalid in invalidOnce() {
            let finding = InvalidKeyJudge.finding(
                at: invalid.place, value: invalid.value, reason: invalid.reason,
                hidesReferences: invalid.hidesReferences)
            if seen.insert(finding.id).inserted { judged.findings.append(finding) }
        }
    }

    // Nothing is said of what is ignored.
    private func facts(
        _ bucket: Int, _ object: ListedObject, _ places: [RecordPlace]
    ) -> ReferencedFacts? {
        guard !job.bucketMappings[bucket].ignores(object.key) else {
            return nil
        }
        return ReferencedFacts(bucket: job.buckets[bucket].name, object: object, places: places)
    }
}
