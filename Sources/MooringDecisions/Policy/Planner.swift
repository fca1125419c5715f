package import MooringModel

/// Makes plan steps from findings whose action has its proof.
package enum Planner {
    /// The strategies that this version carries out.
    package static let executable: Set<Strategy> = [
        .quarantine, .delete, .relink, .nullify, .restore, .repoint, .deleteRecord, .requery,
        .tag, .abort,
    ]

    /// Whether a plan made now would hold a step for the finding.
    package static func acts(on finding: Finding) -> Bool {
        guard let action = finding.action, executable.contains(action), finding.needs == nil,
            StrategyMatrix.takes(action, finding.kind, finding.cause), namesItsPlace(finding)
        else { return false }
        // A reference may be made to mean the object that is there, whatever is in doubt about it.
        return finding.verdict == .settled || finding.verdict == .undecided && action == .repoint
    }

    private static func namesItsPlace(_ finding: Finding) -> Bool {
        switch finding.kind {
        case .danglingRelation, .staleCopy: finding.record != nil
        default: finding.bucket != nil && finding.key != nil
        }
    }

    /// The steps in the order in which they are carried out: what a record references comes back
    /// before anything else is changed. A record goes once, and nothing else is written to it.
    package static func ordered(_ steps: [PlanStep]) -> [PlanStep] {
        var removed: [RecordIdentity: String] = [:]
        for step in steps where step.strategy == .deleteRecord {
            if let identity = step.record?.identity, removed[identity] == nil {
                removed[identity] = step.id
            }
        }
        let kept = steps.filter { step in
            guard writesRecord(step), let identity = step.record?.identity,
                let remover = removed[identity]
            else { return true }
            return step.id == remover
        }
        return kept.filter { $0.strategy == .restore } + kept.filter { $0.strategy != .restore }
    }

    /// Whether a step writes a record.
    package static func writesRecord(_ step: PlanStep) -> Bool {
        switch step.strategy {
        case .nullify, .relink, .repoint, .deleteRecord: true
        case .requery: step.key == nil
        default: false
        }
    }

    /// The step for a finding; nil when nothing is to be done about it now.
    ///
    /// `quarantinedBy` is the run in whose quarantine the object of a `restore` lies.
    package static func step(for finding: Finding, quarantinedBy: RunID?) -> PlanStep? {
        guard acts(on: finding), let action = finding.action else { return nil }
        let isOrphan = finding.kind == .orphan
        let step = PlanStep(
            id: "\(action.rawValue)-\(finding.id.prefix(12))", hash: "", strategy: action,
            finding: finding.id, bucket: finding.bucket, key: finding.key,
            target: action == .repoint ? finding.target : nil, record: finding.record,
            precondition: Precondition(
                object: finding.object, basis: finding.basis, quarantinedBy: quarantinedBy,
                owners: isOrphan ? finding.owners : [], value: isOrphan ? nil : finding.value,
                recordVersion: finding.record?.version, rowToken: finding.rowToken))
        return step.sealed()
    }
}
