import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

/// What Mooring took away because a person asked for it is no loss that a guard has to ask about.
@Suite("Losses that a deletion request made")
struct ErasedLossTests {
    /// A hundred songs, two in five of them somebody's who asks to be forgotten.
    private func world(_ rest: String) throws -> World {
        let world = try PlaceGuardTests.world(rest, cover: "level: private")
        for number in 0..<100 {
            let owner = number < 40 ? "me" : "you"
            world.song("s\(number)", cover: "s\(number)", owner: owner)
            world.object("private/\(owner)/s\(number)")
        }
        return world
    }

    /// Erases what is theirs; the receipt is what later runs know of it.
    private func erase(_ world: World, keepsReceipt: Bool = true) async throws {
        let job = try world.job()
        let run = try world.begin(job, "erase")
        let scope = try ErasureScope(
            .identity(Array("me".utf8)), bucket: nil, levels: AccessLevel.amplify, buckets: [])
        let stage = EraseStage(job: job, run: run.id, scope: scope)
        var outcomes: Set<StepOutcome?> = []
        try await stage.run(
            try await stage.survey().items, by: try await world.rights(job)
        ) { outcomes.insert($0.outcome) }
        #expect(outcomes == [.done])
        _ = try job.ledger.erase(scope, by: run.id, at: job.clock())
        if keepsReceipt { try job.ledger.keep(erasure: scope, by: run.id, at: job.clock()) }
        var summary = run
        summary.status = .complete
        try job.ledger.update(summary)
    }

    private func dangling(_ audit: Pipeline.Audit) -> [Finding] {
        audit.findings.filter { $0.kind == .dangling }
    }

    @Test("no fewer objects than before, however many they were")
    func objects() async throws {
        let world = try world("repair: {dangling: keep}")
        _ = try await world.audit()
        try await erase(world)
        for _ in 0..<3 {
            world.clock.advance(.days(1))
            #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        }
    }

    @Test("what goes beside them is one, counted against what is left")
    func lossBeside() async throws {
        let world = try world("repair: {dangling: keep}")
        // Orphans of theirs that lie in quarantine were taken away before.
        for number in 0..<3 { world.object("private/me/o\(number)") }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.bucket.held.count == 3)
        try await erase(world)
        #expect(world.bucket.held.isEmpty && world.bucket.objects.count == 60)
        for number in 40..<60 { world.bucket.remove(ObjectKey("private/you/s\(number)")) }
        let audit = try await world.audit()
        #expect(PlaceGuardTests.refused(audit) == ["objectDrop:media"])
        let told = try #require(PlaceGuardTests.refusal(world, audit))
        #expect(told.description.contains("33.33% (60 to 40)"), "\(told)")
    }

    @Test("what was erased out of quarantine had left the bucket before")
    func held() async throws {
        let world = try world("repair: {dangling: keep}")
        for number in 0..<3 { world.object("private/me/o\(number)") }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        _ = try await world.audit()
        for number in 0..<40 { world.bucket.remove(ObjectKey("private/me/s\(number)")) }
        world.clock.advance(.hours(25))
        // Three went, and from quarantine: the forty are somebody else's doing.
        try await erase(world)
        let audit = try await world.audit()
        let told = try #require(PlaceGuardTests.refusal(world, audit))
        #expect(told.description.contains("objectDrop at media is 40% (100 to 60)"), "\(told)")
    }

    @Test("references to them are no doubt, and one accepted command nulls them")
    func references() async throws {
        let world = try world("")
        _ = try await world.audit()
        try await erase(world)
        let audit = try await world.audit()
        #expect(dangling(audit).count == 40)
        #expect(dangling(audit).allSatisfy { $0.verdict == .settled && $0.cause == .missing })
        #expect(PlaceGuardTests.refused(audit) == ["recordShare:app.Song.cover"])
        let name = "recordShare:app.Song.cover"
        let told = try #require(PlaceGuardTests.refusal(world, audit))
        #expect(told.next.contains("--accept \(name)=40%"), "\(told)")
        let accepted = Acceptance(texts: [name: "40%"], numbers: [name: 0.4])
        let results = try await world.repair(try world.plan(audit, accepting: accepted))
        #expect(results.count == 40 && results.allSatisfy { $0.outcome == .done })
        let after = try await world.audit()
        #expect(PlaceGuardTests.refused(after).isEmpty && dangling(after).isEmpty)
    }

    @Test("they take no part of the day's share of orphans")
    func share() async throws {
        let world = try world("limits: {orphanShare: 10%}")
        for number in 0..<4 { world.object("private/you/o\(number)") }
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await erase(world)
        let audit = try await world.audit()
        #expect(audit.tally.acts[PlacedShare(.orphanShare, .bucket("media"))] == 4)
        #expect(!PlaceGuardTests.refused(audit).contains("orphanShare:media"))
    }

    @Test("without a receipt they vanished, as they do where nobody asked")
    func vanished() async throws {
        let world = try world("")
        _ = try await world.audit()
        try await erase(world, keepsReceipt: false)
        let audit = try await world.audit()
        let found = dangling(audit)
        #expect(found.count == 40)
        #expect(found.allSatisfy { $0.verdict == .undecided && $0.cause == .vanished })
        let words =
            "of 40 references below 'private/me/' only 0 still have their objects: most likely a "
            + "folder or a disk is gone; if an account was deleted, mooring erase says so, and if "
            + "it is meant otherwise: mooring audit --accept 'vanished:private/me/=40'"
        #expect(found.allSatisfy { $0.evidence.contains(words) }, "\(found[0].evidence)")
        #expect(
            audit.summary.notes.contains(
                "40 dangling references below 1 prefix stay undecided, cause vanished, since "
                    + "nearly everything there is gone at once: mooring findings --kind dangling "
                    + "tells where and how to accept it"), "\(audit.summary.notes)")
    }
}
