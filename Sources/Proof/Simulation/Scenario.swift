import MooringModel

/// A small world, the devices in it, and what is promised there: explored exhaustively.
package struct Scenario: Sendable {
    /// The name by which the command line knows it.
    package let name: String
    /// What happens in it, and what a weakened protocol does about it; one sentence.
    package let summary: String
    /// The safeguards without which the protocol breaks a promise here, and the word of the
    /// violation that an exploration finds.
    package let breaks: [(without: Safeguards, word: String)]
    /// The word of the only violation that must not come; nil where none must.
    let only: String?
    /// Bounds, stores and checks; the protocol is filled in.
    package var setting: Setting
    /// Where it begins.
    package let world: World

    /// What exploring it under a protocol finds.
    package func explore(_ audit: AuditProtocol) -> Explorer.Result {
        let (world, setting) = start(audit)
        return Explorer(world, setting).run { only == nil || $0.word == only }
    }

    /// What exploring it without some safeguards finds.
    package func explore(without safeguards: Safeguards, word: String) -> Explorer.Result {
        let (world, setting) = start(without: safeguards, word: word)
        return Explorer(world, setting).run { only == nil || $0.word == only }
    }

    /// The world and the setting without some safeguards. Where something is to be lost or nulled
    /// for good, the stricter checks must not get in the way.
    package func start(without safeguards: Safeguards, word: String) -> (World, Setting) {
        var setting = setting
        if setting.leavesReferences { setting.audit.nulls = false }
        setting.audit.safeguards.subtract(safeguards)
        if word == "lost" || word == "nulled" { setting.strictness = Setting.Strictness() }
        return (world, setting)
    }

    /// The world and the setting under a protocol, to replay a trace in.
    package func start(_ audit: AuditProtocol) -> (World, Setting) {
        var setting = setting
        setting.audit = audit
        if setting.leavesReferences { setting.audit.nulls = false }
        return (world, setting)
    }

    /// The scenario of a name; nil when there is none.
    package static func named(_ name: String) -> Scenario? {
        (tables + all + limits).first { $0.name == name }
    }

    /// The scenarios of the tables, with two devices at most.
    package static let tables: [Scenario] = TableScenario.allCases.map { table in
        var setting = Setting()
        setting.audited = [0]
        setting.page = 2
        setting.programs = table.programs
        return Scenario(
            name: table.rawValue, summary: "a scenario of the tables", breaks: [], only: nil,
            setting: setting, world: table.world(setting))
    }

    /// The scenarios beyond the tables: each breaks a promise without one of the safeguards.
    package static let all =
        ofJudgement + ofBounds + ofRemoval + ofDeletion + ofQuarantine
        + ofNulling + ofLooks
}

extension Scenario {
    /// K, old and alone in its bucket.
    static let old = SimulatedObject(serial: 1, content: 1, born: 0)

    /// A scenario with one key, whose template names record 0.
    init(
        _ name: String, _ summary: String, breaks: [(without: Safeguards, word: String)],
        _ programs: [DeviceProgram], _ records: [SimulatedRecord], object: SimulatedObject? = old,
        auditors: Int = 1, only: String? = nil,
        change: (inout Setting, inout World) -> Void = { _, _ in }
    ) {
        var setting = Setting()
        setting.programs = programs
        var world = World(
            records: records, objects: [object], owners: [0], devices: programs.count,
            auditors: auditors, setting: setting)
        change(&setting, &world)
        world.crashesLeft = setting.crashes
        world.faultsLeft = setting.faults
        world.skew = setting.skew
        self.init(
            name: name, summary: summary, breaks: breaks, only: only, setting: setting,
            world: world)
    }
}
