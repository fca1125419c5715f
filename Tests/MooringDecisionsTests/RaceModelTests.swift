import MooringDecisions
import MooringModel
import Testing

@Suite("The race model's waits")
struct RaceModelTests {
    @Test("G is U + S + C")
    func grace() {
        let race = RaceModel(bounds: RaceBounds(), clock: .seconds(7))
        #expect(race.grace == .hours(1) + .days(3) + .seconds(7))
        #expect(race.uploadWindow == .hours(1))
        #expect(race.staleWindow == .days(3))
    }

    @Test("a clock that is behind waits as long as one that is ahead")
    func negativeClock() {
        let behind = RaceModel(bounds: RaceBounds(), clock: .seconds(-7))
        #expect(behind == RaceModel(bounds: RaceBounds(), clock: .seconds(7)))
    }

    @Test("a device that stays offline stretches both windows")
    func offline() {
        let race = RaceModel(bounds: RaceBounds(offlineWindow: .days(30)))
        #expect(race.uploadWindow == .days(30))
        #expect(race.staleWindow == .days(30))
    }

    @Test("W and M are as they are given, and M is part of no other wait")
    func others() {
        let bounds = RaceBounds(offlineWindow: .hours(2), multipartWindow: .days(9))
        let race = RaceModel(bounds: bounds)
        #expect(race.offlineWindow == .hours(2) && race.multipartWindow == .days(9))
        let short = RaceModel(bounds: RaceBounds(offlineWindow: .hours(2)))
        #expect(race.grace == short.grace && race.ownerSettling == short.ownerSettling)
    }

    @Test("devices with outboxes write back old copies unless stores refuse them")
    func outboxes() {
        let offline = RaceBounds(offlineWindow: .days(30), conflicts: .optimistic)
        let race = RaceModel(bounds: offline)
        #expect(race.uploadWindow == .days(30) && race.staleWindow == .zero)
    }

    @Test(
        "only optimistic concurrency refuses old copies", arguments: RaceBounds.Conflicts.allCases)
    func conflicts(conflicts: RaceBounds.Conflicts) {
        let race = RaceModel(bounds: RaceBounds(conflicts: conflicts))
        #expect(race.staleWindow == (conflicts == .optimistic ? .zero : .days(3)))
    }

    @Test("the presets hold what the interface promises")
    func presets() throws {
        let offline = try #require(RaceBounds.presets["offline"])
        #expect(RaceModel(bounds: offline).grace == .days(60))
        let testing = try #require(RaceBounds.presets["testing"])
        #expect(RaceModel(bounds: testing).grace == .zero)
        #expect(RaceBounds.presets["standard"] == RaceBounds())
        #expect(RaceBounds.presets.values.allSatisfy { $0.clockBound == .minutes(5) })
    }
}
