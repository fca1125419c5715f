package import MooringModel

/// Makes plan steps from settled findings whose action has its proof.
package enum Planner {
    /// The strategies that this version carries out.
    package static let executable: Set<Strategy> = [
        .quarantine, .delete, .nullify, .restore, .requery,
    ]

    /// Whether a plan made now would hold a step for the finding.
    package static func acts(on finding: Finding) -> Bool {
        guard let action = finding.action, executable.contains(action), finding.needs == nil,
            finding.bucket != nil, finding.key != nil
        else { return false }
        return finding.verdict == .settled
    }

    /// The step for a finding; nil when nothing is to be done about it now.
    ///
    /// `quarantinedBy` is the run in whose quarantine the object of a `restore` lies.
    package static func step(for finding: Finding, quarantinedBy: RunID?) -> PlanStep? {
        guard acts(on: finding), let action = finding.action, let bucket = finding.bucket,
            let key = finding.key
        else { return nil }
        let owners = finding.kind == .orphan ? finding.owners : []
        let step = PlanStep(
            id: "\(action.rawValue)-\(finding.id.prefix(12))", hash: "", strategy: action,
            finding: finding.id, bucket: bucket, key: key, record: finding.record,
            precondition: Precondition(
                object: finding.object, quarantinedBy: quarantinedBy, owners: owners,
                value: finding.kind == .dangling ? finding.value : nil,
                recordVersion: finding.record?.version))
        return step.sealed()
    }
}
