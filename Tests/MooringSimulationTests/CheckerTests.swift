import MooringSimulation
import Testing

/// The checkers themselves: each breach is noticed, and what devices do is none.
@Suite("What counts as a breach")
struct CheckerTests {
    private let setting = Setting()

    private func world(_ keys: KeyList) -> World {
        World(
            records: [SimulatedRecord(.present, keys)],
            objects: [SimulatedObject(serial: 1, content: 1, born: 0)], owners: [0],
            devices: 0, setting: setting)
    }

    @Test("removing a referenced object for good is a loss, at once or when it is linked again")
    func lost() {
        var referenced = world(KeyList(0))
        referenced.removeAsAuditor(0)
        #expect(referenced.violation == .lost(key: 0, record: 0))
        var linked = world(KeyList())
        linked.removeAsAuditor(0)
        #expect(linked.violation == nil)
        linked.write(0, .present, KeyList(0), decides: true)
        #expect(linked.violation == .lost(key: 0, record: 0))
    }

    @Test("what lies in quarantine is not lost; what is swept from there is")
    func quarantine() {
        var world = world(KeyList(0))
        world.takeAway(0, 7, at: 0)
        #expect(world.violation == nil)
        let moved = world.sweep(0, run: 7)
        #expect(moved)
        #expect(world.violation == .lost(key: 0, record: 0))
    }

    @Test("a restore over a newer upload loses the upload")
    func overwritten() {
        var world = world(KeyList(0))
        world.takeAway(0, 7, at: 0)
        world.upload(0, content: 2, born: 3, isMultipart: false)
        #expect(world.violation == nil)
        let moved = world.restore(0, run: 7)
        #expect(moved)
        #expect(world.violation == .lost(key: 0, record: 0))
    }

    @Test("what a device removes or replaces is not the auditor's loss")
    func devices() {
        var removed = world(KeyList(0))
        removed.removeAsDevice(0)
        #expect(removed.violation == nil)
        var replaced = world(KeyList(0))
        replaced.takeAway(0, 7, at: 0)
        replaced.upload(0, content: 2, born: 3, isMultipart: false)
        let swept = replaced.sweep(0, run: 7)
        #expect(swept)
        #expect(replaced.violation == nil)
    }

    @Test("nulling a reference whose object is there counts until somebody decides otherwise")
    func nulled() {
        var world = world(KeyList(0))
        world.null(0, 0, exactly: true)
        #expect(world.wronglyNulled == [0])
        var putBack = world
        putBack.putBack(0, 0)
        #expect(putBack.wronglyNulled == [-1])
        var decided = world
        decided.write(0, .present, KeyList(), decides: true)
        #expect(decided.wronglyNulled == [-1])
        var unaware = world
        unaware.write(0, .present, KeyList(), decides: false)
        #expect(unaware.wronglyNulled == [0])
        var removed = world
        removed.removeAsDevice(0)
        #expect(removed.wronglyNulled == [-1])
    }

    @Test("at the end, orphans, open intents and objects that were not given back are breaches")
    func end() {
        var orphan = world(KeyList())
        orphan.checkEnd(setting)
        #expect(orphan.violation?.word == "left")
        var held = world(KeyList())
        held.takeAway(0, 7, at: 0)
        held.checkEnd(setting)
        #expect(held.violation?.word == "left")
        var away = world(KeyList(0))
        away.takeAway(0, 7, at: 0)
        away.checkEnd(setting)
        #expect(away.violation?.word == "left")
        var clean = world(KeyList(0))
        clean.checkEnd(setting)
        #expect(clean.violation == nil)
    }
}
