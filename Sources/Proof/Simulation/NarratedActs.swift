import MooringDecisions

extension Narrator {
    /// What an auditor did in a step of an act, and how the act ended if it did.
    func act(_ who: String, _ then: Auditor, _ now: Auditor) -> String {
        guard let active = then.active else { return "\(who) ends its run" }
        let key = name(active.act.key)
        let what: String
        switch active.machine {
        case .removal(_, let action): what = text(action, key, active)
        case .nulling(_, let action): what = text(action, key, active)
        case .move(_, let action): what = text(action, key)
        }
        return "\(who) \(what)" + ending(active, then, now)
    }

    // The machine's own words stand in its next action, while the act goes on.
    private func ending(_ before: ActiveAct, _ then: Auditor, _ now: Auditor) -> String {
        if now.active != nil, now.cursor == then.cursor, now.phase == then.phase { return "" }
        return now.ledger.journal.count > then.ledger.journal.count
            ? "; the intent stays open" : "; the act is over"
    }

    private func text(
        _ action: OrphanRemoval.Action, _ key: String, _ active: ActiveAct
    ) -> String {
        switch action {
        case .readOwners: "reads the owner of \(key)"
        case .head: "looks at \(key)"
        case .quarantine(_): moved(key, active)
        case .headQuarantined: "looks for \(key) in quarantine"
        case .restore(_): "gives \(key) back"
        case .remove(_): "removes \(key) from quarantine"
        case .finish(_, _), .leaveOpen(_): "ends"
        }
    }

    private func moved(_ key: String, _ active: ActiveAct) -> String {
        guard setting.audit.has(.quarantine) else { return "deletes \(key)" }
        guard setting.copiesAndDeletes else { return "moves \(key) into quarantine" }
        return active.isCopied ? "deletes \(key)" : "copies \(key) into quarantine"
    }

    private func text(
        _ action: SandwichWrite.Action, _ key: String, _ active: ActiveAct
    ) -> String {
        switch action {
        case .readRecord: "reads the record that references \(key)"
        case .look: "looks at \(key)"
        case .write(_): "takes \(key) out of the record"
        case .findWrite: "reads what became of its write"
        case .fence: "fences its write off"
        case .putBack: "puts \(key) back into the record"
        case .finish(_, _), .leaveOpen(_): "ends"
        }
    }

    private func text(_ action: QuarantineMove.Action, _ key: String) -> String {
        switch action {
        case .readOwners: "reads the owner of \(key)"
        case .restore: "gives \(key) back"
        case .sweep(_): "removes \(key) for good"
        case .headQuarantined: "looks for \(key) in quarantine"
        case .finish(_, _), .leaveOpen(_): "ends"
        }
    }
}
