import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("What refuses a plan or stops a repair")
struct RefusalTests {
    private func prepared(_ text: String = Sample.app, live: Bool = true) throws -> World {
        let world = try World(text, sourcesAreLive: live)
        world.song("k", cover: "keeper")
        world.object("keeper")
        world.object("k")
        world.song("r", cover: "gone")
        return world
    }

    private func refusal(_ world: World, _ audit: Pipeline.Audit) -> Refusal? {
        do {
            _ = try world.plan(audit)
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test("records that were not read to their end: no orphans, marked danglings, no plan")
    func incompleteRecords() async throws {
        let world = try prepared()
        world.source.breakTable("Note")
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.findings.allSatisfy { $0.kind != .orphan })
        let dangling = try #require(audit.findings.about("gone", .dangling))
        #expect(dangling.needs?.proof == "a complete run")
        #expect(dangling.evidence.contains { $0.contains("incomplete: app") })
        #expect(audit.tally.steps == 0)
        #expect(refusal(world, audit)?.kind == .incomplete)
    }

    @Test("a listing that broke off: no danglings, no plan")
    func incompleteListing() async throws {
        let world = try prepared()
        world.bucket.breakListings(true)
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.findings.allSatisfy { $0.kind != .dangling })
        #expect(audit.findings.allSatisfy { $0.needs?.proof == "a complete run" })
        #expect(refusal(world, audit)?.kind == .incomplete)
    }

    @Test("a pass B that broke off: no orphans, no plan")
    func incompleteConfirmScan() async throws {
        let world = try prepared()
        world.script.fail(.before, .scan, 2)
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.findings.allSatisfy { $0.kind != .orphan })
        #expect(refusal(world, audit)?.kind == .incomplete)
        #expect(try await world.audit().findings.about("k")?.needs == nil)
    }

    @Test("a policy that cannot be made safe is audited, never planned, and named with the nearest")
    func unsafePolicies() async throws {
        for (rest, found, nearest) in [
            ("repair: {orphan: delete}", "race.relink", "orphan: quarantine"),
            (
                "repair: {overrides: [{model: Song, orphan: delete}]}", "model: Song",
                "race.relink: never"
            ),
            ("confirm: never", "repair.dangling: nullify", "confirm: auto"),
        ] {
            let world = try prepared(Sample.file(rest: rest))
            let audit = try await world.audit()
            #expect(audit.findings.about("k") != nil)
            let told = try #require(refusal(world, audit))
            #expect(told.kind == .refused)
            #expect(told.found.contains(found), "\(told)")
            #expect(told.next.contains(nearest), "\(told)")
        }
        let safe = try prepared(
            Sample.file(race: ", relink: never", rest: "repair: {orphan: delete}"))
        #expect(refusal(safe, try await safe.audit()) == nil)
    }

    @Test("an incomplete run is told before the policy, as its status counts for more")
    func incompleteAndUnsafe() async throws {
        let world = try prepared(Sample.file(rest: "repair: {orphan: delete}"))
        world.source.breakTable("Note")
        #expect(refusal(world, try await world.audit())?.kind == .incomplete)
    }

    @Test("confirm: never reports, and neither plans nor sweeps")
    func neverConfirmed() async throws {
        let world = try prepared(Sample.file(rest: "confirm: never\nrepair: {retention: 1d}"))
        world.bucket.hold(ObjectKey("posts/q"), run: RunID(startingAt: World.longAgo))
        var audit = try await world.audit()
        #expect(audit.summary.confirmedAt == nil && audit.findings.about("k") != nil)
        #expect(refusal(world, audit)?.kind == .refused)
        for _ in 0..<5 {
            world.clock.advance(.days(10))
            audit = try await world.audit()
        }
        let job = try world.job()
        let sweep = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        #expect(audit.quarantine.count == 1)
        #expect(sweep.items(audit.quarantine).isEmpty)
    }

    @Test("a copy of the records gives findings only: every act waits for live stores")
    func copies() async throws {
        let world = try prepared(
            Sample.file(rest: "repair: {retention: 1d}"), live: false)
        world.bucket.hold(ObjectKey("posts/q"), run: RunID(startingAt: World.longAgo))
        var audit = try await world.audit()
        #expect(audit.findings.about("k")?.needs?.proof == "live stores")
        #expect(audit.findings.about("gone", .dangling)?.needs?.proof == "live stores")
        for _ in 0..<5 {
            world.clock.advance(.days(10))
            audit = try await world.audit()
        }
        #expect(audit.tally.steps == 0)
        #expect(audit.quarantine.map(\.need?.proof) == ["live stores"])
    }

    @Test("references that vanish since the last complete run stop a removal")
    func referenceDrop() async throws {
        let world = try prepared()
        for number in 0..<10 {
            world.song("s\(number)", cover: "s\(number)")
            world.object("s\(number)")
        }
        #expect(refusal(world, try await world.audit()) == nil)
        for number in 0..<5 { world.source.delete("Song", Array("s\(number)".utf8)) }
        world.clock.advance(.days(9))
        world.source.breakTable("Note")
        _ = try await world.audit()
        world.source.breakTable(nil)
        // An incomplete run with few references is nothing to compare with.
        let audit = try await world.audit()
        #expect(audit.summary.guards.contains { $0.name == "referenceDrop" && $0.refused })
        let refused = try #require(refusal(world, audit))
        #expect(refused.kind == .refused && refused.description.contains("referenceDrop=41.67%"))
        let accepted = Acceptance(
            texts: ["referenceDrop": "42%"], numbers: ["referenceDrop": 0.42])
        #expect(try world.plan(audit, accepting: accepted).accepted["referenceDrop"] == "42%")
    }

    @Test("without any reference nothing is removed")
    func noReferences() async throws {
        let world = try World()
        world.object("k")
        let audit = try await world.audit()
        #expect(audit.findings.about("k")?.needs == nil)
        #expect(refusal(world, audit)?.kind == .refused)
    }

    @Test("a share above the limit refuses, and the number that covers it is accepted")
    func orphanShare() async throws {
        let world = try prepared(
            Sample.app.replacing("orphanShare: 100%", with: "orphanShare: 10%"))
        let audit = try await world.audit()
        #expect(refusal(world, audit)?.description.contains("orphanShare=50%") == true)
        let accepted = Acceptance(texts: ["orphanShare": "50%"], numbers: ["orphanShare": 0.5])
        #expect(try world.plan(audit, accepting: accepted).steps.count == 2)
    }

    @Test("restores stand first in a plan")
    func restoresFirst() async throws {
        let world = try prepared()
        world.song("z", cover: "zebra")
        world.bucket.hold(ObjectKey("zebra"), run: RunID(startingAt: World.longAgo))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.restore, .nullify, .quarantine])
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done, .done])
        #expect(world.has("zebra") && world.bucket.held.count == 1)
    }

    @Test("a plan that is old, foreign or changed is refused, and one with fewer steps is not")
    func changedPlans() async throws {
        let world = try prepared()
        let plan = try world.plan(try await world.audit())
        var fewer = plan
        fewer.steps.removeFirst()
        var changed = plan
        changed.steps[0].key = ObjectKey("keeper")
        var sealed = plan
        sealed.steps[0].key = ObjectKey("keeper")
        sealed.steps[0] = sealed.steps[0].sealed()
        var twice = plan
        twice.steps.append(plan.steps[0])
        var longer = plan
        longer.expiresAt = plan.expiresAt + .days(9)
        var unknown = plan
        unknown.id = "plan-x"
        for wrong in [changed, sealed, twice, longer, unknown] {
            await #expect(throws: Refusal.self) { try await world.repair(wrong) }
        }
        #expect(world.has("k") && world.cover("r") == "gone")
        #expect(try await world.repair(fewer).map(\.outcome) == [.done])
        #expect(try await world.repair(plan).map(\.outcome) == [nil, .done])
        world.clock.advance(.days(1))
        await #expect(throws: Refusal.self) { try await world.repair(plan) }
    }
}

@Suite("A plan whose confirm scan is old")
struct OldPlanTests {
    private func prepared() async throws -> (world: World, plan: Plan) {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for key in ["a", "b"] { world.object(key) }
        world.source.insert("Setting", ["id": .text("1"), "value": .text("none")])
        return (world, try world.plan(try await world.audit()))
    }

    @Test("it is repeated, and protects what a record holds by now, mapped or not")
    func repeated() async throws {
        let (world, plan) = try await prepared()
        world.source.set("Setting", Array("1".utf8), ["value": .text("/files/a")])
        world.write(song: "keeper", ["cover": .text("b")])
        world.clock.advance(.hours(1))
        #expect(try await world.repair(plan).map(\.outcome) == [.stale, .stale])
        #expect(world.has("a") && world.has("b"))
    }

    @Test("a source that cannot be read to its end stops everything")
    func incomplete() async throws {
        let (world, plan) = try await prepared()
        world.clock.advance(.hours(2))
        world.source.breakTable("Setting")
        await #expect(throws: Refusal.self) { try await world.repair(plan) }
        #expect(world.has("a") && world.has("b"))
        world.source.breakTable(nil)
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
    }

    @Test("it is repeated when it grows old while the plan is carried out")
    func growsOld() async throws {
        let (world, plan) = try await prepared()
        world.script.at(.after, .quarantine) { [weak world] in
            world?.clock.advance(.hours(2))
            world?.source.set("Setting", Array("1".utf8), ["value": .text("b")])
        }
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .stale])
        #expect(world.has("b"))
    }

    @Test("within the hour it is not repeated")
    func young() async throws {
        let (world, plan) = try await prepared()
        let scans = world.script.borders.filter { $0.operation == .scan }.count
        world.clock.advance(.minutes(50))
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
        #expect(world.script.borders.filter { $0.operation == .scan }.count == scans)
    }
}
