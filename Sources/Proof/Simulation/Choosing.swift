import MooringDecisions

// What may happen next in a world, and that it happens.
extension World {
    /// Everything that may happen next in an exhaustive simulation.
    package func choices(_ setting: Setting) -> [Choice] {
        var choices: [Choice] = []
        for number in auditors.indices {
            guard canStep(auditor: number, setting) else { continue }
            choices.append(.auditor(number))
            if auditors[number].phase == .idle {
                if !setting.audit.has(.ownScan), !auditors[number].ledger.watched.isEmpty {
                    choices.append(.sweepAlone(number))
                }
                continue
            }
            if crashesLeft > 0 { choices.append(.crash(number)) }
            for fault in faults(number, setting) { choices.append(.fault(number, fault)) }
        }
        // Devices come behind, so that of two shortest traces the one is told in which they act
        // as late as they can.
        for number in devices.indices where canStep(number, setting) {
            choices.append(.device(number))
        }
        for index in late.indices { choices.append(.late(index)) }
        if !setting.hasQuickRuns || auditors.allSatisfy({ $0.phase == .idle }) {
            choices.append(.tick)
        }
        return choices
    }

    /// What may happen to an auditor's next request. A question only stays without an answer; a
    /// fence that comes late is as good as none.
    private func faults(_ number: Int, _ setting: Setting) -> [Fault] {
        guard faultsLeft > 0, let active = auditors[number].active else { return [] }
        switch active.machine {
        case .nulling(_, .act(.fence)): return setting.onlyQuestionsFail ? [] : Self.fenceFaults
        case .removal(_, .act), .nulling(_, .act), .move(_, .act):
            return setting.onlyQuestionsFail ? [] : Fault.allCases
        default: return Self.questionFaults
        }
    }

    private static let fenceFaults: [Fault] = [.lost, .answerLost]
    private static let questionFaults: [Fault] = [.lost]

    /// Makes a choice happen; false, with nothing changed, where it cannot.
    package mutating func apply(_ choice: Choice, _ setting: Setting) -> Bool {
        switch choice {
        case .tick:
            now += 1
        case .device(let number):
            guard canStep(number, setting) else { return false }
            step(number, setting)
        case .begin(let number, let program, let record, let key):
            devices[number] = Device(program: program, record: record, key: key)
        case .stop(let number):
            guard devices[number].program >= 0 else { return false }
            devices[number] = Device()
        case .auditor(let number):
            guard canStep(auditor: number, setting) else { return false }
            step(auditor: number, setting)
        case .fault(let number, let fault):
            guard faultsLeft > 0, auditors[number].active != nil else { return false }
            step(auditor: number, setting, fault: fault)
        case .sweepAlone(let number):
            guard auditors[number].phase == .idle else { return false }
            sweepAlone(number, setting)
        case .crash(let number):
            guard crashesLeft > 0, auditors[number].phase != .idle else { return false }
            crashesLeft -= 1
            crash(auditor: number, setting)
        case .late(let index):
            guard late.indices.contains(index) else { return false }
            carryOut(late.remove(at: index), setting)
        case .dropLate(let index):
            guard late.indices.contains(index) else { return false }
            late.remove(at: index)
        }
        checkRest(setting)
        return true
    }

    // What must hold whenever nobody is in the middle of something. Every device may stop for
    // ever right here, so a reference that is gone now may be gone for good.
    private mutating func checkRest(_ setting: Setting) {
        guard violation == nil else { return }
        if setting.strictness.missing {
            for key in objects.indices where isMissing(key) { violation = .missing(key: key) }
        }
        guard wronglyNulled.contains(where: { $0 >= 0 }), isAtRest,
            let record = wronglyNulled.firstIndex(where: { $0 >= 0 })
        else { return }
        violation = .nulled(key: Int(wronglyNulled[record]), record: record)
    }

    /// Whether no act is under way, left open, or still to be carried out.
    var isAtRest: Bool {
        late.isEmpty
            && auditors.allSatisfy { $0.phase == .idle && $0.ledger.journal.isEmpty }
    }

    private func isMissing(_ key: Int) -> Bool {
        guard objects[key] == nil, truth[key].content >= 0, !truth[key].isDestroyed,
            isReferenced(key)
        else { return false }
        return !auditors.contains { $0.active?.act.key == key }
    }
}
