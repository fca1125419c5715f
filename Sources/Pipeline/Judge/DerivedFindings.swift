import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

extension Judging {
    /// Adds a `dangling/quarantined` finding for every object in quarantine that a record misses
    /// though it names only another one that is there: what it is derived from, what is derived
    /// from it, or a symbolic link that leads to it. It is given back.
    func addHeldNeeded(_ judged: inout Judged) {
        let newest = newestQuarantined()
        let taken = Set(candidates.orphans.map { WantedKey($0) })
        for (bucket, object) in candidates.quarantined {
            let mapping = job.bucketMappings[bucket]
            let answer = newest[bucket]?.answer(of: [.exact(object.key)]) ?? .nothing
            guard answer.object == object || answer.isFirst(object),
                mapping.judges(object.key),
                !taken.contains(WantedKey(bucket: bucket, key: object.key)),
                !candidates.join.isReferenced(object.key, bucket: bucket)
            else { continue }
            guard let need = need(of: object.key, bucket) else { continue }
            var finding = finding(object, bucket, need)
            answer.withhold(&finding)
            judged.findings.append(finding)
        }
    }

    private struct Needed {
        let by: HeldNeed
        let reference: (place: RecordPlace, value: [UInt8])
    }

    private func need(of key: ObjectKey, _ bucket: Int) -> Needed? {
        for kin in HeldKin(job, candidates.links).kin(of: key, bucket: bucket) {
            let found = candidates.join.presentReference(to: kin.key, bucket: kin.bucket)
            if let found { return Needed(by: kin.need, reference: found) }
        }
        return nil
    }

    private func finding(
        _ object: QuarantinedObject, _ bucket: Int, _ needed: Needed
    ) -> Finding {
        let (place, value) = needed.reference
        var finding = HeldJudge.finding(
            object, of: job.buckets[bucket].name, neededBy: needed.by, at: place, value: value)
        let race = job.race(source: place.identity.source, clock: clock)
        PolicyChoice(policy: job.configuration.repair, race: race).decide(&finding, proofs: nil)
        if !job.buckets[bucket].isLive { finding.action = .keep }
        return finding
    }
}
