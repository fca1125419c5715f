import MooringConfiguration
import MooringDecisions
import MooringModel

extension Judging {
    /// Keeps what its store is known not to do safely; the sentence that says what it lacks, or nil
    /// where it lacks nothing.
    func keepForLack(_ finding: inout Finding) -> String? {
        guard let action = finding.action, action != .keep, let bucket = finding.bucket,
            let key = finding.key, let lack = lack(for: action, bucket, key, finding.object)
        else { return nil }
        finding.keep(lacking: lack, for: action)
        return "\(action.rawValue) is refused in bucket \(bucket): \(lack)"
    }

    private func lack(
        for action: Strategy, _ bucket: String, _ key: ObjectKey, _ version: ObjectVersion?
    ) -> String? {
        if let lack = job.lackOfPlace(for: action, key: key, in: bucket) { return lack }
        guard let store = stores[bucket]?.concerning(key, listed: version) else {
            return job.bucket(bucket)?.needsTrial == true
                ? StoreRule.lackUntried(
                    for: action, keepsVersions: observations.versioned.contains(bucket)) : nil
        }
        return job.lack(of: store, for: action, key: key, in: bucket)
    }
}
