import MooringDecisions

extension Narrator {
    /// What an auditor did in a step of an act, and how the act ended if it did.
    func act(_ who: String, _ then: Auditor, _ now: Auditor) -> String {
        guard let active = then.active else { return "\(who) ends its run" }
        let key = name(active.act.key)
        let what: String
        switch active.machine {
        case .removal(_, let move): what = text(move, key, active)
        case .nulling(_, let move): what = text(move, key, active)
        case .move(_, let move): what = text(move, key)
        }
        return "\(who) \(what)" + ending(active, then, now)
    }

    // The machine's own words stand in its next move, while the act goes on.
    private func ending(_ before: ActiveAct, _ then: Auditor, _ now: Auditor) -> String {
        if now.active != nil, now.cursor == then.cursor, now.phase == then.phase { return "" }
        return now.ledger.journal.count > then.ledger.journal.count
            ? "; the intent stays open" : "; the act is over"
    }

    private func text(
        _ move: OrphanRemoval.Move, _ key: String, _ active: ActiveAct
    ) -> String {
        switch move {
        case .ask(.readOwners): "reads the owner of \(key)"
        case .ask(.head): "looks at \(key)"
        case .act(.quarantine): moved(key, active)
        case .ask(.headQuarantined): "looks for \(key) in quarantine"
        case .act(.restore): "gives \(key) back"
        case .act(.remove): "removes \(key) from quarantine"
        case .ask, .end: "ends"
        }
    }

    private func moved(_ key: String, _ active: ActiveAct) -> String {
        guard setting.audit.has(.quarantine) else { return "deletes \(key)" }
        guard setting.copiesAndDeletes else { return "moves \(key) into quarantine" }
        return active.isCopied ? "deletes \(key)" : "copies \(key) into quarantine"
    }

    private func text(
        _ move: SandwichWrite.Move, _ key: String, _ active: ActiveAct
    ) -> String {
        switch move {
        case .ask(.readRecord): "reads the record that references \(key)"
        case .ask(.look): "looks at \(key)"
        case .act(.write): "takes \(key) out of the record"
        case .ask(.findWrite): "reads what became of its write"
        case .act(.fence): "fences its write off"
        case .act(.putBack): "puts \(key) back into the record"
        case .end: "ends"
        }
    }

    private func text(_ move: QuarantineMove.Move, _ key: String) -> String {
        switch move {
        case .ask(.readOwners): "reads the owner of \(key)"
        case .act(.restore): "gives \(key) back"
        case .act(.sweep): "removes \(key) for good"
        case .ask(.headQuarantined): "looks for \(key) in quarantine"
        case .ask, .end: "ends"
        }
    }
}
