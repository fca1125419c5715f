package import MooringModel

/// What the policy would do about a finding, and what that still waits for.
package struct PolicyChoice: Sendable {
    private let policy: RepairPolicy
    private let race: RaceModel
    private let keepsVersions: Bool

    /// The choices of a policy under a race model, for objects in a bucket that is known to keep
    /// versions, or is not.
    package init(policy: RepairPolicy, race: RaceModel, keepsVersions: Bool = false) {
        self.policy = policy
        self.race = race
        self.keepsVersions = keepsVersions
    }

    /// The strategy that the policy names: the last exception that fits, else the kind's own.
    package func strategy(for finding: Finding) -> Strategy {
        var chosen = policy.strategies[finding.kind] ?? .keep
        var isMeant = false
        for override in policy.overrides where fits(override, finding) {
            guard let strategy = override.strategies[finding.kind] else { continue }
            (chosen, isMeant) = (strategy, override.cause == .quarantined)
        }
        // An object in quarantine is given back whatever is done about other references, unless
        // the policy speaks of just that; its reference is never nulled.
        if finding.kind == .dangling, finding.cause == .quarantined,
            !isMeant || !StrategyMatrix.takes(chosen, .dangling, .quarantined)
        {
            return .restore
        }
        // What a kind takes need not fit each of its causes.
        return StrategyMatrix.takes(chosen, finding.kind, finding.cause) ? chosen : .keep
    }

    /// Fills in the finding's action and need.
    package func decide(_ finding: inout Finding, proofs: Proofs?) {
        let chosen = strategy(for: finding)
        finding.needs = nil
        // What the lifecycle rule removes comes back only where the bucket keeps versions.
        if chosen == .tag { finding.basis.needsVersions = keepsVersions }
        switch finding.verdict {
        case .undecided:
            // A doubt lets nothing go; a reference may be made to mean the object that is there.
            // To read again changes nothing, but for a copy, whose row may go.
            let mayAct = chosen == .repoint || chosen == .requery && finding.kind != .staleCopy
            finding.action = mayAct ? chosen : .keep
            if chosen == .repoint { finding.needs = need(of: chosen, finding, proofs: proofs) }
        case .explained:
            finding.action = chosen
            // To look again needs no verdict, but to refresh a copy does.
            if chosen != .keep, chosen != .requery || finding.kind == .staleCopy {
                finding.needs = ProofNeed(
                    proof: "settled verdict", after: finding.explanation?.until)
            }
        case .settled:
            finding.action = chosen
            finding.needs = need(of: chosen, finding, proofs: proofs)
        }
    }

    private func need(
        of strategy: Strategy, _ finding: Finding, proofs: Proofs?
    ) -> ProofNeed? {
        if [.keep, .requery].contains(strategy) { return nil }
        if finding.givesBack { return nil }
        guard let proofs else { return ProofNeed(proof: "a judgement", after: nil) }
        switch strategy {
        case .tag where keepsVersions: return proofs.reversible
        // What the lifecycle rule removes is gone for good too, at an hour that no run chooses: it
        // may lie between a device's write and the next run, which would take the tag off.
        case .delete, .tag:
            // A device that associates an existing object again would lose it for good.
            if race.bounds.relinkPossible { return ProofNeed(proof: "relink: never", after: nil) }
            return proofs.irreversible ?? proofs.reversible
        case .deleteRecord, .abort: return proofs.irreversible ?? proofs.reversible
        case .relink where proofs.presentOwners != 1:
            return ProofNeed(proof: "one owner that is there", after: nil)
        case .repoint where finding.target == nil:
            return ProofNeed(proof: "one object that the field can name", after: nil)
        default: return proofs.reversible
        }
    }

    private func fits(_ override: RepairPolicy.Override, _ finding: Finding) -> Bool {
        if let model = override.model, finding.record?.identity.model != model { return false }
        if let source = override.source, finding.record?.identity.source != source { return false }
        if let cause = override.cause, finding.cause != cause { return false }
        if let prefix = override.prefix {
            guard let key = finding.key, key.hasPrefix(prefix.bytes) else { return false }
        }
        return true
    }
}
