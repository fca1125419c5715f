import MooringConfiguration
import MooringDecisions
import MooringModel

extension Judging {
    /// Keeps what its store is known not to do safely, and says what it lacks.
    func keepForLack(_ finding: inout Finding, _ judged: inout Judged) {
        guard let action = finding.action, action != .keep, let bucket = finding.bucket,
            let key = finding.key, let lack = lack(for: action, bucket, key, finding.object)
        else { return }
        finding.keep(lacking: lack, for: action)
        let sentence = "\(action.rawValue) is refused in bucket \(bucket): \(lack)"
        judged.lacks[sentence, default: 0] += 1
    }

    private func lack(
        for action: Strategy, _ bucket: String, _ key: ObjectKey, _ version: ObjectVersion?
    ) -> String? {
        guard let store = stores[bucket]?.concerning(key, listed: version) else {
            return job.bucket(bucket)?.needsTrial == true
                ? StoreRule.lackUntried(
                    for: action, keepsVersions: observations.versioned.contains(bucket)) : nil
        }
        return job.lack(of: store, for: action, key: key, in: bucket)
    }
}
