import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import Testing

@testable import MooringPipeline

/// What is said where a plan is refused or a lease is held: word for word, with what to run next.
@Suite("The words of a plan that is refused, and of a lease")
struct RefusalWordsTests {
    private static let again = "run mooring audit, then mooring plan"

    private func planned() async throws -> (world: World, plan: Plan) {
        let world = try World()
        world.song("k", cover: "keeper")
        world.object("keeper")
        world.object("k")
        world.song("r", cover: "gone")
        return (world, try world.plan(try await world.audit()))
    }

    private func refusal(_ world: World, _ plan: Plan) -> Refusal? {
        do {
            _ = try GuardedPlan(checking: plan, try world.job(), except: plan.run)
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test("a plan that was changed by hand is refused as a whole, whatever was changed")
    func changed() async throws {
        let (world, plan) = try await planned()
        #expect(refusal(world, plan) == nil && plan.steps.count == 2)
        let byHand = "a step was changed, added or repeated by hand"
        let beside = "something beside its steps was changed by hand"
        var lines: [(plan: Plan, found: String, next: String)] = []
        func add(_ found: String, _ next: String, _ change: (inout Plan) -> Void) {
            var other = plan
            change(&other)
            lines.append((other, found, next))
        }
        let less = "take steps out only, or \(Self.again)"
        add(byHand, less) { $0.steps.append($0.steps[0]) }
        add(byHand, less) { $0.steps[0].key = ObjectKey("keeper") }
        add(byHand, less) {
            $0.steps[0].key = ObjectKey("keeper")
            $0.steps[0] = $0.steps[0].sealed()
        }
        add(beside, Self.again) { $0.expiresAt = $0.expiresAt + .days(9) }
        add("it was made under another configuration", Self.again) { $0.configuration = "x" }
        add("the ledger knows no such plan", Self.again) { $0.id += "x" }
        for (other, found, next) in lines {
            let told = try #require(refusal(world, other), "\(found)")
            #expect(told.found == found && told.next == next && told.kind == .refused)
            #expect(told.refused == "plan \(other.id)")
        }
        var fewer = plan
        fewer.steps.removeLast()
        #expect(refusal(world, fewer) == nil)
    }

    @Test("an expired plan says when it expired")
    func expired() async throws {
        let (world, plan) = try await planned()
        world.clock.advance(.days(60))
        #expect(
            refusal(world, plan)?.found == "it expired at \(plan.expiresAt.iso8601)")
        #expect(refusal(world, plan)?.next == Self.again)
    }

    @Test("a plan that a later run knows more than is refused, and that run's is named")
    func outdated() async throws {
        let (world, plan) = try await planned()
        world.clock.advance(.minutes(5))
        let later = try await world.audit().summary.id
        let told = try #require(refusal(world, plan))
        #expect(told.found == "run \(later.text) has looked at everything since")
        #expect(told.next == "mooring plan \(later.text), or \(Self.again)")
    }

    // MARK: Leases

    private static let lease = Lease(
        ledger: "0123", host: "there", path: "/l\u{1B}", command: "repair", run: "R1",
        since: World.start)
    private static let holder =
        "repair, run R1, since \(World.start.iso8601), of ledger 0123 (/l\\x1b) on host there"

    @Test("who holds a lease is told, and nothing was changed")
    func held() {
        let refused = "; refused: every change, and nothing was changed; next: "
        for (holder, found, next) in [
            (
                LeaseRule.Holder.otherLedger(Self.lease),
                "bucket media is held by another ledger: \(Self.holder)",
                "wait until that run ends, or run its command again there if it was killed; when "
                    + "that ledger is lost for good: mooring ledger rebuild --take-over"
            ),
            (
                .copiedLedger(Self.lease),
                "bucket media is held by a ledger with the id of this one in another place, so "
                    + "that one of the two is a copy: \(Self.holder)",
                "use the ledger there, or, when nobody uses that one any more: mooring ledger "
                    + "rebuild --take-over"
            ),
            (
                .unknown,
                "bucket media is held by somebody whose lease (.mooring/lease) cannot be read",
                "find out who wrote it; when nobody acts on the bucket any more: mooring ledger "
                    + "rebuild --take-over"
            ),
        ] {
            let told = LeaseRefusal(bucket: "media", holder: holder).description
            #expect(told == found + refused + next)
        }
    }

    @Test("a lease that is taken over is told, with whose it was")
    func takenOver() async throws {
        let world = try World()
        _ = try await world.bucket.createLease(Array("no lease".utf8))
        let run = RunID(startingAt: World.start)
        let job = try world.job()
        await #expect(throws: LeaseRefusal.self) {
            try await job.takeLeases(for: "repair", run: run)
        }
        #expect(
            try await job.takeLeases(for: "rebuild", run: run, takingOver: true) == [
                "the lease of bucket media, which could not be read, was taken over"
            ])
        let found = try #require(try await world.bucket.readLease())
        _ = try await world.bucket.replaceLease(found, with: Self.lease.content)
        let told = try await world.job().takeLeases(
            for: "rebuild", run: run, takingOver: true)
        #expect(told == ["the lease of bucket media was taken over: \(Self.holder)"])
    }
}
