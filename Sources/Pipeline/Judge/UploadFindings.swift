import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

// What open multipart uploads say: findings of their own, and what they explain.

extension JudgeStage {
    /// The open uploads of an object's key.
    func uploads(at key: ObjectKey, _ bucket: Int) -> [UploadFacts] {
        confirmation.uploads[WantedKey(bucket: bucket, key: key)] ?? []
    }

    /// The open uploads that may bring the object of a missing reference.
    func uploads(for candidate: DanglingCandidate) -> [UploadFacts] {
        guard let bucket = candidate.bucket, !confirmation.uploads.isEmpty else { return [] }
        return candidate.patterns.flatMap { pattern -> [UploadFacts] in
            if case .exact(let key) = pattern { return uploads(at: key, bucket) }
            return confirmation.uploads.filter {
                $0.key.bucket == bucket && pattern.matches($0.key.key)
            }.flatMap(\.value)
        }
    }

    /// Adds `abandoned-upload`: one finding for each key with uploads past the upload window. It is
    /// about those that no device can work on any more, where there are some, and about all of them
    /// else.
    func addUploads(_ result: inout Result) throws {
        let race = job.objectRace(clock: clock)
        for (place, facts) in confirmation.uploads {
            let mapping = job.bucketMappings[place.bucket]
            let rule = UploadRule(race: race, now: observations.objectMoments[place.bucket])
            let reported = facts.filter { rule.isReported($0.upload) }
            guard !reported.isEmpty, !mapping.ignore.contains(where: { $0.matches(place.key) })
            else { continue }
            try add(reported.sorted { $0.upload.id < $1.upload.id }, place, rule, race, &result)
        }
    }

    private func add(
        _ uploads: [UploadFacts], _ place: WantedKey, _ rule: UploadRule, _ race: RaceModel,
        _ result: inout Result
    ) throws {
        let name = job.buckets[place.bucket].name
        let abandoned = uploads.filter(rule.isAbandoned)
        let meant = abandoned.isEmpty ? uploads : abandoned
        var finding = Finding(
            id: FindingIdentity.object(.abandonedUpload, bucket: name, key: place.key),
            kind: .abandonedUpload, cause: nil, verdict: .settled)
        finding.bucket = name
        finding.key = place.key
        finding.object = ObjectVersion(
            size: meant.reduce(0) { $0 + ($1.parts?.bytes ?? 0) }, etag: "",
            lastModified: meant.map(\.newestAt).max() ?? .distantPast)
        finding.basis.uploads = abandoned.map(\.upload)
        finding.evidence = uploads.map { Evidence.uploadOpen($0).text }
        if abandoned.isEmpty {
            finding.verdict = uploads.contains { $0.doubt == nil } ? .explained : .undecided
            let last = uploads.filter { $0.doubt == nil }.max {
                rule.partsUntil($0) < rule.partsUntil($1)
            }
            finding.explanation = last.map(rule.explanation)
        }
        let token = abandoned.map(\.upload.id).joined(separator: "\n")
        let history = try job.ledger.history(of: [finding.id])[finding.id]
        PolicyChoice(policy: job.configuration.repair, race: race).decide(
            &finding,
            proofs: .upload(
                sighting: sighting(history, token: token), race: race,
                now: observations.objectMoments[place.bucket]))
        keepForLack(&finding, &result)
        if finding.verdict == .settled { result.sightings.append((finding.id, token)) }
        result.findings.append(finding)
    }
}
