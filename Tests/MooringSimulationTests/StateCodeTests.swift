import MooringModel
import MooringSimulation
import Testing

/// Worlds that behave differently from here on have different codes: else the exhaustive search
/// would leave one of them out.
@Suite("The code of a state")
struct StateCodeTests {
    private static let old = SimulatedObject(serial: 1, content: 1, born: 0)

    @Test("a run that began before the end of the retention is another than one that began behind")
    func retention() {
        var setting = Setting()
        setting.retention = 8
        setting.audit.nulls = false
        /// A run that began at a tick, and has read one record by 20 ticks behind the quarantine.
        func world(readingAt tick: Tick) -> World {
            var world = World(
                records: [SimulatedRecord(.present)], objects: [Self.old], owners: [0],
                devices: 0, setting: setting)
            world.takeAway(0, -5, at: 1_000)
            for _ in 0..<2 { finishRun(&world, setting) }
            world.now = tick
            for _ in 0..<2 { _ = world.apply(.auditor(0), setting) }
            world.now = 1_020
            return world
        }
        var (early, late) = (world(readingAt: 1_007), world(readingAt: 1_009))
        #expect(StateCode(early, setting) != StateCode(late, setting))
        finishRun(&early, setting)
        finishRun(&late, setting)
        #expect(early.held.count == 1 && late.held.isEmpty)
    }

    private func finishRun(_ world: inout World, _ setting: Setting) {
        repeat { _ = world.apply(.auditor(0), setting) } while world.auditors[0].phase != .idle
    }

    @Test("whether a device's copy is the record's version is told of every record")
    func versions() {
        var setting = Setting()
        setting.bounds.conflicts = .optimistic
        setting.programs = [DeviceProgram("touch", [.read, .touch], record: 1)]
        /// The device has read record 1, which was written so often, long ago.
        func world(version: Int32) -> World {
            var world = World(
                records: [SimulatedRecord(.present), SimulatedRecord(.present)],
                objects: [nil], owners: [0], devices: 1, setting: setting)
            _ = world.apply(.device(0), setting)
            world.records[1].version = version
            return world
        }
        let (fresh, stale) = (world(version: 1), world(version: 2))
        #expect(StateCode(fresh, setting) != StateCode(stale, setting))
    }
}
