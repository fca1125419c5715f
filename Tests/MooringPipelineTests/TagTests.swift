import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Tagging orphans for a lifecycle rule")
struct TagTests {
    private func world(
        _ traits: StoreTraits = .s3(.enabled, deletes: .honoured), race: String = ""
    ) async throws -> World {
        let world = try World(Sample.file(race: race, rest: "repair: {orphan: tag}"))
        world.bucket.become(traits)
        world.song("k", cover: "keeper")
        world.song("other", cover: "keeper")
        world.object("keeper")
        world.object("k")
        _ = try await CapabilityStage(job: try world.job()).tryOut()
        return world
    }

    @Test("one run does where versions are on, and undo takes the tag off")
    func reversible() async throws {
        let world = try await world()
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.tag])
        #expect(plan.steps[0].precondition.basis.needsVersions)
        #expect(try await world.repair(plan).map(\.outcome) == [.done])
        let run = try world.lastRun()
        #expect(world.bucket.tagged("k") == run.text && world.has("k"))
        #expect(try await world.undo(run).map(\.outcome) == [.done])
        #expect(world.bucket.tagged("k") == nil)
        #expect(try await world.undo(run).map(\.reason) == ["it was taken back before"])
    }

    @Test("where no versions are kept it needs two runs, and a plan made for versions is stale")
    func irreversible() async throws {
        let world = try await world(
            .s3(.never, deletes: .honoured), race: ", relink: never")
        let audit = try await world.audit()
        #expect(audit.findings.about("k")?.needs?.proof == "second sighting")
        #expect(try world.plan(audit).steps.isEmpty)
        let versioned = try await self.world()
        let plan = try versioned.plan(try await versioned.audit())
        versioned.bucket.change { $0.capabilities?.versioning = .suspended }
        let results = try await versioned.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(
            results.map(\.reason) == [
                "the bucket keeps no versions any more, so it could not come back"
            ])
        #expect(versioned.bucket.tagged("k") == nil)
    }

    @Test("a plan says beside its steps what is for good, and which rule the tags wait for")
    func notes() async throws {
        let world = try await world()
        let plan = try world.plan(try await world.audit())
        func lines(_ steps: [PlanStep], _ run: RunID?) throws -> [String] {
            PlanNotes(steps, [world.bucket], try KnownStores([world.bucket], world.ledger()))
                .lines(run: run)
        }
        let rule = try lines(plan.steps, nil)
        #expect(
            rule.first
                == "to remove what is tagged in media, add this lifecycle rule (RUN is the "
                + "repair's run):")
        for words in [
            "Days counts from an object's upload, so the rule acts from the next midnight UTC on:",
            "while it stands run mooring daily, and take it out once the objects are gone",
        ] {
            #expect(rule.contains(words))
        }
        #expect(!rule.contains("what that rule removes cannot be taken back"))
        var lasting = plan.steps[0]
        lasting.precondition.object = lasting.precondition.object.map { version in
            ObjectVersion(
                size: version.size, etag: version.etag, lastModified: version.lastModified,
                versionID: "null")
        }
        #expect(
            try lines([lasting], plan.run).last
                == "what that rule removes cannot be taken back")
        lasting.strategy = .delete
        #expect(
            try lines([lasting], nil).first == "1 step cannot be taken back once done")
    }

    @Test("what is tagged is not tagged again, and the journal stays as it is")
    func again() async throws {
        let world = try await world()
        try await world.auditAndRepair()
        let (run, count) = (try world.lastRun(), try entries(world).count)
        #expect(try await world.auditAndRepair().map(\.outcome) == [.confirmed])
        #expect(world.bucket.tagged("k") == run.text)
        #expect(try entries(world).count == count)
    }

    @Test("a store without tags keeps the orphan")
    func noTags() async throws {
        var traits = StoreTraits.s3(.enabled, deletes: .honoured)
        traits.capabilities?.tagging = .ignored
        let world = try await world(traits)
        #expect(try await world.audit().findings.about("k")?.action == .keep)
        let folder = try await self.world(StoreTraits())
        #expect(try await folder.audit().findings.about("k")?.action == .keep)
    }

    @Test("at every border, an owner that takes the object up takes the tag off")
    func injected() async throws {
        for border in 0..<12 {
            let world = try await world()
            let plan = try world.plan(try await world.audit())
            let before = world.script.borders.count
            let scanned = try await scanBorders()
            world.script.at(border: before + scanned + border) { [weak world] in
                world?.write(song: "k", ["cover": .text("k")])
            }
            try await world.repair(plan)
            // The last look at the owners stands before the eleventh border.
            if border <= 10 { #expect(world.bucket.tagged("k") == nil, "at \(border)") }
        }
    }

    @Test("whenever the program dies, the journal says what the store shows")
    func killed() async throws {
        let scanned = try await scanBorders()
        for border in 0..<12 {
            let world = try await world()
            let plan = try world.plan(try await world.audit())
            await world.untilDeath(atBorder: world.script.borders.count + scanned + border) {
                try await world.repair(plan)
            }
            try await world.resume()
            #expect(try world.ledger().openIntents().isEmpty)
            let done = try entries(world).contains { $0.outcome == .done }
            #expect(done == (world.bucket.tagged("k") != nil), "at \(border)")
            world.remove()
        }
    }

    private func entries(_ world: World) throws -> [JournalEntry] {
        try world.ledger().journal(about: "media", key: ObjectKey("k"))
    }

    /// How many borders the repeated pass B passes before the step, which has twelve more.
    private func scanBorders() async throws -> Int {
        let world = try await world()
        let plan = try world.plan(try await world.audit())
        let before = world.script.borders.count
        try await world.repair(plan)
        return world.script.borders.count - before - 12
    }
}
