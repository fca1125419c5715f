import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

extension JudgeStage {
    /// Adds a `dangling/quarantined` finding for every derived object in quarantine whose source is
    /// there and referenced: the record misses it, though it names only the source, and it is
    /// given back.
    func addDerivedHeld(_ result: inout Result) {
        guard job.bucketMappings.contains(where: { !$0.derived.isEmpty }) else { return }
        let newest = newestQuarantined()
        let taken = Set(
            observations.orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) })
        for (bucket, object) in observations.quarantined {
            let mapping = job.bucketMappings[bucket]
            let answer = newest[bucket]?.answer(of: [.exact(object.key)]) ?? .nothing
            guard answer.object == object || answer.isFirst(object),
                mapping.covers(object.key),
                !mapping.ignore.contains(where: { $0.matches(object.key) }),
                !taken.contains(WantedKey(bucket: bucket, key: object.key)),
                !observations.reconciler.isReferenced(object.key, bucket: bucket)
            else { continue }
            for source in DerivedKey.sources(of: object.key, patterns: mapping.derived) {
                guard
                    let needed = observations.reconciler.presentReference(
                        to: source, bucket: bucket)
                else { continue }
                var finding = finding(object, bucket, source, needed)
                answer.hold(&finding)
                result.findings.append(finding)
                break
            }
        }
    }

    private func finding(
        _ object: QuarantinedObject, _ bucket: Int, _ source: ObjectKey,
        _ needed: (place: RecordPlace, value: [UInt8])
    ) -> Finding {
        // One record may miss several objects that were made from one source, so that the id is
        // made from the object's own key.
        var finding = Finding(
            id: FindingIdentity.reference(
                .dangling, record: needed.place.identity, field: needed.place.field ?? "",
                value: object.key.bytes),
            kind: .dangling, cause: .quarantined, verdict: .settled)
        finding.bucket = job.buckets[bucket].name
        finding.key = object.key
        finding.object = object.version
        finding.record = needed.place
        finding.value = needed.value
        finding.evidence = [
            "it is derived from \(Shown.key(source)), which is there and referenced",
            Evidence.inQuarantine(object.run).text,
        ]
        let race = job.race(source: needed.place.identity.source, clock: clock)
        PolicyChoice(policy: job.configuration.repair, race: race).decide(&finding, proofs: nil)
        if !job.buckets[bucket].isLive { finding.action = .keep }
        return finding
    }
}
