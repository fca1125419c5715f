import MooringConfiguration
import MooringFiles
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("What a store lacks decides what is done")
struct StoreLackTests {
    private static let weak = StoreTraits.s3(.never, deletes: .ignored)
    private static let image = "a-0b9f6f3e-3c1c-4d59-9d0f-2f1f8c7a6b5d"

    // Where no field may mean any key, an album's images are used once.
    private static let app = """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                version: version
                changed: changed
                files: [{field: cover, template: "covers/{id}"}]
              - model: Album
                version: version
                changed: changed
                files: [{field: images, list: true, template: "{id}-{uuid}"}]
        buckets:
          - name: media
            directory: ./media
            quarantine: .q/
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        """

    private func world(_ traits: StoreTraits = weak, rest: String = "") throws -> World {
        let world = try World(Self.app + "\n" + rest)
        world.bucket.become(traits)
        world.song("keeper", cover: "covers/keeper")
        world.object("covers/keeper")
        world.song("s", cover: nil)
        world.album("a", "[]")
        world.object("covers/s")
        world.object(Self.image)
        return world
    }

    @Test("a store that was never tried is planned for, and the repair decides")
    func untried() async throws {
        let world = try world()
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.count == 2)
        #expect(
            StoreSentences.untried(world.bucket, try KnownStores([world.bucket], world.ledger()))?
                .contains("has not been tried; mooring doctor --probe") == true)
        let results = try await world.repair(plan)
        let outcomes = Dictionary(
            results.map { ($0.step.key?.text ?? "", $0.outcome) }, uniquingKeysWith: { $1 })
        #expect(outcomes == [Self.image: .done, "covers/s": .stale])
        #expect(results.contains { $0.reason?.hasPrefix("refused: the store keeps no") == true })
        #expect(world.has("covers/s") && !world.has(Self.image))
    }

    @Test("what was seen is kept, and the next audit keeps what its store cannot remove safely")
    func known() async throws {
        let world = try world()
        let sentences = try await CapabilityStage(job: try world.job()).tryOut()
        #expect(sentences.count == 1)
        #expect(
            sentences[0].hasPrefix(
                "quarantine is refused in bucket media, but for keys that are used once"))
        let known = try KnownStores([world.bucket], world.ledger())
        #expect(known["media"] == Self.weak.capabilities)
        let audit = try await world.audit()
        let kept = try #require(audit.findings.about("covers/s"))
        #expect(kept.verdict == .settled && kept.action == .keep)
        #expect(kept.needs?.proof.hasPrefix("a store that can quarantine") == true)
        #expect(audit.findings.about(Self.image)?.action == .quarantine)
        #expect(
            audit.summary.notes.contains {
                $0.hasPrefix("1 finding kept: quarantine is refused in bucket media: the store ")
            })
        #expect(try world.plan(audit).steps.map(\.key) == [ObjectKey(Self.image)])
    }

    @Test("a bucket with versions, or with conditional deletes, takes every quarantine")
    func strong() async throws {
        for traits in [
            StoreTraits.s3(.enabled, deletes: .ignored), .s3(.never, deletes: .honoured),
        ] {
            let world = try world(traits)
            #expect(try await world.auditAndRepair().map(\.outcome) == [.done, .done])
            #expect(world.bucket.trials > 0)
        }
    }

    @Test("a trial that fails fails every act, and changes nothing")
    func noTrial() async throws {
        var traits = Self.weak
        traits.capabilities = nil
        let world = try world(traits)
        #expect(
            try await CapabilityStage(job: try world.job()).tryOut().first?.contains(
                "could not be tried, so nothing is changed") == true)
        let results = try await world.auditAndRepair()
        #expect(results.map(\.outcome) == [.failed, .failed])
        let untried = "what its store can do could not be tried: media: a planned failure"
        #expect(results.allSatisfy { $0.reason?.hasPrefix(untried) == true })
        #expect(world.has("covers/s") && world.has(Self.image))
    }

    @Test("deleting at once is refused where the same bytes uploaded again are not told apart")
    func deletion() async throws {
        let rest = "repair: {orphan: delete}"
        let text = Self.app.replacing("preset: standard", with: "preset: standard, relink: never")
        for isKnown in [false, true] {
            let world = try World(text + "\n" + rest)
            world.bucket.become(.s3(.never, deletes: .honoured))
            world.song("keeper", cover: "covers/keeper")
            world.object("covers/keeper")
            world.song("s", cover: nil)
            world.object("covers/s")
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(1))
            if isKnown { _ = try await CapabilityStage(job: try world.job()).tryOut() }
            let audit = try await world.audit()
            // The listing has told of no versions, tried or not.
            #expect(audit.findings.about("covers/s")?.action == .keep)
            if isKnown { #expect(throws: Refusal.self) { try world.plan(audit) } }
            #expect(world.has("covers/s"))
        }
    }

    @Test("a store that says it keeps versions, and does not, is named with what was seen")
    func versionsDoubt() async throws {
        var traits = Self.weak
        traits.capabilities?.versionsDoubt = "a deletion left no marker"
        let sentences = try await CapabilityStage(job: try world(traits).job()).tryOut()
        #expect(
            sentences.contains(
                "bucket media says that it keeps versions, and they cannot be relied on: a "
                    + "deletion left no marker; it is treated as one that keeps none"))
    }

    @Test("what a policy's strategies lack is told of each store, tried or not, and each copy")
    func lacks() async throws {
        let world = try world()
        func lacks(_ strategy: Strategy) throws -> [String] {
            StoreLacks(
                records: [world.source], buckets: [world.bucket],
                configuration: world.configuration,
                known: try KnownStores([world.bucket], world.ledger())
            ).of(strategy)
        }
        #expect(
            try lacks(.quarantine) == [
                "bucket media (s3) has not been tried; mooring doctor --probe tells what it can "
                    + "do"
            ])
        _ = try await CapabilityStage(job: try world.job()).tryOut()
        let tried = try lacks(.quarantine)
        #expect(tried.count == 1)
        #expect(
            tried[0].hasPrefix(
                "bucket media (s3) takes it for keys that are used once only: the store "))
        let copies = StoreLacks(
            records: [
                FakeRecordSource(
                    "app", tables: [], script: world.script, clock: world.clock, isLive: false)
            ], buckets: [], configuration: world.configuration,
            known: try KnownStores([], world.ledger()))
        for (strategy, lack) in [
            (Strategy.quarantine, "which does not tell what it references now"),
            (.requery, "which nobody can ask again"), (.nullify, "which is never written"),
        ] {
            let words = "source app (sqlite) is a copy, \(lack)"
            #expect(copies.of(strategy).contains(words), "\(copies.of(strategy))")
        }
    }

    @Test("a move back that is no single act says so")
    func caveat() async throws {
        let world = try world()
        try await world.auditAndRepair()
        let undone = try await world.undo(try world.lastRun())
        #expect(undone.map(\.outcome) == [.done])
        #expect(undone[0].reason?.contains("looked first, then written") == true)
        #expect(world.has(Self.image))
    }

    @Test("another store under the name of a tried one is not known")
    func otherStore() async throws {
        let world = try world()
        _ = try await CapabilityStage(job: try world.job()).tryOut()
        world.bucket.change { $0.kind = "s3-elsewhere" }
        #expect(try KnownStores([world.bucket], world.ledger())["media"] == nil)
    }

    @Test("a listing is tried for nothing, and has no clock")
    func copies() async throws {
        let copy: any Bucket = ListingBucket(name: "media", file: "none")
        let trial = await #expect(throws: StoreError.self) { _ = try await copy.tryOut() }
        #expect(trial?.reason == "a copy is not tried" && trial?.isRefusal == true)
        let clock = await #expect(throws: StoreError.self) { _ = try await copy.clockDifference() }
        #expect(clock?.reason == "a copy has no clock" && clock?.isRefusal == true)
    }
}
