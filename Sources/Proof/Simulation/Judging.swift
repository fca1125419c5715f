import MooringDecisions
import MooringModel

// What a simulated run concludes from its scan: the product's judges, proofs and sweep rule, fed
// with what was seen, or with less where the protocol lacks a safeguard.
extension World {
    /// Judges what the scan saw, remembers it, and decides what to do: restores first, then
    /// removals and nullings, then sweeps.
    mutating func judge(_ number: Int, _ setting: Setting) {
        noteRecords(number)
        var acts = watch(number, setting)
        if setting.audit.removes { judgeOrphans(number, setting, into: &acts) }
        if setting.audit.nulls { judgeDangling(number, setting, into: &acts) }
        if setting.audit.removes { judgeQuarantine(number, setting, into: &acts) }
        auditors[number].acts = acts
        auditors[number].cursor = 0
    }

    // First sights of row versions and of absences are kept for every record here, which is a
    // possible owner of something.
    private mutating func noteRecords(_ number: Int) {
        for place in records.indices {
            guard let seen = auditors[number].records[place].latest else { continue }
            let version = seen.state == .absent ? -1 : seen.version
            if auditors[number].ledger.records[place].version != version {
                auditors[number].ledger.records[place].version = version
                auditors[number].ledger.records[place].seenAt = now
            }
            if version >= 0 { auditors[number].ledger.records[place].wasSeen = true }
        }
    }

    // MARK: Orphans

    private mutating func judgeOrphans(
        _ number: Int, _ setting: Setting, into acts: inout [Act]
    ) {
        let race = setting.race
        let moment = SimulatedClock.instant(auditors[number].moment)
        for key in objects.indices {
            let note = auditors[number].keys[key]
            guard let object = note.listed, !note.isReferenced else {
                auditors[number].ledger.keys[key].sighted = 0
                auditors[number].ledger.keys[key].runs = 0
                continue
            }
            noteFirstSight(number, key, object, setting)
            let facts = orphanFacts(number, key, object, setting)
            let judgement = OrphanJudge(race: race, now: moment).judge(facts)
            guard judgement.verdict == .settled else {
                auditors[number].ledger.keys[key].sighted = 0
                auditors[number].ledger.keys[key].runs = 0
                continue
            }
            sight(number, key, object, setting)
            guard let proof = RemovalProof(judgement.proofs, deletes: setting.deletes),
                isPlanned(number, key, object, judgement, setting)
            else { continue }
            acts.append(.remove(key: key, object, proof))
        }
    }

    // A key may have been quarantined, have come back, and be an orphan again: its step goes
    // through the planner, which is told of the newest copy that lies in quarantine.
    private mutating func isPlanned(
        _ number: Int, _ key: Int, _ object: SimulatedObject, _ judgement: Judgement,
        _ setting: Setting
    ) -> Bool {
        let older = auditors[number].heldSeen.filter { $0.key == Int16(key) }
            .max { $0.run < $1.run }
        guard let older else { return true }
        var finding = Finding(
            id: "key\(key)", kind: .orphan, cause: judgement.cause, verdict: .settled)
        finding.bucket = "media"
        finding.key = ObjectKey("k\(key)")
        finding.object = Names.version(object, setting)
        finding.action = setting.deletes ? .delete : .quarantine
        let run = RunID(startingAt: SimulatedClock.instant(older.run))
        if let step = Planner.step(for: finding, quarantinedBy: run) {
            let isProved =
                setting.deletes
                ? IrreversibleProof(planned: step) != nil : ReversibleProof(planned: step) != nil
            if isProved { return true }
        }
        violation =
            violation
            ?? .left("an orphan of key \(key) stays, since an older one lies in quarantine")
        return false
    }

    private mutating func noteFirstSight(
        _ number: Int, _ key: Int, _ object: SimulatedObject, _ setting: Setting
    ) {
        let memory = auditors[number].ledger.keys[key]
        let isSame =
            setting.audit.has(.firstSightByVersion)
            ? memory.seen == object.serial : memory.seen != 0
        guard !isSame else { return }
        auditors[number].ledger.keys[key].seen = object.serial
        auditors[number].ledger.keys[key].seenAt = now
    }

    private mutating func sight(
        _ number: Int, _ key: Int, _ object: SimulatedObject, _ setting: Setting
    ) {
        let memory = auditors[number].ledger.keys[key]
        if memory.runs > 0, isSighted(memory, object, setting) {
            auditors[number].ledger.keys[key].runs += 1
        } else {
            auditors[number].ledger.keys[key].sighted = object.serial
            auditors[number].ledger.keys[key].sightedAt = now
            auditors[number].ledger.keys[key].runs = 1
        }
    }

    private func isSighted(
        _ memory: KeyMemory, _ object: SimulatedObject, _ setting: Setting
    ) -> Bool {
        memory.sighted == object.serial || !setting.audit.has(.firstSightByVersion)
    }

    private func orphanFacts(
        _ number: Int, _ key: Int, _ object: SimulatedObject, _ setting: Setting
    ) -> OrphanFacts {
        let audit = setting.audit
        let memory = auditors[number].ledger.keys[key]
        var version = Names.version(object, setting)
        var firstSight = SimulatedClock.instant(memory.seenAt)
        if !audit.has(.grace) {
            version = Names.version(object, setting, born: .distantPast)
            firstSight = .distantPast
        }
        var sighting: PriorSighting?
        if memory.runs > 0, isSighted(memory, object, setting) {
            sighting = PriorSighting(
                firstAt: SimulatedClock.instant(memory.sightedAt), runs: memory.runs)
        }
        var owners = possibleOwners(number, key, setting)
        switch audit.proof {
        case .nothing: sighting = .longAgo
        case .secondSighting: owners = []
        case .settledOwner: sighting = nil
        case .either:
            if !audit.has(.twoSightings) { sighting = .longAgo }
            if !audit.has(.settledOwner) { owners = owners.map(\.longSettled) }
        }
        return OrphanFacts(
            object: version, firstSight: firstSight, owners: owners, doubts: [],
            sighting: sighting)
    }

    /// The record that a key's template names, as the run saw it.
    private func possibleOwners(
        _ number: Int, _ key: Int, _ setting: Setting
    ) -> [PossibleOwner] {
        let owner = Int(owners[key])
        guard owner >= 0, let seen = auditors[number].records[owner].latest else { return [] }
        let firstSight = SimulatedClock.instant(auditors[number].ledger.records[owner].seenAt)
        let changed = SimulatedClock.instant(seen.changed)
        let state: PossibleOwner.State
        switch seen.state {
        case .absent: state = .absent(since: firstSight)
        case .tombstone: state = .tombstone(since: changed)
        case .present:
            let holding: FieldHolding = seen.keys.count == 0 ? .nothing : .otherKey
            state = .present(holding: holding, changed: changed)
        }
        var possible = PossibleOwner(place: Names.place(owner), state: state)
        possible.wasSeen = auditors[number].ledger.records[owner].wasSeen
        return [possible]
    }

    // MARK: Dangling references

    private mutating func judgeDangling(
        _ number: Int, _ setting: Setting, into acts: inout [Act]
    ) {
        let judge = DanglingJudge(
            race: setting.race, now: SimulatedClock.instant(auditors[number].listedAt))
        for place in records.indices where !setting.unmapped.contains(place) {
            let note = auditors[number].records[place]
            guard let seen = note.latest, seen.state == .present else { continue }
            for index in 0..<seen.keys.count {
                let key = seen.keys[index]
                guard setting.audited?.contains(key) != false,
                    auditors[number].keys[key].listed == nil,
                    !auditors[number].keys[key].isPresent,
                    note.inPassA?.references(key) == true || !setting.audit.has(.passB),
                    !auditors[number].heldSeen.contains(where: { $0.key == Int16(key) })
                else { continue }
                let prior = danglingSighting(number, place, key, seen.version, setting)
                let facts = DanglingFacts(
                    patterns: [], head: .absent,
                    changed: setting.audit.proof == .nothing
                        || !setting.audit.has(.settledOwner)
                        ? .distantPast : SimulatedClock.instant(seen.changed),
                    sighting: prior)
                let judgement = judge.judge(facts)
                guard judgement.verdict == .settled else { continue }
                sightDangling(number, place, key, seen.version)
                guard let proof = ReversibleProof(judgement.proofs) else { continue }
                acts.append(.null(record: place, key: key, proof))
            }
        }
        let run = auditors[number].run
        auditors[number].ledger.dangling.removeAll { $0.run != run }
    }

    private func danglingSighting(
        _ number: Int, _ record: Int, _ key: Int, _ version: Int32, _ setting: Setting
    ) -> PriorSighting? {
        if setting.audit.proof == .nothing || !setting.audit.has(.twoSightings) {
            return .longAgo
        }
        return auditors[number].ledger.dangling.first {
            $0.record == Int16(record) && $0.key == Int16(key) && $0.version == version
        }.map {
            PriorSighting(firstAt: SimulatedClock.instant($0.sightedAt), runs: $0.runs)
        }
    }

    private mutating func sightDangling(
        _ number: Int, _ record: Int, _ key: Int, _ version: Int32
    ) {
        let run = auditors[number].run
        let place = auditors[number].ledger.dangling.firstIndex {
            $0.record == Int16(record) && $0.key == Int16(key) && $0.version == version
        }
        if let place {
            auditors[number].ledger.dangling[place].runs += 1
            auditors[number].ledger.dangling[place].run = run
        } else {
            auditors[number].ledger.dangling.append(
                DanglingMemory(
                    record: Int16(record), key: Int16(key), version: version, sightedAt: now,
                    runs: 1, run: run))
        }
    }

    // MARK: Quarantine

    // Every reference whose object is away and lies in quarantine gets it back.
    private func watch(_ number: Int, _ setting: Setting) -> [Act] {
        guard setting.audit.has(.watch) else { return [] }
        var acts: [Act] = []
        for key in objects.indices
        where auditors[number].keys[key].isReferenced
            && auditors[number].keys[key].listed == nil
        {
            let newest = auditors[number].heldSeen.filter { $0.key == Int16(key) }
                .max { $0.run < $1.run }
            if let newest { acts.append(.restore(newest)) }
        }
        return acts
    }

    private mutating func judgeQuarantine(
        _ number: Int, _ setting: Setting, into acts: inout [Act]
    ) {
        let audit = setting.audit
        let moment = SimulatedClock.instant(auditors[number].moment)
        let look = CleanLook(
            from: audit.has(.passB) ? SimulatedClock.instant(auditors[number].lookedAt) : moment,
            until: SimulatedClock.instant(now))
        var watched: [WatchedMemory] = []
        for held in auditors[number].heldSeen {
            let memory = auditors[number].ledger.watched.first {
                $0.key == held.key && $0.run == held.run
            }
            let isReferenced = auditors[number].keys[Int(held.key)].isReferenced
            var facts = SweepRule.Facts(
                quarantinedAt: SimulatedClock.instant(held.heldAt), isReferenced: isReferenced,
                cleanRuns: memory?.cleanRuns ?? 0,
                firstCleanAt: memory.map { SimulatedClock.instant($0.firstCleanAt) },
                looks: memory?.looks ?? CleanLooks(), scan: look,
                owners: possibleOwners(number, Int(held.key), setting),
                mayBeLinked: !setting.untemplated.isEmpty || !setting.unmapped.isEmpty)
            if !audit.has(.cleanRuns) {
                (facts.cleanRuns, facts.firstCleanAt) = (9, .distantPast)
            }
            if !audit.has(.settledOwner) { facts.owners = facts.owners.map(\.longBuried) }
            if !audit.has(.spreadLooks) || !setting.countsLooks {
                facts.looks = .everywhere(until: look)
            }
            if audit.has(.ownScan),
                let proof = IrreversibleProof(
                    sweeping: facts, retention: .seconds(Int64(setting.retention)),
                    race: setting.race, now: moment, chain: setting.chain)
            {
                acts.append(.sweep(held, proof))
            }
            guard !isReferenced else { continue }
            var looks = memory?.looks ?? CleanLooks()
            looks.add(look)
            watched.append(
                WatchedMemory(
                    key: held.key, run: held.run, cleanRuns: (memory?.cleanRuns ?? 0) + 1,
                    firstCleanAt: memory?.firstCleanAt ?? now, looks: looks))
        }
        auditors[number].ledger.watched = watched
    }

    /// Sweeps by what earlier runs saw, without a scan of its own.
    mutating func sweepAlone(_ number: Int, _ setting: Setting) {
        let moment = SimulatedClock.instant(now)
        for memory in auditors[number].ledger.watched {
            guard let place = heldPlace(Int(memory.key), memory.run) else { continue }
            let facts = SweepRule.Facts(
                quarantinedAt: SimulatedClock.instant(held[place].heldAt), isReferenced: false,
                cleanRuns: memory.cleanRuns,
                firstCleanAt: SimulatedClock.instant(memory.firstCleanAt),
                looks: .everywhere(until: CleanLook(at: moment)), scan: CleanLook(at: moment),
                owners: [
                    PossibleOwner(place: Names.place(0), state: .absent(since: .distantPast))
                ])
            if let proof = IrreversibleProof(
                sweeping: facts, retention: .seconds(Int64(setting.retention)),
                race: setting.race, now: moment)
            {
                auditors[number].acts.append(.sweep(held[place], proof))
            }
        }
        enter(.acting, number)
        startNextAct(number, setting)
    }
}

extension PriorSighting {
    /// A sighting that proves whatever a second sighting can prove.
    fileprivate static var longAgo: PriorSighting {
        PriorSighting(firstAt: .distantPast, runs: 9)
    }
}

extension CleanLooks {
    /// Looks as if somebody had looked all the time up to a look.
    fileprivate static func everywhere(until look: CleanLook) -> CleanLooks {
        CleanLooks(
            beginnings: [Beginning(at: .distantPast, gap: .zero)], lastFrom: look.from)
            ?? CleanLooks()
    }
}

extension PossibleOwner {
    /// The same owner, unchanged for ever; as if its absence had been told by a tombstone.
    fileprivate var longBuried: PossibleOwner {
        isAbsent
            ? PossibleOwner(place: place, state: .tombstone(since: .distantPast)) : longSettled
    }

    /// The same owner, unchanged for ever.
    fileprivate var longSettled: PossibleOwner {
        switch state {
        case .absent: PossibleOwner(place: place, state: .absent(since: .distantPast))
        case .tombstone: PossibleOwner(place: place, state: .tombstone(since: .distantPast))
        case .present(let holding, _):
            PossibleOwner(
                place: place, state: .present(holding: holding, changed: .distantPast))
        }
    }
}
