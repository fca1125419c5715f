import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

extension JudgeStage {
    /// Adds a `dangling/quarantined` finding for every object in quarantine that a record misses
    /// though it names only another one that is there: what it is derived from, what is derived
    /// from it, or a symbolic link that leads to it. It is given back.
    func addHeldNeeded(_ result: inout Result) {
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
            guard let need = need(of: object.key, bucket) else { continue }
            var finding = finding(object, bucket, need)
            answer.hold(&finding)
            result.findings.append(finding)
        }
    }

    private struct Need {
        let reference: (place: RecordPlace, value: [UInt8])
        let sentence: String
    }

    private func need(of key: ObjectKey, _ bucket: Int) -> Need? {
        let patterns = job.bucketMappings[bucket].derived
        for source in DerivedKey.sources(of: key, patterns: patterns) {
            let found = observations.reconciler.presentReference(to: source, bucket: bucket)
            guard let found else { continue }
            return Need(
                reference: found,
                sentence: "it is derived from \(Quoted.key(source)), which is there and referenced")
        }
        for product in DerivedKey.products(of: key, patterns: patterns) {
            let found = observations.reconciler.presentReference(to: product, bucket: bucket)
            guard let found else { continue }
            return Need(
                reference: found,
                sentence:
                    "\(Quoted.key(product)), which is there and referenced, is derived from it"
            )
        }
        guard let link = observations.links.link(to: key, bucket: bucket),
            let found = observations.reconciler.presentReference(to: link.key, bucket: link.bucket)
        else { return nil }
        return Need(
            reference: found,
            sentence: "the symbolic link \(Quoted.key(link.key)) leads to it and is referenced")
    }

    private func finding(
        _ object: QuarantinedObject, _ bucket: Int, _ need: Need
    ) -> Finding {
        let needed = need.reference
        // One record may miss several objects of one source, so that the id is
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
            need.sentence,
            Evidence.inQuarantine(object.run).text,
        ]
        let race = job.race(source: needed.place.identity.source, clock: clock)
        PolicyChoice(policy: job.configuration.repair, race: race).decide(&finding, proofs: nil)
        if !job.buckets[bucket].isLive { finding.action = .keep }
        return finding
    }
}
