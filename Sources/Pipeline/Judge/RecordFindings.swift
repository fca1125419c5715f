import MooringDecisions
import MooringModel
import MooringReconcile

// Findings that need no verdict of the race model: they are what they are.

extension JudgeStage {
    /// Adds `shared`, `empty-object` and `invalid-key`.
    func addRecordFindings(_ result: inout Result) {
        for shared in observations.reconciler.shared() where isJudged(shared) {
            var finding = objectFinding(.shared, shared)
            finding.records = shared.places
            finding.evidence = ["\(shared.places.count) records reference one object"]
            result.findings.append(finding)
        }
        for empty in observations.reconciler.empty() where isJudged(empty) {
            var finding = objectFinding(.emptyObject, empty)
            finding.record = empty.places.first
            finding.evidence = ["it is referenced and zero bytes long"]
            let until = empty.object.version.lastModified + job.objectRace(clock: clock).grace
            if until > observations.objectMoments[empty.bucket] {
                finding.verdict = .explained
                finding.explanation = Explanation(
                    workflow: WorkflowCatalogue.sameKeyAgain.name,
                    step: WorkflowCatalogue.sameKeyAgain.steps[0].name, until: until)
            }
            result.findings.append(finding)
        }
        var seen: Set<String> = []
        for invalid in invalidOnce() {
            let id = FindingIdentity.reference(
                .invalidKey, record: invalid.place.identity, field: invalid.place.field ?? "",
                value: invalid.value)
            guard seen.insert(id).inserted else { continue }
            var finding = Finding(id: id, kind: .invalidKey, cause: nil, verdict: .settled)
            finding.record = invalid.place
            finding.value = invalid.value
            finding.evidence = [invalid.reason]
            if invalid.hidesReferences {
                finding.evidence.append("every object whose name stands in it is protected")
            }
            finding.action = .keep
            result.findings.append(finding)
        }
    }

    /// Adds an `unmapped-reference` for each object to be given back. A record that took its key up
    /// while it went into quarantine misses it by now, and no dangling reference tells of that,
    /// since nobody mapped the attribute.
    func addUnmappedHeld(_ result: inout Result) {
        let matches = confirmation.scan.unmapped.filter {
            $0.wanted >= confirmation.orphanCount
                && !confirmation.scan.referenced.contains($0.wanted)
        }
        guard !matches.isEmpty else { return }
        var settled = placesTaken(
            among: matches.map { observations.quarantined[$0.wanted - confirmation.orphanCount] })
        let newest = newestQuarantined()
        for match in matches {
            let (bucket, object) = observations.quarantined[
                match.wanted - confirmation.orphanCount]
            let mapping = job.bucketMappings[bucket]
            let answer = newest[bucket]?.answer(of: [.exact(object.key)]) ?? .nothing
            guard mapping.covers(object.key),
                answer.object == object || answer.doubt != nil,
                !mapping.ignore.contains(where: { $0.matches(object.key) }),
                !observations.reconciler.isReferenced(object.key, bucket: bucket),
                settled[bucket, default: []].insert(object.key).inserted
            else { continue }
            var finding = Finding(
                id: FindingIdentity.reference(
                    .unmappedReference, record: match.place.identity,
                    field: match.place.field ?? "", value: object.key.bytes),
                kind: .unmappedReference, cause: nil, verdict: .settled)
            finding.bucket = job.buckets[bucket].name
            finding.key = object.key
            finding.object = object.version
            finding.record = match.place
            finding.value = object.key.bytes
            let attribute = "\(match.place.identity.model).\(match.place.field ?? "")"
            finding.evidence = [
                match.isMappedField
                    ? "\(attribute) is mapped, but holds the key in another form"
                    : "\(attribute) is not mapped, and holds the key",
                "the object lies in quarantine since run \(object.run.text)",
            ]
            finding.action = .restore
            answer.hold(&finding)
            result.findings.append(finding)
        }
    }

    // Keys of these at which an object lies, by bucket: nothing is to be given back there.
    private func placesTaken(
        among held: [(bucket: Int, object: QuarantinedObject)]
    ) -> [Int: Set<ObjectKey>] {
        var keys: [Int: Set<ObjectKey>] = [:]
        for (bucket, object) in held { keys[bucket, default: []].insert(object.key) }
        var taken: [Int: Set<ObjectKey>] = [:]
        for orphan in observations.orphans
        where keys[orphan.bucket]?.contains(orphan.object.key) == true {
            taken[orphan.bucket, default: []].insert(orphan.object.key)
        }
        return taken
    }

    private func objectFinding(_ kind: FindingKind, _ object: ReferencedObject) -> Finding {
        let bucket = job.buckets[object.bucket].name
        var finding = Finding(
            id: FindingIdentity.object(kind, bucket: bucket, key: object.object.key),
            kind: kind, cause: nil, verdict: .settled)
        finding.bucket = bucket
        finding.key = object.object.key
        finding.object = object.object.version
        finding.action = .keep
        return finding
    }

    private func isJudged(_ object: ReferencedObject) -> Bool {
        !job.bucketMappings[object.bucket].ignore.contains { $0.matches(object.object.key) }
    }
}

extension ObjectKey {
    /// The key itself or the folder above it that is among these; nil when none is.
    func selfOrFolder(where isMeant: (ObjectKey) -> Bool) -> ObjectKey? {
        if isMeant(self) { return self }
        for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "/") {
            let folder = ObjectKey(Array(bytes[..<index]))
            if isMeant(folder) { return folder }
        }
        return nil
    }
}
