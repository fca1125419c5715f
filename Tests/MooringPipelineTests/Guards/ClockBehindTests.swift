import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// A machine whose clock is far behind for one run: its times look old to every later one.
@Suite("A clock that is behind")
struct ClockBehindTests {
    private func world() throws -> World {
        let world = try PlaceGuardTests.world(cover: "level: root")
        PlaceGuardTests.fill(world, 300)
        return world
    }

    @Test("a run behind the one before sees nothing first, and nothing again")
    func sightings() async throws {
        let world = try world()
        world.album("holder", "[\"hero\"]")
        world.object("hero")
        for _ in 0..<2 {
            _ = try await world.audit()
            world.clock.advance(.days(1))
        }
        world.source.delete("Album", Array("holder".utf8))
        world.clock.advance(.zero - .days(27))
        let behind = try await world.audit()
        #expect(PlaceGuardTests.refused(behind) == ["clockBound"])
        #expect(behind.findings.about("hero")?.needs?.proof == "second sighting")
        let told = try #require(PlaceGuardTests.refusal(world, behind)).description
        #expect(told.contains("behind the run before (this machine's clock)"), "\(told)")
        #expect(told.contains("set this machine's clock, and run it again"), "\(told)")
        // Nobody takes that over.
        let accepted = Acceptance(texts: ["clockBound": "1"], numbers: ["clockBound": 1])
        #expect(PlaceGuardTests.refusal(world, behind, accepted) != nil)
        // The clock is right again, and three days after the change are still to come.
        world.clock.advance(.days(27) + .hours(12))
        for (hours, waits) in [(0, true), (73, false)] as [(Int64, Bool)] {
            world.clock.advance(.hours(hours))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit).isEmpty)
            #expect((audit.findings.about("hero")?.needs != nil) == waits)
        }
    }

    @Test("what a device wrote at an unknown time is first seen by a run whose clock is right")
    func firstSights() async throws {
        let world = try World(Sample.file(changedBy: "device"))
        PlaceGuardTests.fill(world, 30)
        _ = try await world.audit()
        world.clock.advance(.days(1))
        world.source.set(
            "Song", Array("s1".utf8),
            ["cover": .text("missing"), "changed": .moment(World.longAgo), "version": .integer(9)])
        world.clock.advance(.zero - .days(27))
        #expect(PlaceGuardTests.refused(try await world.audit()) == ["clockBound"])
        world.clock.advance(.days(27) + .hours(12))
        for (hours, verdict) in [(0, Verdict.explained), (73, .settled)] as [(Int64, Verdict)] {
            world.clock.advance(.hours(hours))
            let audit = try await world.audit()
            #expect(audit.findings.about("missing", .dangling)?.verdict == verdict)
        }
    }

    @Test("five minutes are none, and a run as of another moment neither compares nor counts")
    func bound() async throws {
        let world = try world()
        _ = try await world.audit()
        // Each run of this world begins a second later than the clock said.
        for (back, refused) in [(301, []), (302, ["clockBound"])] as [(Int64, [String])] {
            world.clock.advance(.zero - .seconds(back))
            #expect(PlaceGuardTests.refused(try await world.audit()) == refused)
        }
        world.clock.advance(.days(9))
        _ = try await world.audit(asOf: world.clock.now)
        world.clock.advance(.zero - .days(8))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        world.clock.advance(.zero - .days(1))
        let asOf = try await world.audit(asOf: world.clock.now)
        #expect(PlaceGuardTests.refused(asOf).isEmpty)
    }

    @Test("a plan that is made under a clock behind its run's is refused")
    func plan() async throws {
        let world = try world()
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refusal(world, audit) == nil)
        world.clock.advance(.zero - .days(1))
        let told = try #require(PlaceGuardTests.refusal(world, audit)).description
        #expect(told.contains("run mooring audit twice, then mooring plan"), "\(told)")
    }
}
