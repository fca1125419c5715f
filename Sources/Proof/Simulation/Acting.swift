import MooringDecisions
import MooringModel

// The acts of a simulated run: the product's machines, driven against the simulated stores. What
// a protocol lacks is answered as if it had been looked at and found well.
extension World {
    /// Begins the next act, or ends the run. Nothing is removed while an act on it is open.
    mutating func startNextAct(_ number: Int, _ setting: Setting) {
        while auditors[number].cursor < auditors[number].acts.count,
            waits(auditors[number].acts[auditors[number].cursor], auditors[number].ledger)
        {
            auditors[number].cursor += 1
        }
        guard auditors[number].cursor < auditors[number].acts.count else {
            return endRun(number)
        }
        let act = auditors[number].acts[auditors[number].cursor]
        auditors[number].cursor += 1
        let machine: ActiveAct.Machine
        switch act {
        case .remove(_, let object, let proof):
            let removal = proof.removal(of: Names.version(object, setting))
            machine = .removal(removal, removal.start)
        case .null(_, _, let proof):
            let nulling = SandwichWrite(proof: proof)
            machine = .nulling(nulling, nulling.start)
        case .restore:
            let move = QuarantineMove.restore()
            machine = .move(move, move.start)
        case .sweep(_, let proof):
            let move = QuarantineMove.sweep(proof)
            machine = .move(move, move.start)
        }
        var active = ActiveAct(
            act: act, machine: machine, run: auditors[number].run,
            runStartedAt: auditors[number].startedAt)
        active.shouldStop = shouldStop(act)
        if case .null(let record, _, _) = act, !setting.audit.has(.sandwich) {
            active.versionBefore = records[record].version
        }
        auditors[number].active = active
    }

    private func waits(_ act: Act, _ ledger: SimulatedLedger) -> Bool {
        switch act {
        case .remove, .sweep: ledger.journal.contains { $0.act.key == act.key }
        case .null, .restore: false
        }
    }

    /// The truth: whether an act that began now would have to find a reason to stop.
    func shouldStop(_ act: Act) -> Bool {
        switch act {
        case .remove(let key, let judged, _):
            isReferenced(key) || objects[key].map { $0.serial != judged.serial } ?? true
        case .null(_, let key, _): objects[key] != nil
        case .sweep(let held, _): ownerReferences(Int(held.key))
        case .restore: false
        }
    }

    /// Takes the next step of the act under way.
    mutating func act(_ number: Int, _ setting: Setting, _ fault: Fault?) {
        guard var active = auditors[number].active else { return endRun(number) }
        let isOver: Bool
        switch active.machine {
        case .removal(var machine, let move):
            if let answer = remove(move, &active, setting, fault) {
                let next = machine.handle(answer)
                active.machine = .removal(machine, next)
                isOver = conclude(next, active, number)
            } else {
                isOver = false
            }
        case .nulling(var machine, let move):
            let answer = null(move, &active, setting, fault)
            let next = machine.handle(answer)
            active.machine = .nulling(machine, next)
            isOver = conclude(next, active, number)
        case .move(var machine, let wanted):
            let answer = move(wanted, &active, setting, fault)
            let next = machine.handle(answer)
            active.machine = .move(machine, next)
            isOver = conclude(next, active, number)
        }
        auditors[number].active = isOver ? nil : active
        guard isOver else { return }
        if auditors[number].phase == .acting { return startNextAct(number, setting) }
        if auditors[number].ledger.journal.isEmpty || isLeftOpen(active) {
            return enter(setting.audit.has(.recordsFirst) ? .passA : .listing, number)
        }
        resumeNext(number, setting)
    }

    private func isLeftOpen(_ active: ActiveAct) -> Bool {
        switch active.machine {
        case .removal(_, .end(.leaveOpen)), .nulling(_, .end(.leaveOpen)),
            .move(_, .end(.leaveOpen)):
            true
        default: false
        }
    }

    /// Whether a request's answer is lost; it is carried out now, later, or never.
    mutating func meet(
        _ fault: Fault?, _ request: LateRequest, _ active: inout ActiveAct,
        _ carryOut: (inout World) -> Void
    ) -> Bool {
        guard let fault else { return false }
        active.isUncertain = true
        active.faults += 1
        faultsLeft -= 1
        switch fault {
        case .lost: break
        case .answerLost: carryOut(&self)
        case .late: late.append(request)
        }
        return true
    }

    /// Whether a question stays without an answer; nothing is changed, whatever the fault.
    mutating func isUnanswered(_ active: inout ActiveAct, _ fault: Fault?) -> Bool {
        guard fault != nil else { return false }
        active.faults += 1
        faultsLeft -= 1
        return true
    }

    /// Why a question has no answer.
    static let silence = "no answer"

    // MARK: Removal

    private mutating func remove(
        _ move: OrphanRemoval.Move, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> ObjectAnswer? {
        guard case .remove(let key, let judged, _) = active.act else { return .failed("") }
        let audit = setting.audit
        switch move {
        case .ask(.readOwners):
            active.ownerReads += 1
            let isAfter = active.ownerReads > 1 || active.done.moved > 0
            guard audit.has(isAfter ? .ownersAfter : .requery) else {
                return .owners(.unreferenced)
            }
            return .owners(ownersAnswer(key, &active, fault))
        case .ask(.head):
            if isUnanswered(&active, fault) { return .head(.unknown(Self.silence)) }
            guard let object = objects[key] else { return .head(.absent) }
            return .head(
                .present(
                    Names.version(audit.has(.versionComparison) ? object : judged, setting)))
        case .act(.quarantine):
            return quarantine(key, judged, &active, setting, fault)
        case .ask(.headQuarantined):
            if isUnanswered(&active, fault) { return .head(.unknown(Self.silence)) }
            guard let place = heldPlace(key, active.run) else { return .head(.absent) }
            return .head(.present(Names.version(held[place].object, setting)))
        case .act(.restore):
            return restore(key, &active, setting, fault)
        case .act(.remove):
            return sweep(key, &active, setting, fault)
        default:
            return .failed("nothing to be done")
        }
    }

    private mutating func ownersAnswer(
        _ key: Int, _ active: inout ActiveAct, _ fault: Fault?
    ) -> OwnersAnswer {
        if isUnanswered(&active, fault) { return .unknown(Self.silence) }
        return ownerReferences(key) ? .referenced : .unreferenced
    }

    private func ownerReferences(_ key: Int) -> Bool {
        let owner = Int(owners[key])
        guard owner >= 0 else { return false }
        return records[owner].state != .absent && records[owner].keys.contains(key)
    }

    // Nil while a move in two steps has only made its copy.
    private mutating func quarantine(
        _ key: Int, _ judged: SimulatedObject, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> ObjectAnswer? {
        active.isIntended = true
        let isAsJudged = matches(key, judged, setting)
        if !isAsJudged, setting.audit.has(.condition) || objects[key] == nil {
            return .moved(.stale("another version"))
        }
        // A place holds one object: what lies there is taken for an own copy by its content.
        if setting.audit.has(.quarantine), !active.isCopied,
            let place = heldPlace(key, active.run)
        {
            guard setting.copiesAndDeletes, held[place].object.content == objects[key]?.content
            else { return .moved(.stale("the place is taken")) }
            active.isCopied = true
        }
        if setting.copiesAndDeletes, setting.audit.has(.quarantine), !active.isCopied {
            hold(key, run: active.run, at: active.runStartedAt)
            active.isCopied = true
            return nil
        }
        let request = LateRequest(
            kind: .quarantine(judged), key: Int16(key), record: -1, run: active.run)
        let (isCopied, startedAt, run) = (active.isCopied, active.runStartedAt, active.run)
        let isHeld = setting.audit.has(.quarantine)
        let stillShouldStop = active.shouldStop && shouldStop(active.act)
        let isLost = meet(fault, request, &active) {
            $0.takeAway(key, isHeld && !isCopied ? run : nil, at: startedAt)
        }
        if isLost {
            if fault == .answerLost { active.done.moved += 1 }
            return .failed(Self.silence)
        }
        takeAway(key, isHeld && !isCopied ? run : nil, at: startedAt)
        active.done.moved += 1
        if setting.strictness.disturbed, stillShouldStop, violation == nil {
            violation = .disturbed(key: key)
        }
        return .moved(.done)
    }

    /// Whether the object at a key is the one that was judged, as far as the store can tell.
    func matches(_ key: Int, _ judged: SimulatedObject, _ setting: Setting) -> Bool {
        guard let object = objects[key] else { return false }
        if setting.tag == .content {
            return object.content == judged.content && object.isMultipart == judged.isMultipart
        }
        return object.serial == judged.serial
    }

    /// Removes the object at a key, into the quarantine of a run where one is named.
    package mutating func takeAway(_ key: Int, _ run: Int32?, at start: Tick) {
        if let run { hold(key, run: run, at: start) }
        removeAsAuditor(key)
    }

    private mutating func restore(
        _ key: Int, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> ObjectAnswer {
        active.isIntended = true
        if objects[key] != nil, setting.audit.has(.noOverwrite) {
            return .moved(.stale("the place is taken"))
        }
        let run = active.run
        let request = LateRequest(
            kind: .restore, key: Int16(key), record: -1, run: run)
        if meet(fault, request, &active, { _ = $0.restore(key, run: run) }) {
            return .failed(Self.silence)
        }
        guard restore(key, run: run) else { return .moved(.stale("not in quarantine")) }
        active.done.restored += 1
        return .moved(.done)
    }

    // MARK: Restore and sweep

    private mutating func move(
        _ move: QuarantineMove.Move, _ active: inout ActiveAct, _ setting: Setting,
        _ fault: Fault?
    ) -> ObjectAnswer {
        let key = active.act.key
        switch active.act {
        case .restore(let held), .sweep(let held, _): active.run = held.run
        default: break
        }
        switch move {
        case .ask(.readOwners):
            guard setting.audit.has(.requery) else { return .owners(.unreferenced) }
            return .owners(ownersAnswer(key, &active, fault))
        case .act(.restore):
            return restore(key, &active, setting, fault)
        case .act(.sweep):
            return sweep(key, &active, setting, fault)
        case .ask(.headQuarantined):
            if isUnanswered(&active, fault) { return .head(.unknown(Self.silence)) }
            guard let place = heldPlace(key, active.run) else { return .head(.absent) }
            return .head(.present(Names.version(held[place].object, setting)))
        default:
            return .failed("nothing to be done")
        }
    }

    private mutating func sweep(
        _ key: Int, _ active: inout ActiveAct, _ setting: Setting, _ fault: Fault?
    ) -> ObjectAnswer {
        active.isIntended = true
        let run = active.run
        let request = LateRequest(kind: .sweep, key: Int16(key), record: -1, run: run)
        if meet(fault, request, &active, { _ = $0.sweep(key, run: run) }) {
            return .failed(Self.silence)
        }
        let stillShouldStop = active.shouldStop && shouldStop(active.act)
        guard sweep(key, run: run) else { return .moved(.stale("not in quarantine")) }
        active.done.swept += 1
        if setting.strictness.disturbed, stillShouldStop { violation = .disturbed(key: key) }
        return .moved(.done)
    }
}
