import MooringDecisions
import MooringModel

/// A fingerprint of everything that can still make a difference in a world: 128 bits, the same
/// for two worlds that behave alike from here on.
///
/// Moments become ages, capped where no comparison of the product's can tell them apart any more;
/// serials, versions and run numbers become the order in which they are met; what nothing will
/// look at again is left out. A collision would hide a state; among a million states its chance
/// is below 1 in 10^26.
package struct StateCode: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The fingerprint of a world.
    package init(_ world: World, _ setting: Setting) {
        self.init(world, StateRelevance(setting))
    }

    /// The fingerprint of a world, with what matters in its setting worked out before.
    init(_ world: World, _ relevance: StateRelevance) {
        var coder = StateCoder(world: world, relevance)
        coder.encode(world)
        (high, low) = (coder.high, coder.low)
    }

    /// Hashes the fingerprint's own bits.
    package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}

private struct StateCoder {
    var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private let relevance: StateRelevance
    private let now: Tick
    // The moments by which a run under way is going to judge orphans and dangling references;
    // 0 for none.
    private var moment: Tick = 0
    private var listedAt: Tick = 0
    private var serials = Renaming()
    private var contents = Renaming()
    private var versions = Renaming()
    private var runs = Renaming()

    init(world: World, _ relevance: StateRelevance) {
        now = world.now
        self.relevance = relevance
        for auditor in world.auditors where auditor.moment > 0 {
            moment = auditor.moment
            if relevance.nulls { listedAt = auditor.listedAt }
        }
    }

    private mutating func put(_ value: UInt64) {
        high = (high ^ value) &* 0xFF51_AFD7_ED55_8CCD
        high ^= high >> 32
        low = (low &+ value) &* 0xC4CE_B9FE_1A85_EC53
        low ^= low >> 29
    }

    private mutating func put(_ value: Int) { put(UInt64(truncatingIfNeeded: value)) }
    private mutating func put(_ value: Bool) { put(value ? 1 as UInt64 : 2) }

    // How long ago, and how long before the moments by which a run under way judges. G and the
    // retention are all that the product should add to a moment, and where it does no shorter
    // difference counts.
    private mutating func put(judged time: Tick) {
        put(UInt64(min(now - time, relevance.cap)) << 32 | gaps(time))
    }

    private func gaps(_ time: Tick) -> UInt64 {
        let isKept = relevance.retention > 0 && moment - time >= relevance.retention
        return gap(moment, time) << 16 | gap(listedAt, time) | (isKept ? 1 << 31 : 0)
    }

    private func gap(_ moment: Tick, _ time: Tick) -> UInt64 {
        let gap = min(max(moment - time, 0), relevance.grace)
        return relevance.waits || gap == relevance.grace ? UInt64(gap) : 0
    }

    private mutating func put(waited time: Tick) {
        put(UInt64(min(now - time, relevance.deviceCap)))
    }

    // What passed since each beginning, with its gaps and without, now and up to the last look.
    private mutating func put(_ looks: CleanLooks, _ relevance: LookRelevance) {
        func ticks(_ duration: Duration) -> Int64 {
            min(max(duration.components.seconds, -relevance.cap), relevance.cap)
        }
        let moment = SimulatedClock.instant(now)
        for beginning in looks.beginnings {
            let passed = (moment - beginning.at).components.seconds
            let gaps = relevance.gaps * beginning.gap.components.seconds
            put(Int(min(passed, relevance.cap)))
            put(Int(min(max(passed - gaps, -relevance.cap), relevance.cap)))
            put(Int(ticks(looks.lastFrom - beginning.at)))
        }
        put(looks.beginnings.count)
    }

    mutating func encode(_ world: World) {
        for place in world.records.indices {
            let record = world.records[place]
            encode(record, place)
            if relevance.changes { put(judged: record.changed) }
            put(Int(world.wronglyNulled[place]))
        }
        for key in world.objects.indices {
            guard relevance.audited?.contains(key) != false else {
                put(world.objects[key] != nil)
                continue
            }
            encode(world.objects[key])
            if let object = world.objects[key], relevance.births { put(judged: object.born) }
            put(contents.name(world.truth[key].content) << 1)
            put(world.truth[key].isDestroyed)
        }
        put(world.held.count)
        for held in world.held {
            put(Int(held.key))
            put(runs.name(held.run))
            encode(held.object)
            if relevance.births { put(judged: held.object.born) }
            if relevance.retention > 0 { put(judged: held.heldAt) }
        }
        for (number, device) in world.devices.enumerated() {
            encode(device, relevance.needs[number][device.step], number)
        }
        for auditor in world.auditors { encode(auditor) }
        put(world.late.count)
        for late in world.late { encode(late) }
        put(world.crashesLeft << 16 | world.faultsLeft << 8 | Int(world.lease) + 1)
    }

    private mutating func encode(_ record: SimulatedRecord, _ place: Int) {
        put(Int(record.state.rawValue) << 8 | record.keys.count)
        for index in 0..<record.keys.count { put(record.keys[index]) }
        if relevance.versions { put(version: record.version, place) }
    }

    private mutating func put(version: Int32, _ place: Int) {
        put(versions.name(version &* 64 &+ Int32(place)))
    }

    private mutating func encode(_ object: SimulatedObject?) {
        guard let object else { return put(0 as UInt64) }
        let name = serials.name(object.serial) << 16 | contents.name(object.content) << 1
        put(name | (object.isMultipart ? 1 : 0) | 1 << 40)
    }

    private mutating func encode(
        _ device: Device, _ needs: StateRelevance.Needs, _ number: Int
    ) {
        if isOver(device, relevance.programs[number]) {
            return put(99 as UInt64)
        }
        put(device.step)
        if needs.seenAt { put(waited: device.seenAt) }
        if needs.beganAt {
            put(judged: device.beganAt)
            put(waited: device.beganAt)
        }
        guard needs.copy else { return }
        put(waited: device.readAt)
        put(Int(device.copy.state.rawValue) << 8 | device.copy.keys.count)
        for index in 0..<device.copy.keys.count { put(device.copy.keys[index]) }
        if relevance.versions { put(version: device.version, Int(device.record)) }
    }

    // A device whose next step comes too late has stopped for ever.
    private func isOver(_ device: Device, _ program: DeviceProgram) -> Bool {
        guard device.step < program.steps.count else { return true }
        let isLate = now - device.seenAt > relevance.uploadWindow
        let isStale = now - device.readAt > relevance.copyWindow
        return switch program.steps[device.step] {
        case .associate, .createWithKey, .extend, .uploadSecond, .withdraw: isLate
        case .append, .replace: isLate || isStale
        case .writeBack: isStale
        default: false
        }
    }

    private mutating func encode(_ auditor: Auditor) {
        put(Int(auditor.phase.rawValue) << 16 | auditor.cursor)
        if auditor.phase != .idle { encode(run: auditor) }
        encode(auditor.ledger)
    }

    private mutating func encode(run auditor: Auditor) {
        put(runs.name(auditor.run))
        if relevance.retention > 0 { put(judged: auditor.startedAt) }
        if auditor.phase != .acting, auditor.moment > 0 {
            for note in auditor.keys {
                put(note.isReferenced)
                put(note.wasReferenced)
                put(note.isPresent)
                encode(note.listed)
                if let object = note.listed, relevance.births { put(gaps(object.born)) }
            }
            for (place, note) in auditor.records.enumerated() {
                encode(note.inPassA, place)
                encode(note.inPassB, place)
            }
            put(auditor.heldSeen.count)
            for held in auditor.heldSeen { encode(held, 5) }
            if let looks = relevance.looks {
                let from = looks.beginsWithPassB ? auditor.lookedAt : auditor.moment
                put(from == 0 ? -1 : Int(min(Int64(now - from), looks.cap)))
            }
        }
        for act in auditor.acts.dropFirst(auditor.cursor) { encode(act) }
        if let active = auditor.active { encode(active) }
    }

    private mutating func encode(_ record: SimulatedRecord?, _ place: Int) {
        guard let record else { return put(77 as UInt64) }
        encode(record, place)
        if relevance.changes { put(gaps(record.changed)) }
    }

    private mutating func encode(_ ledger: SimulatedLedger) {
        for memory in ledger.keys {
            if relevance.sightings {
                put(memory.runs > 0)
                if memory.runs > 0 {
                    put(serials.name(memory.sighted))
                    put(judged: memory.sightedAt)
                }
            }
            if relevance.firstSights, memory.seen != 0 {
                put(serials.name(memory.seen))
                put(judged: memory.seenAt)
            }
        }
        for memory in ledger.records where relevance.changes {
            put(memory.version == -1)
            if memory.version == -1 { put(judged: memory.seenAt) }
            if relevance.vanishes { put(memory.wasSeen) }
        }
        for memory in ledger.dangling where relevance.sightings {
            put(Int(memory.record) << 16 | Int(memory.key) << 4)
            put(version: memory.version, Int(memory.record))
            put(judged: memory.sightedAt)
        }
        put(ledger.watched.count)
        for memory in ledger.watched {
            put(Int(memory.key) << 4 | min(memory.cleanRuns, 3))
            put(runs.name(memory.run))
            put(judged: memory.firstCleanAt)
            if let looks = relevance.looks { put(memory.looks, looks) }
        }
        put(ledger.journal.count)
        for open in ledger.journal { encode(open) }
    }

    private mutating func encode(_ act: Act) {
        switch act {
        case .remove(let key, let object, _):
            put(key << 4 | 1)
            encode(object)
        case .null(let record, let key, _): put(record << 12 | key << 4 | 2)
        case .restore(let held): encode(held, 3)
        case .sweep(let held, _): encode(held, 4)
        }
    }

    private mutating func encode(_ held: HeldObject, _ kind: Int) {
        put(Int(held.key) << 4 | kind)
        put(runs.name(held.run))
        put(serials.name(held.object.serial))
    }

    private mutating func encode(_ active: ActiveAct) {
        encode(active.act)
        switch active.machine {
        case .removal(let machine, _):
            put(Int(machine.position.rawValue) << 2 | 1)
            put(machine.mayBeginAgain)
        case .nulling(let machine, _):
            put(Int(machine.position.rawValue) << 2 | 2)
            put(machine.attempt << 1 | (machine.isRewritten ? 1 : 0))
        case .move(let machine, _): put(Int(machine.position.rawValue) << 2 | 3)
        }
        put(runs.name(active.run))
        put(active.isCopied)
        put(active.isIntended)
        put(active.shouldStop)
        put(active.isUncertain)
        put(active.isGivenBack)
        put(min(active.ownerReads, 4) << 8 | active.faults)
        let done = active.done
        put(done.moved | done.restored << 2 | done.swept << 4)
        put(done.nulled | done.putBack << 2)
        if case .null(let record, _, _) = active.act {
            put(version: active.versionBefore, record)
            put(version: active.versionBefore &+ 1, record)
        }
    }

    private mutating func encode(_ late: LateRequest) {
        put(Int(late.key) << 16 | Int(late.record) + 1)
        put(runs.name(late.run))
        switch late.kind {
        case .quarantine(let object):
            put(11 as UInt64)
            encode(object)
        case .sweep: put(12 as UInt64)
        case .restore: put(13 as UInt64)
        case .null(let version):
            put(14 as UInt64)
            put(version: version, Int(late.record))
        case .putBack(let version):
            put(15 as UInt64)
            put(version: version, Int(late.record))
        }
    }
}

/// Numbers by the order in which they are met; of eight without a heap, of more with one.
private struct Renaming {
    private var met = SIMD8<Int32>(repeating: .min)
    private var count = 0
    private var more: [Int32] = []

    mutating func name(_ number: Int32) -> Int {
        for index in 0..<count where met[index] == number { return index }
        if count < 8 {
            met[count] = number
            count += 1
            return count - 1
        }
        if let index = more.firstIndex(of: number) { return 8 + index }
        more.append(number)
        return 7 + more.count
    }
}
