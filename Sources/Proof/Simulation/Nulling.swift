import MooringDecisions
import MooringModel

// The nulling of a reference in a simulated run, and what is checked when an act ends.
extension World {
    /// Carries out one move of a nulling.
    mutating func null(
        _ move: SandwichWrite.Move, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> SandwichWrite.Answer {
        guard case .null(let record, let key, _) = active.act else { return .failed("") }
        let audit = setting.audit
        switch move {
        case .ask(.readRecord):
            guard audit.has(.sandwich) else { return .record(.held(token: "")) }
            if isUnanswered(&active, fault) { return .record(.unknown(Self.silence)) }
            guard records[record].references(key) else { return .record(.released("")) }
            active.versionBefore = records[record].version
            let token = audit.has(.versionComparison) ? Names.token(active.versionBefore) : ""
            return .record(.held(token: token))
        case .ask(.look):
            let isAfter = active.done.nulled > 0
            guard audit.has(isAfter ? .putBack : .sandwich) else { return .look(.asJudged) }
            if isUnanswered(&active, fault) { return .look(.unknown(Self.silence)) }
            return .look(objects[key] == nil ? .asJudged : .otherwise("the object is there"))
        case .act(.write):
            return writeNull(record, key, &active, setting, fault)
        case .ask(.findWrite):
            if isUnanswered(&active, fault) { return .fate(.unknown(Self.silence)) }
            return .fate(fate(record, key, &active, setting))
        case .act(.fence):
            let isAnswered = !isUnanswered(&active, fault)
            guard isAnswered || fault == .answerLost else { return .failed(Self.silence) }
            let outcome = fence(record, key, active, setting)
            return isAnswered ? .fence(outcome) : .failed(Self.silence)
        case .act(.putBack):
            return putBack(record, key, &active, setting, fault)
        default:
            return .failed("nothing to be done")
        }
    }

    private mutating func writeNull(
        _ record: Int, _ key: Int, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> SandwichWrite.Answer {
        active.isIntended = true
        let isConditional = setting.audit.has(.condition)
        guard records[record].state == .present, records[record].keys.count > 0 else {
            return .written(.stale("gone"))
        }
        if isConditional,
            !records[record].references(key) || records[record].version != active.versionBefore
        {
            return .written(.stale("another version"))
        }
        let request = LateRequest(
            kind: .null(version: active.versionBefore), key: Int16(key), record: Int16(record),
            run: active.run)
        let stillShouldStop = active.shouldStop && shouldStop(active.act)
        if meet(fault, request, &active, { $0.null(record, key, exactly: isConditional) }) {
            return .failed(Self.silence)
        }
        if setting.strictness.disturbed, stillShouldStop, violation == nil {
            violation = .disturbed(key: key)
        }
        null(record, key, exactly: isConditional)
        active.done.nulled += 1
        return .written(.written)
    }

    private func fate(
        _ record: Int, _ key: Int, _ active: inout ActiveAct, _ setting: Setting
    ) -> WriteFate {
        let now = records[record]
        if now.version == active.versionBefore, now.references(key) { return .pending }
        guard lacks(record, key, setting) else { return .overtaken }
        active.done.nulled = 1
        return now.version == active.versionBefore + 1 ? .written : .rewritten
    }

    // Whether the field has room for the key: a list that lacks it, or a field without a key.
    private func lacks(_ record: Int, _ key: Int, _ setting: Setting) -> Bool {
        let now = records[record]
        guard now.state == .present, !now.keys.contains(key) else { return false }
        return setting.lists.contains(record) || now.keys.count == 0
    }

    private mutating func fence(
        _ record: Int, _ key: Int, _ active: ActiveAct, _ setting: Setting
    ) -> FenceOutcome {
        guard setting.audit.has(.fence) else { return .fenced }
        guard records[record].version == active.versionBefore, records[record].references(key)
        else { return .stale }
        records[record].version += 1
        records[record].changed = now
        return .fenced
    }

    private mutating func putBack(
        _ record: Int, _ key: Int, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> SandwichWrite.Answer {
        guard lacks(record, key, setting) else {
            return .written(.stale("the field holds another value"))
        }
        let left = records[record].version
        let request = LateRequest(
            kind: .putBack(version: left), key: Int16(key), record: Int16(record),
            run: active.run)
        if meet(fault, request, &active, { $0.putBack(record, key) }) {
            return .failed(Self.silence)
        }
        putBack(record, key)
        active.done.putBack += 1
        return .written(.written)
    }

    /// Carries a late request out; each is conditional, as it was sent.
    mutating func carryOut(_ request: LateRequest, _ setting: Setting) {
        let (key, record) = (Int(request.key), Int(request.record))
        switch request.kind {
        case .quarantine(let judged):
            guard matches(key, judged, setting) else { return }
            takeAway(key, setting.audit.has(.quarantine) ? request.run : nil, at: now)
        case .sweep:
            _ = sweep(key, run: request.run)
        case .restore:
            guard objects[key] == nil else { return }
            _ = restore(key, run: request.run)
        case .null(let version):
            guard records[record].references(key), records[record].version == version
            else { return }
            null(record, key, exactly: true)
        case .putBack(let version):
            guard records[record].state == .present, records[record].version == version,
                !records[record].keys.contains(key)
            else { return }
            putBack(record, key)
        }
    }

    /// Ends an act where its machine did: the journal must tell what was done. False while it
    /// goes on.
    mutating func conclude<Question, Act>(
        _ move: StepMove<Question, Act>, _ active: ActiveAct, _ number: Int
    ) -> Bool {
        guard case .end(let end) = move else { return false }
        guard case .finish(let outcome, _) = end else {
            auditors[number].ledger.journal.append(active)
            return true
        }
        let isGone = isGone(active.act)
        if let lie = active.lie(about: outcome, isGone: isGone), violation == nil {
            violation = .journal(key: active.act.key, lie)
        }
        return true
    }

    private func isGone(_ act: Act) -> Bool {
        guard case .remove(let key, let judged, _) = act else { return false }
        return objects[key]?.serial != judged.serial
    }
}

extension ActiveAct {
    /// What an outcome says that was not done; nil where it says the truth. What became of a
    /// request without an answer is not known to anybody.
    func lie(about outcome: StepOutcome, isGone: Bool) -> String? {
        guard !isUncertain else { return nil }
        let isTrue: Bool
        switch (act, outcome) {
        // A copy whose original devices removed or replaced meanwhile is as good as a move.
        case (.remove, .done):
            isTrue = (done.moved == 1 || isCopied && isGone) && done.restored == 0
        case (.remove, .putBack): isTrue = (done.moved == 1 || isCopied) && done.restored == 1
        // What another step gave back may have been replaced since.
        case (.remove, .stale):
            isTrue = done.moved == 0 || done.restored == 0 && (!isGone || isGivenBack)
        case (.null, .done): isTrue = done.nulled == 1 && done.putBack == 0
        case (.null, .putBack): isTrue = done.nulled == 1 && done.putBack == 1
        case (.restore, .done): isTrue = done.restored == 1
        case (.sweep, .done): isTrue = done.swept == 1
        case (.restore, .stale): isTrue = done.restored == 0
        case (.sweep, .stale): isTrue = done.swept == 0
        default: isTrue = true
        }
        guard !isTrue else { return nil }
        return "a step was told as '\(outcome.rawValue)', after "
            + "\(done.moved) moved, \(done.restored) restored, \(done.swept) swept, "
            + "\(done.nulled) nulled, \(done.putBack) put back"
    }
}
