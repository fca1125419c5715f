import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// What one step or run says to the next one.
@Suite("Steps and runs that follow one another")
struct UsualCountTests {
    @Test("one plan nulls every missing key of a list, though each write moves the version on")
    func listOfMissingKeys() async throws {
        let world = try World()
        world.album("a", #"["gone-1", "there", "gone-2"]"#)
        world.object("there")
        let results = try await world.auditAndRepair()
        #expect(results.map(\.outcome) == [.done, .done])
        let row = try #require(world.source.records("Album").first)
        #expect(row["images"] == .text(#"["there"]"#))
        #expect(row["version"] == .integer(3))
    }

    @Test("a version that somebody else moved on is stale")
    func foreignVersion() async throws {
        let world = try World()
        world.album("a", #"["gone-1", "there"]"#)
        world.object("there")
        let plan = try world.plan(try await world.audit())
        world.source.set("Album", Array("a".utf8), ["version": .integer(2)])
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
    }

    @Test("a reference that means another object by now is not nulled, and nothing is written")
    func otherIdentity() async throws {
        let world = try World(Sample.file(cover: "level: private"))
        world.song("s", cover: "c", owner: "me")
        world.song("t", cover: "d", owner: "me")
        world.object("private/me/d")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.key) == [ObjectKey("private/me/c")])
        // The device signs in: its files lie elsewhere now, and the version stands still.
        world.source.set("Song", Array("s".utf8), ["owner": .text("you")])
        world.object("private/you/c")
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(world.cover("s") == "c")
    }

    @Test("an object that a record without a template takes up after the plan stays")
    func lateReference() async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("x", cover: nil)
        world.object("x")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.key) == [ObjectKey("x")])
        // No template names this album as an owner of the key.
        world.album("a", #"["x"]"#)
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(world.has("x"))
    }

    @Test("a loss of references stays one until it is accepted, however often it is looked at")
    func referenceDrop() async throws {
        let world = try World()
        for number in 0..<30 {
            world.song("s\(number)", cover: "c\(number)")
            world.object("c\(number)")
        }
        // A song without a cover, whose old object waits for nothing.
        world.song("x", cover: nil)
        world.object("x")
        _ = try await world.audit()
        for number in 0..<12 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<2 {
            let audit = try await world.audit()
            #expect(throws: Refusal.self) { try world.plan(audit) }
        }
        let accepted = Acceptance(
            texts: ["referenceDrop": "40%"], numbers: ["referenceDrop": 0.4])
        _ = try world.plan(try await world.audit(), accepting: accepted)
        // The plan that was accepted makes its run the new measure.
        _ = try world.plan(try await world.audit())
    }

    @Test("an object that was written in quarantine is not swept")
    func writtenInQuarantine() async throws {
        let world = try World(Sample.file(rest: "repair: {retention: 1d}"))
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("x", cover: nil)
        world.object("x")
        try await world.auditAndRepair()
        let held = try #require(world.bucket.held.first)
        world.bucket.hold(held.key, run: held.run, [9, 9, 9])
        for _ in 0..<4 {
            world.clock.advance(.days(10))
            let state = try #require(try await world.audit().quarantine.first)
            #expect(state.need?.proof == "an object that is as it was when it was judged")
            #expect(state.proof == nil)
        }
    }

    @Test("references that Mooring itself nulled are no loss")
    func ownNullings() async throws {
        let world = try World()
        world.album("a", #"["gone-1", "gone-2", "there"]"#)
        world.object("there")
        world.song("x", cover: nil)
        try await world.auditAndRepair()
        world.object("x")
        let again = try world.plan(try await world.audit())
        #expect(again.steps.map(\.key) == [ObjectKey("x")])
    }

    @Test("a run that saw the references shrink is no proof for a sweep")
    func sweepAfterDrop() async throws {
        let world = try World(Sample.file(rest: "repair: {retention: 1d}"))
        for number in 0..<20 {
            world.song("s\(number)", cover: "c\(number)")
            world.object("c\(number)")
        }
        world.song("x", cover: nil)
        world.object("x")
        try await world.auditAndRepair()
        #expect(world.bucket.held.count == 1)
        for number in 0..<16 { world.source.delete("Song", Array("s\(number)".utf8)) }
        for _ in 0..<4 {
            world.clock.advance(.days(10))
            let state = try #require(try await world.audit().quarantine.first)
            #expect(state.need?.proof == "a set of references that did not shrink")
        }
    }
}
