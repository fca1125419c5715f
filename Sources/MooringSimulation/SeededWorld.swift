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

    /// The workflows that devices choose from.
    static let programs: [DeviceProgram] = [
        DeviceProgram("create with file", [.createRecord, .upload, .associate]),
        DeviceProgram("add or update", [.upload, .associate]),
        DeviceProgram("same bytes again", [.uploadSame, .associate]),
        DeviceProgram("append to list", [.upload, .read, .append]),
        DeviceProgram("replace in list", [.read, .upload, .replace]),
        DeviceProgram("clear the association", [.detach]),
        DeviceProgram("detach and delete", [.read, .detach, .remove]),
        DeviceProgram("delete both, file first", [.remove, .deleteRecord]),
        DeviceProgram("delete both, record first", [.deleteRecord, .remove]),
        DeviceProgram("bury the record", [.buryRecord]),
        DeviceProgram("write back", [.read, .writeBack]),
        DeviceProgram("relink", [.detach, .look, .associate]),
        DeviceProgram("link elsewhere", [.look, .associate]),
        DeviceProgram("append again", [.detach, .look, .read, .append]),
        DeviceProgram("multipart upload", [.beginMultipart, .completeMultipart, .associate]),
        DeviceProgram("touch", [.touch]),
    ]

    // Programs for records with one key, with a list, and without a template of their own.
    private static let ofScalars = [0, 0, 1, 1, 2, 5, 6, 7, 8, 9, 10, 10, 11, 14, 15]
    private static let ofLists = [3, 3, 3, 4, 4, 5, 6, 7, 10, 10, 13, 13, 15]
    private static let ofLinks = [12, 12, 5, 10, 15]

    /// The setting of a seed.
    static func setting(
        _ audit: AuditProtocol, _ size: SimulationSize, _ random: inout SeededGenerator
    ) -> Setting {
        var setting = Setting()
        setting.audit = audit
        let upload = 1 + random.below(4)
        let stale = random.below(5)
        let conflicts: RaceBounds.Conflicts =
            [.none, .none, .optimistic, .automerge][random.below(4)]
        setting.bounds = RaceBounds(
            uploadWindow: .seconds(upload), staleWindow: .seconds(stale),
            multipartWindow: .seconds(4 + random.below(12)), clockBound: .seconds(5),
            conflicts: conflicts)
        setting.clock = Tick(random.below(2))
        setting.retention = Tick(random.below(3) * 4)
        setting.tag = random.once(in: 2) ? .content : .everyWrite
        setting.copiesAndDeletes = setting.tag == .content && random.once(in: 2)
        setting.upserts = !random.once(in: 3)
        setting.page = 20
        setting.programs = programs
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
        world.faultsLeft = 6
        for key in 0..<count where random.once(in: 4) {
            world.upload(key, content: world.serial + 1, born: 0, isMultipart: false)
            let record = key / keysOfRecord
            if random.once(in: 2), kind(record) != .scalar || world.records[record].keys.count == 0 {
                world.records[record].keys.append(key)
            }
        }
        return world
    }

    /// A workflow for an idle device.
    static func begin(
        _ device: Int, _ world: World, _ random: inout SeededGenerator
    ) -> Choice {
        let record = random.below(world.records.count)
        let kind = kind(record)
        let choices =
            switch kind {
            case .scalar: ofScalars
            case .list: ofLists
            case .link: ofLinks
            }
        let program = choices[random.below(choices.count)]
        var key = record * keysOfRecord + random.below(keysOfRecord)
        // Taking out and uploading again mean a key that is there; linking means another's.
        if [2, 5, 6, 7, 8, 11, 13].contains(program), world.records[record].keys.count > 0 {
            key = world.records[record].keys[random.below(world.records[record].keys.count)]
        } else if program == 12 {
            key = random.below(world.objects.count)
        }
        return .begin(device, program: program, record: record, key: key)
    }

    private enum Kind {
        case scalar, list, link
    }

    // Of ten records five hold one key, three a list, and two link other records' keys.
    private static func kind(_ record: Int) -> Kind {
        switch record % 10 {
        case 0...4: .scalar
        case 5...7: .list
        default: .link
        }
    }
}
