import MooringDecisions
import MooringModel
import MooringReconcile

extension JudgeStage {
    /// Adds `exposed`: referenced objects under a level that more can read than a record allows.
    func addExposed(_ result: inout Result) {
        for exposed in observations.reconciler.exposed() {
            let key = exposed.object.key
            guard !job.bucketMappings[exposed.bucket].ignore.contains(where: { $0.matches(key) })
            else { continue }
            let bucket = job.buckets[exposed.bucket].name
            var finding = Finding(
                id: FindingIdentity.object(.exposed, bucket: bucket, key: key),
                kind: .exposed, cause: nil, verdict: .settled)
            finding.bucket = bucket
            finding.key = key
            finding.object = exposed.object.version
            finding.record = exposed.place
            finding.evidence = [
                "its level lets \(exposed.readers.text) read it",
                "\(exposed.place.identity.model) has visibility: \(exposed.visibility.rawValue)",
            ]
            finding.action = .keep
            result.findings.append(finding)
        }
    }
}

extension Visibility {
    fileprivate var text: String {
        switch self {
        case .owner: "its owner"
        case .signedIn: "every signed-in user"
        case .anyone: "anyone"
        }
    }
}
