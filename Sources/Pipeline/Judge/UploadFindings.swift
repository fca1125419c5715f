import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

// What open multipart uploads say: findings of their own, and what they explain.

extension Judging {
    /// The open uploads of an object's key; none where the store has none.
    func uploads(at key: ObjectKey, _ bucket: Int) -> [UploadFacts] {
        confirmed.uploads[WantedKey(bucket: bucket, key: key)] ?? []
    }

    /// The open uploads that may bring the object of a missing reference.
    func uploads(for candidate: DanglingCandidate) -> [UploadFacts] {
        guard let bucket = candidate.bucket, !confirmed.uploads.isEmpty else { return [] }
        return candidate.patterns.flatMap { pattern -> [UploadFacts] in
            if case .exact(let key) = pattern { return uploads(at: key, bucket) }
            return confirmed.uploads.filter {
                $0.key.bucket == bucket && pattern.matches($0.key.key)
            }.flatMap(\.value)
        }
    }

    /// Adds `abandoned-upload`: one finding for each key with uploads past the upload window.
    func addUploads(_ judged: inout Judged) throws {
        let race = job.objectRace(clock: clock)
        for (wanted, uploads) in confirmed.uploads {
            let mapping = job.bucketMappings[wanted.bucket]
            let judge = UploadJudge(race: race, now: observations.objectMoments[wanted.bucket])
            let place = ObjectPlace(bucket: job.buckets[wanted.bucket].name, key: wanted.key)
            guard !mapping.ignores(wanted.key),
                let told = judge.finding(uploads, at: place)
            else { continue }
            var finding = told.finding
            let history = try job.ledger.history(of: [finding.id])[finding.id]
            PolicyChoice(policy: job.configuration.repair, race: race).decide(
                &finding, proofs: judge.proofs(sighting(history, token: told.token)))
            judged.note(lack: keepForLack(&finding))
            judged.add(finding, seenAs: told.token)
        }
    }
}
