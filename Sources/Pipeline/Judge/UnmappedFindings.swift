import MooringDecisions
import MooringModel
import MooringReconcile

// Attributes that nobody mapped, but that hold orphans' keys.

extension Judging {
    /// Adds `unmapped-reference`: one for each attribute, with what it protects.
    func addUnmapped(_ judged: inout Judged) {
        let attributes = Dictionary(grouping: confirmed.protections) { Attribute($0.match.place) }
        for (attribute, protections) in attributes {
            let sorted = protections.sorted { one, other in
                let (left, right) = (one.candidate, other.candidate)
                return left.bucket == right.bucket
                    ? left.object.key < right.object.key : left.bucket < right.bucket
            }
            guard let first = sorted.first?.match else { continue }
            let facts = UnmappedFacts(
                place: first.place, table: table(of: attribute),
                objects: sorted.map {
                    (job.buckets[$0.candidate.bucket].name, $0.candidate.object)
                },
                isWhole: first.isWhole, isEnd: first.isEnd, isMappedField: first.isMappedField)
            judged.findings.append(UnmappedJudge.finding(facts))
        }
        addUnmappedHeld(&judged)
    }

    // The table of the model that reads an attribute's rows; nil where none does.
    private func table(of attribute: Attribute) -> String? {
        job.models.first {
            $0.source == attribute.source && $0.mapping.model == attribute.model
        }?.mapping.table
    }

    // One for each object that is given back. Nothing is where an object lies at the key.
    private func addUnmappedHeld(_ judged: inout Judged) {
        let held = confirmed.held.filter { !$0.texts.isEmpty && !$0.answer.isReferenced }
        guard !held.isEmpty else { return }
        let keys = Set(held.map { WantedKey(bucket: $0.bucket, key: $0.object.key) })
        var told = Set(candidates.orphans.map { WantedKey($0) }.filter(keys.contains))
        let newest = newestQuarantined()
        for held in held {
            let (bucket, object) = (held.bucket, held.object)
            let mapping = job.bucketMappings[bucket]
            let answer = newest[bucket]?.answer(of: [.exact(object.key)]) ?? .nothing
            guard mapping.judges(object.key), answer.object == object || answer.doubt != nil,
                !candidates.join.isReferenced(object.key, bucket: bucket),
                told.insert(WantedKey(bucket: bucket, key: object.key)).inserted,
                let match = held.texts.first
            else { continue }
            var finding = UnmappedJudge.finding(
                giveBack: object, of: job.buckets[bucket].name, at: match.place,
                isMappedField: match.isMappedField)
            answer.withhold(&finding)
            judged.findings.append(finding)
        }
    }
}
