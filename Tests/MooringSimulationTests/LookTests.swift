import MooringModel
import MooringSimulation
import Testing

/// The product's own sweep rule in simulated worlds: operators who look at their own pace, and
/// chains of three old copies, which are too long to be explored in full.
@Suite("Looks before a sweep")
struct LookTests {
    private func finishRun(_ world: inout World, _ setting: Setting) {
        repeat { _ = world.apply(.auditor(0), setting) } while world.auditors[0].phase != .idle
    }

    private static let day: Tick = 86_400

    /// How many days after its quarantine an orphan is swept, whose key a field without a template
    /// may hold, with a run every so many ticks.
    private func days(every ticks: Tick, retention: Tick) -> Tick? {
        var setting = Setting()
        setting.bounds = RaceBounds()
        setting.clock = 60
        setting.chain = 3
        setting.retention = retention
        setting.untemplated = [1]
        let old = SimulatedObject(serial: 1, content: 1, born: -400 * Self.day)
        var world = World(
            records: [SimulatedRecord(), SimulatedRecord()], objects: [old], owners: [-1],
            devices: 0, setting: setting)
        var heldSince: Tick?
        for _ in 0..<3_000 {
            finishRun(&world, setting)
            if heldSince == nil, !world.held.isEmpty { heldSince = world.now }
            if let heldSince, world.held.isEmpty { return (world.now - heldSince) / Self.day }
            world.now += ticks
        }
        return nil
    }

    @Test(
        "operators by the hour, night, week and month all get to their sweep",
        arguments: [(3_600, 9), (86_400, 13), (604_800, 35), (2_592_000, 120)])
    func operators(ticks: Int, days: Int) {
        let (ticks, days) = (Tick(ticks), Tick(days))
        #expect(self.days(every: ticks, retention: 0) == days)
        // Retention hides the wait of everybody who looks once a week or more often.
        let kept = self.days(every: ticks, retention: 30 * Self.day)
        #expect(kept == max(days, 30))
    }

    /// A world in which a device tries to keep a link alive by so many old copies, under a
    /// schedule and with luck of a seed; true where the file is lost.
    private func isLost(_ copies: Int, seed: UInt64) -> Bool {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario.chain("chain", "", copies: copies)
        scenario.setting.chain = 3
        let stale = Tick.random(in: 1...4, using: &random)
        scenario.setting.bounds.staleWindow = .seconds(Int64(stale))
        let setting = scenario.start(.full).1
        var world = scenario.world
        // As regular as a schedule may be, or not at all.
        let usual = Tick.random(in: 1...6, using: &random)
        func pause() -> Tick {
            let isIrregular = Int.random(in: 0..<4, using: &random) == 0
            return isIrregular ? Tick.random(in: 1...8, using: &random) : usual
        }
        for _ in 0..<40 where world.violation == nil {
            finishRun(&world, setting)
            var left = pause()
            while left > 0, world.violation == nil {
                // A copy is written as late as it may be, and read right before the next look:
                // what is best for the chain, but for a little chance.
                let device = world.devices[0]
                let steps = setting.programs[0].steps
                let next = device.step < steps.count ? steps[device.step] : nil
                let isDue: Bool
                switch next {
                case .writeBack: isDue = world.now - device.readAt >= stale
                case .read, .detach: isDue = left == 1
                default: isDue = false
                }
                if isDue != (Int.random(in: 0..<12, using: &random) == 0) {
                    _ = world.apply(.device(0), setting)
                    continue
                }
                _ = world.apply(.tick, setting)
                left -= 1
            }
        }
        return world.violation?.word == "lost"
    }

    @Test("by seed, chains of three copies never pass unseen, and some of four do")
    func chains() {
        var passed = 0
        for seed: UInt64 in 1...4_000 {
            #expect(!isLost(3, seed: seed), "seed \(seed)")
            if isLost(4, seed: seed) { passed += 1 }
        }
        #expect(passed > 0)
    }
}
