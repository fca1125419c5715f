import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A number over half is accepted only from somebody who saw it: in this place, under this
/// configuration, and no larger than it is.
@Suite("Acceptances that name a reviewed run")
struct ReviewedRunTests {
    private static let name = "objectDrop:media"

    /// A world that lost 26 of 40 objects, with the run that was refused for it.
    private func prepared() async throws -> (World, Pipeline.Audit) {
        let world = try PlaceGuardTests.world("limits: {recordShare: 100%}")
        PlaceGuardTests.fill(world, 40)
        _ = try await world.audit()
        for number in 0..<26 { world.bucket.remove(ObjectKey("s\(number)")) }
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit) == [Self.name])
        return (world, audit)
    }

    private func accepting(
        _ share: Int, _ run: RunID, _ name: String = Self.name
    ) -> Acceptance {
        Acceptance(texts: [name: "\(share)%@\(run.text)"], numbers: [name: Double(share) / 100])
    }

    @Test("what the run showed is accepted, and what is larger is not")
    func larger() async throws {
        let (world, audit) = try await prepared()
        let run = audit.summary.id
        for share in [66, 70, 100] {
            let told = PlaceGuardTests.refusal(world, audit, accepting(share, run))
            #expect(
                told?.found
                    == "run \(run.text) showed less at \(Self.name) than what is to be accepted")
            #expect(
                told?.next == "mooring runs lists the runs, and mooring report RUN shows one")
        }
        let less = try #require(PlaceGuardTests.refusal(world, audit, accepting(64, run)))
        #expect(less.description.contains("objectDrop at media is 65% (40 to 14)"))
        #expect(PlaceGuardTests.refusal(world, audit, accepting(65, run)) == nil)
    }

    @Test("a loss that grew since is refused again, and so is one of a later day")
    func grown() async throws {
        let (world, audit) = try await prepared()
        let run = audit.summary.id
        for number in 26..<30 { world.bucket.remove(ObjectKey("s\(number)")) }
        let later = try await world.audit()
        #expect(PlaceGuardTests.refusal(world, later, accepting(65, run)) != nil)
        #expect(PlaceGuardTests.refusal(world, later, accepting(75, run)) != nil)
        #expect(PlaceGuardTests.refusal(world, later, accepting(75, later.summary.id)) == nil)
        // What was accepted is the new usual count; the next loss is asked for anew.
        for number in 0..<40 { world.object("s\(number)") }
        _ = try await world.audit()
        world.clock.advance(.days(1))
        for number in 0..<30 { world.bucket.remove(ObjectKey("s\(number)")) }
        let again = try await world.audit()
        #expect(PlaceGuardTests.refused(again) == [Self.name])
        #expect(PlaceGuardTests.refusal(world, again) != nil)
    }

    @Test("a run under another configuration, or of no such refusal, has shown nothing")
    func otherRuns() async throws {
        let (world, audit) = try await prepared()
        let run = audit.summary.id
        let other = PlaceGuardTests.refusal(
            world, audit, accepting(65, RunID(startingAt: World.longAgo)))
        #expect(other?.found.contains("the ledger knows no run") == true)
        let bare = PlaceGuardTests.refusal(world, audit, accepting(65, run, "objectDrop"))
        #expect(
            bare?.found
                == "objectDrop names no place, and a run is reviewed place by place")
        let first = try #require(try world.ledger().runs().last).id
        let calm = PlaceGuardTests.refusal(world, audit, accepting(65, first))
        #expect(calm?.found.contains("was not refused by \(Self.name)") == true)

        var changed = audit.summary
        changed.configuration = "what the file said before"
        try world.ledger().update(changed)
        let told = PlaceGuardTests.refusal(
            world, try await world.audit(), accepting(65, run))
        #expect(told?.found.contains("ran under another configuration") == true)
    }
}
