import MooringDecisions

// The scan of a simulated run: pass A, the listing page by page, the quarantine, pass B, and a
// look at what was not listed. Each step reads one record or one page.
extension World {
    /// Whether an auditor's next step may be taken.
    func canStep(auditor number: Int, _ setting: Setting) -> Bool {
        guard auditors[number].phase == .idle, setting.audit.has(.lease) else { return true }
        return lease < 0 || lease == Int8(number)
    }

    /// Takes an auditor's next step; a fault meets its request, if it makes one.
    mutating func step(auditor number: Int, _ setting: Setting, fault: Fault? = nil) {
        switch auditors[number].phase {
        case .idle: beginRun(number, setting)
        case .resuming, .acting: act(number, setting, fault)
        case .passA: readRecord(number, setting, isPassB: false)
        case .listing: listPage(number, setting)
        case .quarantineListing:
            auditors[number].heldSeen = held
            leaveListing(number, setting)
        case .passB: readRecord(number, setting, isPassB: true)
        case .heads: lookAtMissing(number, setting)
        }
    }

    /// An auditor dies: what its run held in memory is gone.
    mutating func crash(auditor number: Int, _ setting: Setting) {
        if let active = auditors[number].active, active.isIntended, setting.audit.has(.journal) {
            auditors[number].ledger.journal.append(active)
        }
        forgetRun(number)
    }

    /// A run ends: its notes go, and so does the lease.
    mutating func endRun(_ number: Int) {
        forgetRun(number)
        if lease == Int8(number) { lease = -1 }
    }

    private mutating func forgetRun(_ number: Int) {
        auditors[number].active = nil
        auditors[number].acts.removeAll()
        auditors[number].heldSeen.removeAll()
        forgetNotes(number)
        auditors[number].phase = .idle
        auditors[number].cursor = 0
        auditors[number].startedAt = 0
        auditors[number].moment = 0
        auditors[number].listedAt = 0
        auditors[number].lookedAt = 0
    }

    private mutating func forgetNotes(_ number: Int) {
        for key in auditors[number].keys.indices { auditors[number].keys[key] = KeyNote() }
        for record in auditors[number].records.indices {
            auditors[number].records[record] = RecordNote()
        }
    }

    private mutating func beginRun(_ number: Int, _ setting: Setting) {
        auditors[number].run += Int32(auditors.count)
        auditors[number].startedAt = now
        if setting.audit.has(.lease) { lease = Int8(number) }
        if auditors[number].ledger.journal.isEmpty {
            enter(setting.audit.has(.recordsFirst) ? .passA : .listing, number)
        } else {
            auditors[number].phase = .resuming
            resumeNext(number, setting)
        }
    }

    /// Takes up the next open intent; the scan follows the last of them.
    mutating func resumeNext(_ number: Int, _ setting: Setting) {
        guard !auditors[number].ledger.journal.isEmpty, auditors[number].active == nil else {
            return
        }
        var open = auditors[number].ledger.journal.removeFirst()
        switch open.machine {
        case .removal(let machine, _):
            let again = machine.resume()
            open.machine = .removal(again, again.start)
        case .nulling(let machine, _):
            let again = machine.resume()
            open.machine = .nulling(again, again.start)
        case .move:
            let again = QuarantineMove.resume()
            open.machine = .move(again, again.start)
        }
        auditors[number].active = open
    }

    /// Enters a phase at its beginning, and notes when the scan began.
    mutating func enter(_ phase: Auditor.Phase, _ number: Int) {
        auditors[number].phase = phase
        auditors[number].cursor = 0
    }

    private mutating func leaveListing(_ number: Int, _ setting: Setting) {
        guard setting.audit.has(.recordsFirst) else { return enter(.passA, number) }
        leaveRecords(number, setting, isPassB: false)
    }

    // Pass B follows the listing; the looks at what was not listed follow it, where there is
    // anything to be nulled.
    private mutating func leaveRecords(_ number: Int, _ setting: Setting, isPassB: Bool) {
        if !isPassB, setting.audit.has(.passB) { return enter(.passB, number) }
        if setting.audit.nulls, setting.audit.has(.sandwich) { return enter(.heads, number) }
        conclude(number, setting)
    }

    private mutating func noteBeginning(_ number: Int, isListing: Bool) {
        guard auditors[number].cursor == 0 else { return }
        let isFirst = auditors[number].moment == 0
        if isFirst { auditors[number].moment = now }
        if isListing { auditors[number].listedAt = now }
    }

    private mutating func readRecord(_ number: Int, _ setting: Setting, isPassB: Bool) {
        if !isPassB { noteBeginning(number, isListing: false) }
        if isPassB, auditors[number].cursor == 0 { auditors[number].lookedAt = now }
        let readsAll = isPassB && setting.audit.has(.everyTable)
        var place = auditors[number].cursor
        while !readsAll, place < records.count, setting.unmapped.contains(place) { place += 1 }
        if place < records.count {
            let record = records[place]
            if isPassB {
                auditors[number].records[place].inPassB = record
            } else {
                auditors[number].records[place].inPassA = record
            }
            if record.state != .absent {
                for index in 0..<record.keys.count {
                    auditors[number].keys[record.keys[index]].isReferenced = true
                }
            }
            place += 1
        }
        while !readsAll, place < records.count, setting.unmapped.contains(place) { place += 1 }
        auditors[number].cursor = place
        guard place >= records.count else { return }
        if isPassB || !setting.audit.has(.recordsFirst) {
            return leaveRecords(number, setting, isPassB: isPassB)
        }
        enter(.listing, number)
    }

    private mutating func listPage(_ number: Int, _ setting: Setting) {
        noteBeginning(number, isListing: true)
        let first = auditors[number].cursor
        let end = min(first + setting.page, objects.count)
        for key in first..<end where setting.audited?.contains(key) != false {
            auditors[number].keys[key].listed = objects[key]
        }
        auditors[number].cursor = end
        guard end >= objects.count else { return }
        for key in objects.indices {
            auditors[number].keys[key].wasReferenced = isReferenced(key)
        }
        if setting.audit.has(.quarantine) { return enter(.quarantineListing, number) }
        leaveListing(number, setting)
    }

    // Whatever the listing lacks is looked at, so that a listing alone never proves absence.
    private mutating func lookAtMissing(_ number: Int, _ setting: Setting) {
        for key in objects.indices where auditors[number].keys[key].listed == nil {
            auditors[number].keys[key].isPresent = objects[key] != nil
        }
        conclude(number, setting)
    }

    // The scan is over: the run is judged, and what was seen is needed no more.
    private mutating func conclude(_ number: Int, _ setting: Setting) {
        judge(number, setting)
        if setting.strictness.overlooked { noticeOverlooked(number) }
        forgetNotes(number)
        auditors[number].heldSeen.removeAll()
        auditors[number].moment = 0
        auditors[number].listedAt = 0
        auditors[number].lookedAt = 0
        enter(.acting, number)
        startNextAct(number, setting)
    }

    private mutating func noticeOverlooked(_ number: Int) {
        for case .remove(let key, _, _) in auditors[number].acts
        where auditors[number].keys[key].wasReferenced && isReferenced(key) && violation == nil {
            violation = .overlooked(key: key)
        }
    }
}
