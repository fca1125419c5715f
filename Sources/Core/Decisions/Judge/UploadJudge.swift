package import MooringModel

/// Judges the open uploads of a key that are past the upload window. Pure, as `OrphanJudge`.
package struct UploadJudge: Sendable {
    private let race: RaceModel
    private let now: Instant
    private let rule: UploadRule

    /// A judge under a race model, at the moment when the objects were listed.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
        rule = UploadRule(race: race, now: now)
    }

    /// One finding for a key: about the uploads that no device can work on any more, where there
    /// are some, and about all of them else. Nil where none is past the window. Its sighting's
    /// token names those that were abandoned.
    package func finding(
        _ uploads: [UploadFacts], at place: ObjectPlace
    ) -> (finding: Finding, token: String)? {
        let uploads = uploads.filter { rule.isReported($0.upload) }
            .sorted { $0.upload.id < $1.upload.id }
        guard !uploads.isEmpty else { return nil }
        let abandoned = uploads.filter(rule.isAbandoned)
        let meant = abandoned.isEmpty ? uploads : abandoned
        var finding = Finding(
            id: FindingIdentity.object(.abandonedUpload, bucket: place.bucket, key: place.key),
            kind: .abandonedUpload, cause: nil, verdict: .settled)
        finding.bucket = place.bucket
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
        return (finding, abandoned.map(\.upload.id).joined(separator: "\n"))
    }

    /// The proofs that an abort has, or waits for.
    package func proofs(_ sighting: PriorSighting?) -> Proofs {
        .upload(sighting: sighting, race: race, now: now)
    }
}
