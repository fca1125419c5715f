import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

/// A lifecycle rule asks no record: it removes whatever has the tag when it acts.
@Suite("Tags of what is no orphan any more")
struct UntagTests {
    private static let key = "photograph-1"
    private static let tagging = "repair: {orphan: tag}"

    /// A world with one orphan of the key, whose owner holds something else or nothing.
    private func world(
        holding cover: String? = "keeper",
        _ traits: StoreTraits = .s3(.enabled, deletes: .honoured), race: String = "",
        rest: String = tagging
    ) async throws -> World {
        let world = try World(Sample.file(race: race, rest: rest))
        world.bucket.become(traits)
        world.song(Self.key, cover: cover)
        world.song("other", cover: "keeper")
        world.object("keeper")
        world.object(Self.key)
        _ = try await CapabilityStage(job: try world.job()).tryOut()
        return world
    }

    /// The same, once a run has tagged it.
    private func tagged(holding cover: String? = "keeper", rest: String = tagging) async throws
        -> World
    {
        let world = try await world(holding: cover, rest: rest)
        try await world.auditAndRepair()
        #expect(world.bucket.tagged(Self.key) == (try world.lastRun()).text)
        return world
    }

    private func takeUp(_ world: World) {
        world.write(song: Self.key, ["cover": .text(Self.key)])
    }

    private func strategies(_ audit: Pipeline.Audit, _ world: World) throws -> [Strategy] {
        try world.plan(audit).steps.map(\.strategy)
    }

    @Test("the next repair takes the tag off what a record references again, once")
    func referenced() async throws {
        let world = try await tagged()
        let tagger = try world.lastRun()
        takeUp(world)
        let audit = try await world.audit()
        #expect(audit.untagging.map(\.strategy) == [.untag])
        #expect(audit.summary.notes.contains { $0.hasPrefix("tagged for removal and no orphan") })
        #expect(world.bucket.tagged(Self.key) == tagger.text)
        let plan = try world.plan(audit)
        #expect(plan.steps.map(\.strategy) == [.untag])
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        #expect(world.bucket.tagged(Self.key) == nil && world.has(Self.key))
        let after = try await world.audit()
        #expect(after.untagging.isEmpty && after.findings.isEmpty)
        #expect(try await world.undo(tagger).map(\.reason) == ["it was taken back before"])
        let last = try world.lastRun()
        #expect(
            try await world.undo(last).map(\.reason) == ["the object was no orphan any more"])
    }

    @Test("mooring run does so before anything is planned, also when a listing broke off")
    func watch() async throws {
        let world = try await tagged()
        takeUp(world)
        for breaks in [true, false] {
            world.bucket.breakListings(breaks)
            let audit = try await world.audit()
            #expect((audit.summary.status == .incomplete) == breaks)
            let watch = WatchStage(run: audit.summary.id, configuration: "c")
                .plan(audit, at: world.clock.now)
            #expect(watch.steps.map(\.strategy) == [.untag])
        }
    }

    @Test("a text that names the object is enough")
    func named() async throws {
        let world = try await tagged()
        world.source.insert(
            "Setting", ["id": .text("1"), "value": .text("see \(Self.key) for more")])
        #expect(try strategies(try await world.audit(), world) == [.untag])
    }

    @Test("so is a doubt: a missing reference may mean it in another spelling")
    func undecided() async throws {
        let world = try await tagged()
        world.write(song: "other", ["cover": .text(Self.key.uppercased())])
        let audit = try await world.audit()
        #expect(audit.findings.about(Self.key)?.verdict == .undecided)
        #expect(try strategies(audit, world) == [.untag])
    }

    @Test("and a history that names it, or that its key is ignored since")
    func needless() async throws {
        let changes = [
            ("    sqlite: ./app.sqlite\n", "    notReferences: [Setting]"),
            ("    quarantine: .q/\n", "    ignore: [\"photo*\"]"),
        ]
        for (place, change) in changes {
            let world = try await tagged()
            world.source.insert(
                "Setting", ["id": .text("1"), "value": .text(Self.key)])
            let text = Sample.file(rest: Self.tagging)
                .replacing(place, with: place + change + "\n")
            let other = try OtherAuditor(world, text)
            #expect(try await other.audit().untagging.count == 1, "\(change)")
        }
    }

    @Test("an orphan keeps its tag, also while an upload to its key is open")
    func orphan() async throws {
        let world = try await tagged()
        #expect(try await world.audit().untagging.isEmpty)
        world.bucket.upload(Self.key, id: "u", begun: world.clock.now)
        let audit = try await world.audit()
        #expect(audit.findings.about(Self.key)?.verdict == .explained)
        #expect(audit.untagging.isEmpty)
    }

    @Test("of what the rule removed nothing is taken off, be it referenced or not")
    func gone() async throws {
        let world = try await tagged()
        world.bucket.remove(ObjectKey(Self.key))
        #expect(try await world.audit().untagging.isEmpty)
        takeUp(world)
        #expect(try await world.audit().untagging.isEmpty)
    }

    @Test("an upload to the key has no tag: the journal notes it as off")
    func uploadedAnew() async throws {
        let world = try await tagged()
        world.object(Self.key, at: world.clock.now)
        takeUp(world)
        let results = try await world.auditAndRepair()
        #expect(results.map(\.reason) == ["the tag was off already"])
        #expect(try await world.audit().untagging.isEmpty)
    }

    @Test("of an object that goes between plan and repair, too")
    func goesMeanwhile() async throws {
        let world = try await tagged()
        takeUp(world)
        let plan = try world.plan(try await world.audit())
        world.bucket.remove(ObjectKey(Self.key))
        #expect(try await world.repair(plan).map(\.reason) == ["the object is gone"])
        #expect(try world.ledger().openIntents().isEmpty)
    }

    @Test("whenever the program dies, the next repair has the tag off")
    func killed() async throws {
        for border in 0..<6 {
            let world = try await tagged()
            takeUp(world)
            let plan = try world.plan(try await world.audit())
            // Without its six borders the program would die where nobody waits for it.
            try #require(plan.steps.map(\.strategy) == [.untag])
            await world.untilDeath(atBorder: world.script.borders.count + border) {
                try await world.repair(plan)
            }
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            try await world.auditAndRepair()
            #expect(world.bucket.tagged(Self.key) == nil, "at \(border)")
            #expect(try await world.audit().untagging.isEmpty, "at \(border)")
            world.remove()
        }
    }

    @Test("an undo that is resumed behind the end of its object ends")
    func resumedBehindTheEnd() async throws {
        let world = try await tagged()
        world.script.fail(.before, .untag)
        // Also the look afterwards, so that the intent stays open.
        world.script.fail(.before, .tagValue, 2)
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.failed])
        #expect(try world.ledger().openIntents().count == 1)
        world.bucket.remove(ObjectKey(Self.key))
        world.script.fail(.before, .tagValue, 3)
        #expect(try await world.resume().map(\.outcome) == [.done])
        #expect(try world.ledger().openIntents().isEmpty)
    }

    // MARK: What Mooring itself takes into use

    /// Another policy over the world's ledger, and its plan carried out.
    private func repair(_ world: World, _ rest: String) async throws -> [StepResult] {
        let other = try OtherAuditor(world, Sample.file(rest: rest))
        let plan = try other.plan(try await other.audit())
        let job = try other.job()
        let run = try world.begin(job, "repair")
        var results: [StepResult] = []
        try await RepairStage(try await world.rights(job), run: run.id).run(
            try GuardedPlan(checking: plan, job, except: run.id)
        ) { results.append($0) }
        _ = await job.giveLeasesBack()
        return results
    }

    @Test(
        "the tag is off before a record is made to mean the object, or it goes to quarantine",
        arguments: [Strategy.relink, .quarantine])
    func before(strategy: Strategy) async throws {
        let world = try await tagged(holding: nil)
        world.script.fail(.before, .untag)
        let policy = "repair: {orphan: \(strategy.rawValue)}"
        let refused = try await repair(world, policy)
        #expect(refused.map(\.outcome) == [.failed])
        #expect(refused[0].reason?.hasPrefix("its tag could not be taken off") == true)
        #expect(world.cover(Self.key) == nil && world.has(Self.key))
        world.clock.advance(.seconds(1))
        let results = try await repair(world, policy)
        #expect(results.map(\.outcome) == [.done] && results[0].step.strategy == strategy)
        #expect(world.bucket.tagged(Self.key) == nil)
        #expect((world.cover(Self.key) == Self.key) == (strategy == .relink))
    }

    @Test("and before a reference is made to mean it by repoint")
    func repoint() async throws {
        let world = try await tagged(holding: nil)
        world.song("lost", cover: Self.key.uppercased())
        world.clock.advance(.days(30))
        let policy = "repair: {orphan: keep, dangling: repoint}"
        let other = try OtherAuditor(world, Sample.file(rest: policy))
        var plan = try other.plan(try await other.audit())
        // The doubt alone takes it off; here only what repoint does by itself is looked at.
        plan.steps.removeAll { $0.strategy == .untag }
        try #require(plan.steps.map(\.strategy) == [.repoint])
        let job = try other.job()
        let run = try world.begin(job, "repair")
        try await RepairStage(try await world.rights(job), run: run.id).run(
            try GuardedPlan(checking: plan, job, except: run.id)
        ) {
            #expect($0.outcome == .done, "\($0)")
        }
        #expect(world.bucket.tagged(Self.key) == nil)
        #expect(world.cover("lost") == Self.key)
    }

    @Test("what the rule hid and a record references comes back without the tag")
    func undeleted() async throws {
        let world = try await tagged(rest: "repair: {orphan: tag, dangling: restore}")
        world.bucket.remove(ObjectKey(Self.key))
        takeUp(world)
        world.clock.advance(.days(5))
        let results = try await world.auditAndRepair()
        #expect(results.map(\.step.strategy) == [.restore])
        #expect(results.map(\.outcome) == [.done])
        #expect(world.has(Self.key) && world.bucket.tagged(Self.key) == nil)
    }

    @Test("without versions nothing is tagged unless no device takes an orphan up again")
    func relinkNever() async throws {
        let possible = try await world(holding: "keeper", .s3(.never, deletes: .honoured))
        let finding = try await possible.audit().findings.about(Self.key)
        #expect(finding?.needs?.proof == "relink: never")
        let never = try await world(
            holding: "keeper", .s3(.never, deletes: .honoured), race: ", relink: never")
        _ = try await never.audit()
        never.clock.advance(Sample.grace + .hours(1))
        #expect(try strategies(try await never.audit(), never) == [.tag])
    }
}
