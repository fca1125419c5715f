/// A simulation by seed: many devices and records, crashes and lost answers, many runs, and at the
/// end a look whether anything is left over. The same seed always takes the same course.
package struct SeededSimulation: Sendable {
    /// The seed.
    package let seed: UInt64
    /// How large it is.
    package let size: SimulationSize
    /// What stays the same throughout.
    package let setting: Setting
    private let start: World
    private let random: SeededGenerator

    /// The simulation of a seed.
    package init(
        seed: UInt64, audit: AuditProtocol = .full, size: SimulationSize = SimulationSize()
    ) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        self.size = size
        setting = SeededWorld.setting(audit, size, &random)
        start = SeededWorld.world(size, setting, &random)
        self.random = random
    }

    /// What came of a simulation.
    package struct Result: Sendable {
        /// The first violation; nil when there was none.
        package let violation: Violation?
        /// How many steps were taken.
        package let steps: Int
        /// How many runs the auditor began.
        package let runs: Int
    }

    /// Takes the course of the seed; `tell` gets every choice.
    package func run(_ tell: ((Choice) -> Void)? = nil) -> Result {
        var world = start
        var random = random
        var steps = 0
        let lastRun = Int32(size.runs)
        while world.violation == nil, world.auditors[0].run < lastRun {
            var burst = 1 + random.below(12)
            let actor = random.below(10)
            while burst > 0, world.violation == nil {
                burst -= 1
                let choice = choose(actor, world, &random)
                if world.apply(choice, setting) {
                    steps += 1
                    tell?(choice)
                }
            }
        }
        if world.violation == nil { steps += quiesce(&world, tell) }
        return Result(
            violation: world.violation, steps: steps, runs: Int(world.auditors[0].run))
    }

    // An actor acts several times in a row: the auditor, the devices, or the clock.
    private func choose(
        _ actor: Int, _ world: World, _ random: inout SeededGenerator
    ) -> Choice {
        if !world.late.isEmpty, random.once(in: 40) {
            let index = random.below(world.late.count)
            return random.once(in: 4) ? .dropLate(index) : .late(index)
        }
        switch actor {
        case 0...3: return auditorChoice(world, &random)
        case 4...8:
            let number = random.below(world.devices.count)
            return deviceChoice(number, world, &random)
        default: return .tick
        }
    }

    private func auditorChoice(_ world: World, _ random: inout SeededGenerator) -> Choice {
        if world.crashesLeft > 0, world.auditors[0].phase != .idle, random.once(in: 1_500) {
            return .crash(0)
        }
        if world.faultsLeft > 0, world.auditors[0].active != nil, random.once(in: 30) {
            return .fault(0, Fault.allCases[random.below(3)])
        }
        return .auditor(0)
    }

    private func deviceChoice(
        _ number: Int, _ world: World, _ random: inout SeededGenerator
    ) -> Choice {
        let device = world.devices[number]
        if device.program >= 0, world.canStep(number, setting) {
            return random.once(in: 25) ? .stop(number) : .device(number)
        }
        return SeededWorld.begin(number, world, &random)
    }

    // The devices stop, and what was sent is carried out. Then every wait passes several times,
    // and a run follows each: whatever nothing references has to go.
    private func quiesce(_ world: inout World, _ tell: ((Choice) -> Void)?) -> Int {
        var steps = 0
        func take(_ choice: Choice) {
            guard world.violation == nil, world.apply(choice, setting) else { return }
            steps += 1
            tell?(choice)
        }
        for number in world.devices.indices { take(.stop(number)) }
        while !world.late.isEmpty, world.violation == nil { take(.late(0)) }
        world.faultsLeft = 0
        for _ in 0..<Self.runsToQuiesce where world.violation == nil {
            for _ in 0...(setting.grace + setting.retention) { take(.tick) }
            repeat {
                take(.auditor(0))
            } while world.auditors[0].phase != .idle
                && world.violation == nil
        }
        world.checkEnd(setting)
        return steps
    }

    // Two sightings, a quarantine, and six clean runs where no owner is known, since the gaps are
    // as long as the waits; once more for what a restore brought back.
    private static let runsToQuiesce = 18

    /// The world at the beginning.
    package var world: World { start }
}

extension World {
    /// When nobody acts any more and every wait is over: no orphans, nothing left open.
    package mutating func checkEnd(_ setting: Setting) {
        guard violation == nil else { return }
        if setting.audit.removes { checkOrphans() }
        for key in objects.indices where isAway(key) {
            violation = .left("the object of key \(key) was not given back")
        }
        for place in records.indices
        where setting.audit.nulls && !setting.unmapped.contains(place) {
            let record = records[place]
            guard record.state == .present else { continue }
            for index in 0..<record.keys.count where objects[record.keys[index]] == nil {
                violation = .left("record \(place) still references a missing object")
            }
        }
        for auditor in auditors where !auditor.ledger.journal.isEmpty {
            violation = .left("an intent is still open in the journal")
        }
        if let record = wronglyNulled.firstIndex(where: { $0 >= 0 }) {
            violation = .nulled(key: Int(wronglyNulled[record]), record: record)
        }
    }

    private mutating func checkOrphans() {
        for key in objects.indices where objects[key] != nil && !isProtected(key) {
            violation = .left("the object at key \(key) is referenced by nothing")
        }
        for object in held where !isProtected(Int(object.key)) {
            violation = .left("the object of key \(object.key) is still in quarantine")
        }
    }

    private func isProtected(_ key: Int) -> Bool {
        for record in records where record.state != .absent && record.keys.contains(key) {
            return true
        }
        return false
    }

    private func isAway(_ key: Int) -> Bool {
        objects[key] == nil && isReferenced(key) && held.contains { $0.key == Int16(key) }
    }
}
