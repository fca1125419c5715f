package import MooringModel

/// Makes plan steps from findings whose action has its proof.
package enum Planner {
    /// The strategies that this version carries out.
    package static let executable = Set(Strategy.allCases).subtracting([.keep])

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

    /// The steps in the order in which they are carried out: what a record references comes back,
    /// and tags come off, before anything else is changed. A record goes once, and nothing else is
    /// written to it.
    package static func ordered(_ steps: [PlanStep]) -> [PlanStep] {
        var removed: [RecordIdentity: String] = [:]
        for step in steps where step.strategy == .deleteRecord {
            if let identity = step.record?.identity, removed[identity] == nil {
                removed[identity] = step.id
            }
        }
        let kept = steps.filter { step in
            guard step.writesRecord, let identity = step.record?.identity,
                let remover = removed[identity]
            else { return true }
            return step.id == remover
        }
        let (back, freed) = (
            kept.filter { $0.strategy == .restore }, kept.filter { $0.strategy == .untag }
        )
        return back + freed + kept.filter { ![.restore, .untag].contains($0.strategy) }
    }

    /// The step that takes the tag of a repair off an object that is no orphan any more; it needs
    /// no proof, since it removes nothing.
    package static func untag(_ tagging: PlanStep) -> PlanStep {
        var step = tagging
        (step.id, step.strategy) = ("untag-\(tagging.finding.prefix(12))", .untag)
        return step.sealed()
    }

    /// The step for a finding; nil when nothing is to be done about it now.
    ///
    /// `quarantinedBy` is the run in whose quarantine an object of the key lies: only what gives
    /// that object back names it. What is quarantined anew goes to the place of the run that acts,
    /// whatever lies there under other runs.
    package static func step(for finding: Finding, quarantinedBy: RunID?) -> PlanStep? {
        guard acts(on: finding), let action = finding.action else { return nil }
        let isOrphan = finding.kind == .orphan
        let step = PlanStep(
            id: "\(action.rawValue)-\(finding.id.prefix(12))", hash: "", strategy: action,
            finding: finding.id, bucket: finding.bucket, key: finding.key,
            target: action == .repoint ? finding.target : nil, record: finding.record,
            precondition: Precondition(
                object: finding.object, basis: finding.basis,
                quarantinedBy: finding.givesBack ? quarantinedBy : nil,
                owners: isOrphan ? finding.owners : [], value: isOrphan ? nil : finding.value,
                recordVersion: finding.record?.version, rowToken: finding.rowToken))
        return step.sealed()
    }
}
