import MooringDecisions
import MooringModel

/// A small random number generator whose sequence depends on its seed alone (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number below a bound, quickly and nearly evenly.
    mutating func below(_ bound: Int) -> Int {
        Int(((next() >> 32) &* UInt64(bound)) >> 32)
    }

    /// Whether something happens that does so once in so many times.
    mutating func once(in count: Int) -> Bool { below(count) == 0 }
}

/// How large a simulation by seed is.
package struct SimulationSize: Hashable, Sendable {
    /// How many devices act at the same time.
    package var devices = 8
    /// How many records there are.
    package var records = 50
    /// How often the auditor runs before the devices stop.
    package var runs = 20

    /// The size of the soak: 8 devices, 50 records, 20 runs.
    package init() {}
}

/// Makes the setting and the world of a seed: stores, conflict mode and bounds vary with it.
enum SeededWorld {
    /// Keys whose template names one record.
    static let keysOfRecord = 4

    /// The setting of a seed.
    static func setting(
        _ audit: AuditProtocol, _ size: SimulationSize, _ random: inout SeededGenerator
    ) -> Setting {
        var setting = Setting()
        setting.audit = audit
        let upload = 1 + random.below(4)
        let stale = random.below(5)
        let conflicts: RaceBounds.Conflicts =
            [.none, .none, .optimistic, .automerge, .lambda][random.below(5)]
        // Devices that were away write old copies, and associate old uploads, when they are back.
        let offline = random.once(in: 3) ? 1 + random.below(8) : 0
        setting.bounds = RaceBounds(
            uploadWindow: .seconds(upload), staleWindow: .seconds(stale),
            offlineWindow: .seconds(offline), multipartWindow: .seconds(4 + random.below(12)),
            clockBound: .seconds(5),
            conflicts: conflicts)
        setting.clock = Tick(random.below(3))
        setting.skew = max(0, setting.clock - 1)
        setting.retention = Tick(random.below(3) * 4)
        setting.tag = random.once(in: 2) ? .content : .everyWrite
        setting.copiesAndDeletes = setting.tag == .content && random.once(in: 2)
        setting.upserts = !random.once(in: 3)
        setting.chain = SweepRule.longestChain
        setting.countsLooks = true
        setting.page = 20
        setting.programs = DeviceProgram.everyday
        setting.lists = Set((0..<size.records).filter { kind($0) == .list })
        for record in 0..<size.records where kind(record) == .link {
            if record % 2 == 0 { setting.unmapped.insert(record) }
            setting.untemplated.insert(record)
        }
        return setting
    }

    /// The world of a setting: most records hold nothing yet, and some keys are old orphans.
    static func world(
        _ size: SimulationSize, _ setting: Setting, _ random: inout SeededGenerator
    ) -> World {
        let count = size.records * keysOfRecord
        var world = World(
            records: (0..<size.records).map { _ in SimulatedRecord(.present) },
            objects: Array(repeating: nil, count: count),
            owners: (0..<count).map { key in
                let record = key / keysOfRecord
                return kind(record) == .link ? -1 : Int16(record)
            }, devices: 0, auditors: 1, setting: setting)
        world.devices = (0..<size.devices).map { _ in Device() }
        world.crashesLeft = 3
        world.faultsLeft = 16
        for key in 0..<count where random.once(in: 4) {
            world.upload(key, content: world.serial + 1, born: 0, isMultipart: false)
            let record = key / keysOfRecord
            let hasRoom = kind(record) == .list || world.records[record].keys.count == 0
            if random.once(in: 2), hasRoom {
                world.records[record].keys.append(key)
            }
        }
        return world
    }

    /// A workflow for an idle device.
    static func begin(
        _ device: Int, _ world: World, _ random: inout SeededGenerator
    ) -> Choice {
        if let act = world.auditors[0].active?.act, random.once(in: 2) {
            return interfere(device, with: act, world, &random)
        }
        let record = random.below(world.records.count)
        let shape = kind(record)
        let place = DeviceProgram.places(of: shape)
        let program = place[random.below(place.count)]
        var key = record * keysOfRecord + random.below(keysOfRecord)
        let held = world.records[record].keys
        switch DeviceProgram.everyday[program].means {
        case .heldKey where held.count > 0: key = held[random.below(held.count)]
        case .anyKey: key = random.below(world.objects.count)
        default: break
        }
        return .begin(device, program: program, record: record, key: key)
    }

    // Devices that happen to work on just what the auditor acts on: where races are.
    private static func interfere(
        _ device: Int, with act: Act, _ world: World, _ random: inout SeededGenerator
    ) -> Choice {
        var record = Int(world.owners[act.key])
        if case .null(let holder, _, _) = act { record = holder }
        if record < 0 || random.once(in: 4) {
            record = random.below(world.records.count / 10) * 10 + 8 + random.below(2)
        }
        let places = DeviceProgram.places(of: kind(record))
        return .begin(
            device, program: places[random.below(places.count)], record: record, key: act.key)
    }

    // Of ten records five hold one key, three a list, and two link other records' keys.
    private static func kind(_ record: Int) -> DeviceProgram.Target {
        switch record % 10 {
        case 0...4: .scalar
        case 5...7: .list
        default: .link
        }
    }
}
