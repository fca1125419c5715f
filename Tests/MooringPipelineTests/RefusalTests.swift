import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
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

    @Test("a run without a confirm scan is planned by no policy, not even one that keeps all")
    func keptUnconfirmed() async throws {
        let world = try prepared(
            Sample.file(rest: "confirm: never\nrepair: {orphan: keep, dangling: keep}"))
        let told = try #require(refusal(world, try await world.audit()))
        #expect(told.found == "the run had no confirm scan (confirm: never)")
        #expect(told.next == "set confirm: auto, then run mooring audit, then mooring plan")
    }

    @Test("a plan whose run the ledger does not know, or not its counts, carries nothing out")
    func unknownRun() async throws {
        let world = try prepared()
        let plan = try world.plan(try await world.audit())
        let unknown = RunID(startingAt: World.longAgo)
        let guards = CarryingGuards(
            job: try world.job(), run: unknown, refused: "plan \(plan.id)")
        let next = "run mooring audit, then mooring plan"
        let forgotten = #expect(throws: Refusal.self) { try guards.refuseTooMuch(plan.steps) }
        #expect(forgotten?.found == "the ledger no longer knows run \(unknown.text)")
        #expect(forgotten?.next == next)
        let uncounted = await #expect(throws: Refusal.self) {
            try await ConfirmAgain(job: try world.job(), since: unknown).keeping(
                plan.steps.filter(\.takesObject), refused: "plan \(plan.id)")
        }
        #expect(
            uncounted?.found
                == "the ledger does not know how many references run \(unknown.text) saw")
        #expect(uncounted?.next == next && uncounted?.refused == "plan \(plan.id)")
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
        for number in 0..<30 {
            world.song("s\(number)", cover: "s\(number)")
            world.object("s\(number)")
        }
        #expect(refusal(world, try await world.audit()) == nil)
        for number in 0..<15 { world.source.delete("Song", Array("s\(number)".utf8)) }
        world.clock.advance(.days(9))
        world.source.breakTable("Note")
        _ = try await world.audit()
        world.source.breakTable(nil)
        let audit = try await world.audit()
        let told = try #require(refusal(world, audit))
        #expect(told.description.contains("referenceDrop at app.Song.cover is 46.88% (32 to 17)"))
        #expect(told.next.contains("mooring plan --accept referenceDrop:app.Song.cover=46.88%"))
        let accepted = Acceptance(
            texts: ["referenceDrop": "47%"], numbers: ["referenceDrop": 0.47])
        #expect(try world.plan(audit, accepting: accepted).accepted["referenceDrop"] == "47%")
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
        for number in 0..<4 {
            world.song("h\(number)", cover: "h\(number)")
            world.object("h\(number)")
        }
        for number in 0..<3 { world.object("k\(number)") }
        let audit = try await world.audit()
        let told = try #require(refusal(world, audit))
        #expect(told.description.contains("orphanShare at media is 44.44% (4 of 9)"))
        #expect(told.next.contains("mooring plan --accept orphanShare:media=44.45%"))
        let accepted = Acceptance(
            texts: ["orphanShare": "45%"], numbers: ["orphanShare": 0.45])
        #expect(try world.plan(audit, accepting: accepted).steps.count == 5)
    }

    @Test("a record that is marked as deleted by then is not written, and keeping does nothing")
    func staleSteps() async throws {
        let world = try prepared()
        let plan = try world.plan(try await world.audit())
        let nulling = try #require(plan.steps.first { $0.strategy == .nullify })
        var kept = plan
        kept.id += "-kept"
        var keeping = nulling
        keeping.id += "-kept"
        keeping.strategy = .keep
        kept.steps = [keeping.sealed()]
        try world.ledger().save(kept)
        let nothing = try await world.repair(kept)
        #expect(nothing.map(\.outcome) == [.failed])
        #expect(nothing.map(\.reason) == ["nothing is to be done about it"])
        world.source.set("Song", Array("r".utf8), ["deleted": .integer(1)])
        var only = plan
        only.steps = [nulling]
        let results = try await world.repair(only)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.map(\.reason) == ["the record is marked as deleted"])
        #expect(world.cover("r") == "gone")
    }

    @Test("stores that are not those that the ledger knows refuse with what each shows")
    func identities() {
        func answer(_ place: String, _ value: String, _ refused: Bool) -> RunSummary.Guard {
            RunSummary.Guard(
                name: IdentityRule.name, place: place, limit: "", value: value, refused: refused,
                hint: "mount it")
        }
        let refusal = Refusal(
            identities: [
                answer("media", "another store", true), answer("app", "known", false),
                answer("far", "a copy", true),
            ], refused: "every change")
        #expect(
            refusal?.found
                == "media is not seen to be the store that the ledger knows: another store; far is "
                + "not seen to be the store that the ledger knows: a copy")
        #expect(refusal?.next == "mount it" && refusal?.refused == "every change")
        #expect(Refusal(identities: [answer("app", "known", false)], refused: "x") == nil)
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

@Suite("The confirm scan that a repair repeats")
struct RepeatedConfirmTests {
    private func prepared() async throws -> (world: World, plan: Plan) {
        let world = try filled()
        return (world, try world.plan(try await world.audit()))
    }

    private func filled() throws -> World {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        for key in ["a", "b"] { world.object(key) }
        world.source.insert("Setting", ["id": .text("1"), "value": .text("none")])
        return world
    }

    private func scans(_ world: World) -> Int {
        world.script.borders.count { $0.operation == .scan && $0.side == .before }
    }

    private func refusal(_ world: World, _ plan: Plan) async throws -> Refusal? {
        do {
            try await world.repair(plan)
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    @Test(
        "it protects what a record holds by now, mapped or not, however young the plan is",
        arguments: [Duration.zero, .minutes(50), .hours(1)])
    func repeated(age: Duration) async throws {
        let (world, plan) = try await prepared()
        world.source.set("Setting", Array("1".utf8), ["value": .text("/files/a")])
        world.write(song: "keeper", ["cover": .text("b")])
        world.clock.advance(age)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale, .stale])
        #expect(
            results.map(\.reason)
                == ["a record holds the key now", "a record references the object now"])
        #expect(world.has("a") && world.has("b"))
    }

    @Test(
        "a key inside a mapped value is held by it only where its own object is not seen",
        arguments: [true, false, nil])
    func inside(isThere: Bool?) async throws {
        let (world, plan) = try await prepared()
        world.write(song: "keeper", ["cover": .text("x/a")])
        if isThere != false { world.object("x/a") }
        if isThere == nil { world.script.fail(.before, .head) }
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [isThere == true ? .done : .stale, .done])
        #expect(world.has("a") == (isThere != true))
    }

    @Test(
        "a source that cannot be read to its end stops everything",
        arguments: [Duration.zero, .hours(2)])
    func incomplete(age: Duration) async throws {
        let (world, plan) = try await prepared()
        world.clock.advance(age)
        world.source.breakTable("Setting")
        let again = "mend it, then run the same command again"
        let unread = try #require(try await refusal(world, plan))
        #expect(unread.kind == .incomplete && unread.next == again)
        #expect(
            unread.found
                == "the confirm scan could not be repeated: Setting: cannot be read")
        #expect(world.has("a") && world.has("b"))
        world.source.breakTable(nil)
        // A row that names no record may hold references that cannot be told apart.
        world.source.insert("Song", ["cover": .text("c")])
        let nameless = try #require(try await refusal(world, plan))
        #expect(nameless.kind == .incomplete && nameless.next == again)
        #expect(
            nameless.found
                == "the confirm scan could not be repeated: app: 1 rows without an id")
        #expect(world.has("a") && world.has("b"))
        world.source.deleteWithoutID("Song")
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
    }

    @Test("a plan that removes nothing needs none, and is carried out beside a broken table")
    func withoutRemovals() async throws {
        let (world, _) = try await prepared()
        world.song("r", cover: "gone")
        world.song("z", cover: "zebra")
        world.bucket.hold(ObjectKey("zebra"), run: RunID(startingAt: World.longAgo))
        var plan = try world.plan(try await world.audit())
        world.source.breakTable("Setting")
        // With the removals in it, it changes nothing at all.
        #expect(try await refusal(world, plan)?.kind == .incomplete)
        #expect(!world.has("zebra") && world.cover("r") == "gone")
        plan.steps.removeAll { $0.strategy == .quarantine }
        #expect(plan.steps.map(\.strategy) == [.restore, .nullify])
        let before = scans(world)
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
        #expect(scans(world) == before)
    }

    @Test("an owner that is spelt alike by then keeps its object, and says so")
    func nearOwner() async throws {
        let (world, plan) = try await prepared()
        world.song("A", cover: nil)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale, .done])
        #expect(results.first?.reason == "a record is spelt like its owner")
        #expect(world.has("a"))
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

    @Test("a saved plan has one, whatever its age; a run's own plan only when that is over an hour")
    func counted() async throws {
        for age in [Duration.zero, .minutes(50), .hours(2)] {
            let (world, plan) = try await prepared()
            let before = scans(world)
            world.clock.advance(age)
            #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
            #expect(scans(world) == before + 1)
        }
        // An audit scans twice.
        for (age, count) in [(Duration.minutes(50), 2), (.hours(2), 3)] {
            let world = try filled()
            #expect(try await world.run(waiting: age).map(\.outcome) == [.done, .done])
            #expect(scans(world) == count)
        }
    }

    @Test("a set of references that shrank or vanished since the plan removes nothing")
    func referenceDrop() async throws {
        let world = try filled()
        for number in 0..<49 { world.song("s\(number)", cover: "keeper") }
        let plan = try world.plan(try await world.audit())
        for number in 0..<15 { world.source.delete("Song", Array("s\(number)".utf8)) }
        let shrank = try #require(try await refusal(world, plan))
        #expect(shrank.kind == .refused && shrank.description.contains("30% (50 to 35)"))
        #expect(
            shrank.next
                == "check the records; if they are right: mooring audit, then mooring plan")
        for number in 15..<49 { world.source.delete("Song", Array("s\(number)".utf8)) }
        world.source.delete("Song", Array("keeper".utf8))
        let empty = try #require(try await refusal(world, plan))
        #expect(empty.kind == .refused && empty.description.contains("no references"))
        #expect(world.has("a") && world.has("b"))
        for number in 0..<40 { world.song("s\(number)", cover: "keeper") }
        // A fifth less is what the limit allows.
        #expect(try await world.repair(plan).map(\.outcome) == [.done, .done])
    }

    @Test("a loss that the plan accepted is none, and neither are the plan's own nullings")
    func acceptedDrop() async throws {
        let world = try World()
        world.object("a")
        let audit = try await world.audit()
        let text = "100%@\(audit.summary.id.text)"
        let bare = Acceptance(texts: ["referenceDrop": text], numbers: ["referenceDrop": 1])
        #expect(throws: Refusal.self) { try world.plan(audit, accepting: bare) }
        let accepted = Acceptance(
            texts: ["referenceDrop:app": text], numbers: ["referenceDrop:app": 1])
        let plan = try world.plan(audit, accepting: accepted)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])

        let other = try filled()
        for number in 0..<4 { other.song("r\(number)", cover: "gone\(number)") }
        let mixed = try other.plan(try await other.audit())
        #expect(mixed.steps.map(\.strategy).count { $0 == .nullify } == 4)
        other.script.fail(.before, .quarantine, 1)
        other.script.fail(.before, .quarantine, 2)
        #expect(try await other.repair(mixed).count { $0.outcome == .done } == 4)
        #expect(other.has("a") && other.has("b"))
        #expect(try await other.repair(mixed).count { $0.outcome == .done } == 2)
    }
}
