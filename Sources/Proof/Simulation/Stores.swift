// What the simulated tables and the bucket do, with the truth kept beside: every change of a
// record or an object goes through here, and here alone a breach is noticed.
extension World {
    /// Writes a record as a device does; the version and the change time move on. `decides`
    /// tells that the device knew what it put in the place of what was there.
    package mutating func write(
        _ record: Int, _ state: SimulatedRecord.State, _ keys: KeyList, decides: Bool
    ) {
        let before = records[record]
        records[record].state = state
        records[record].keys = keys
        records[record].version += 1
        records[record].changed = storeTime
        noticeReferences(record, before)
        let nulled = Int(wronglyNulled[record])
        guard nulled >= 0 else { return }
        if state != .present || keys.contains(nulled) || decides { wronglyNulled[record] = -1 }
    }

    private mutating func noticeReferences(_ record: Int, _ before: SimulatedRecord) {
        let after = records[record]
        guard violation == nil, after.state == .present else { return }
        for index in 0..<after.keys.count {
            let key = after.keys[index]
            if truth[key].isDestroyed { violation = .lost(key: key, record: record) }
        }
    }

    /// Uploads as a device does; what was at the key is replaced.
    package mutating func upload(_ key: Int, content: Int32, born: Tick, isMultipart: Bool) {
        serial += 1
        objects[key] = SimulatedObject(
            serial: serial, content: content, born: born, isMultipart: isMultipart)
        truth[key].content = content
        truth[key].isDestroyed = false
    }

    /// Removes an object as a device does: a reference to it that was nulled too early would miss
    /// it from here on.
    package mutating func removeAsDevice(_ key: Int) {
        objects[key] = nil
        truth[key] = KeyTruth()
        for record in records.indices where wronglyNulled[record] == Int16(key) {
            wronglyNulled[record] = -1
        }
    }

    /// Nulls a reference as the auditor does, whatever the record holds of `key`; of a scalar
    /// without a condition, whatever it holds.
    package mutating func null(_ record: Int, _ key: Int, exactly: Bool) {
        var keys = records[record].keys
        let isScalar = keys.count == 1
        let taken = isScalar && !exactly ? keys[0] : key
        guard keys.contains(taken) else { return }
        keys.remove(taken)
        if objects[taken] != nil { wronglyNulled[record] = Int16(taken) }
        records[record].keys = keys
        records[record].version += 1
        records[record].changed = now
    }

    /// Writes a nulled reference back as the auditor does.
    package mutating func putBack(_ record: Int, _ key: Int) {
        let before = records[record]
        records[record].keys.append(key)
        records[record].version += 1
        records[record].changed = now
        if wronglyNulled[record] == Int16(key) { wronglyNulled[record] = -1 }
        noticeReferences(record, before)
    }

    /// Copies an object into quarantine.
    mutating func hold(_ key: Int, run: Int32, at start: Tick) {
        guard let object = objects[key] else { return }
        held.append(HeldObject(key: Int16(key), run: run, heldAt: start, object: object))
    }

    /// Removes what is at a key as the auditor does.
    package mutating func removeAsAuditor(_ key: Int) {
        objects[key] = nil
        noticeDestruction(key)
    }

    /// Puts an object from quarantine to its key; false when there was none.
    package mutating func restore(_ key: Int, run: Int32) -> Bool {
        guard let place = heldPlace(key, run) else { return false }
        objects[key] = held[place].object
        held.remove(at: place)
        noticeDestruction(key)
        noteGivenBack(key, run)
        return true
    }

    // A restore does not wait for an open intent: what is left of the move then is nothing.
    private mutating func noteGivenBack(_ key: Int, _ run: Int32) {
        for number in auditors.indices {
            for place in auditors[number].ledger.journal.indices {
                let open = auditors[number].ledger.journal[place]
                guard case .remove(key, _, _) = open.act, open.run == run else { continue }
                auditors[number].ledger.journal[place].isGivenBack = true
            }
        }
    }

    /// Removes an object from quarantine for good; false when there was none.
    package mutating func sweep(_ key: Int, run: Int32) -> Bool {
        guard let place = heldPlace(key, run) else { return false }
        held.remove(at: place)
        noticeDestruction(key)
        return true
    }

    /// Where an object stands in the list of those in quarantine.
    func heldPlace(_ key: Int, _ run: Int32) -> Int? {
        held.firstIndex { $0.key == Int16(key) && $0.run == run }
    }

    // The content that was uploaded last must be somewhere, while a record needs it.
    private mutating func noticeDestruction(_ key: Int) {
        let content = truth[key].content
        guard content >= 0, objects[key]?.content != content,
            !held.contains(where: { $0.key == Int16(key) && $0.object.content == content })
        else { return }
        truth[key].isDestroyed = true
        guard violation == nil else { return }
        if let record = records.firstIndex(where: { $0.references(key) }) {
            violation = .lost(key: key, record: record)
        }
    }
}
