import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// What Mooring itself took a reference from is no orphan of anybody else's making.
@Suite("Objects that come back behind a reference that was nulled")
struct TakenReferenceTests {
    private static let week = Duration.days(7)

    /// A world whose song's and album's references to missing objects were nulled.
    private func nulled() async throws -> (world: World, run: RunID) {
        let world = try World()
        world.song("r", cover: "k")
        world.album("a", #"["a-00000000-0000-4000-8000-000000000001", "keeper"]"#)
        world.object("keeper")
        let results = try await world.run(waiting: .zero)
        #expect(results.map(\.outcome) == [.done, .done])
        let run = try #require(try world.ledger().runs(limit: 1).first)
        return (world, run.id)
    }

    private static let keys = ["k", "a-00000000-0000-4000-8000-000000000001"]

    @Test("it stays where it is, whatever its age, until the reference is given back")
    func comesBack() async throws {
        let (world, run) = try await nulled()
        for key in Self.keys { world.object(key) }
        for _ in 0..<5 {
            world.clock.advance(Self.week)
            let findings = try await world.audit().findings
            for key in Self.keys {
                let finding = try #require(findings.about(key))
                #expect(finding.verdict == .undecided && finding.action == .keep)
                #expect(finding.evidence.last?.contains("run \(run.text) took away") == true)
            }
        }
        try await world.undo(run)
        #expect(try await world.audit().findings.allSatisfy { $0.kind != .orphan })
    }

    @Test("what an earlier version put into quarantine is not swept, until the act is taken back")
    func held() async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("k")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await world.run(waiting: .zero).map(\.outcome) == [.done])
        let ledger = try world.ledger()
        let run = try #require(try ledger.runs(limit: 1).first).id
        let proof = "no reference to it that a run took away"
        #expect(try await world.audit().quarantine.first?.need?.proof != proof)
        var undone: Int64?
        for isTaken in [true, false] {
            let step = PlanStep(
                id: "n", hash: "", strategy: .nullify, finding: "n", bucket: "media",
                key: ObjectKey("k"), record: nil, precondition: Precondition())
            let entry = try ledger.intend(
                JournalEntry(
                    run: run, plan: nil, step: step, intendedAt: world.clock.now, undoes: undone))
            try ledger.conclude(entry.number, outcome: .done, reason: nil, at: world.clock.now)
            undone = entry.number
            let state = try #require(try await world.audit().quarantine.first)
            #expect((state.need?.proof == proof) == isTaken)
        }
    }

    @Test(
        "also where another system spells it otherwise, or it comes below another folder",
        arguments: [
            "covers/Cafe\u{301} photo.jpg", "covers/caf\u{E9} PHOTO.jpg",
            "covers/Caf%C3%A9_photo.jpg",
            "backup/covers/Caf\u{E9} photo.jpg",
        ])
    func otherSpelling(_ key: String) async throws {
        let world = try World()
        world.song("r", cover: "covers/Caf\u{E9} photo.jpg")
        world.song("s", cover: "covers/keeper.jpg")
        world.object("covers/keeper.jpg")
        #expect(try await world.run(waiting: .zero).map(\.outcome) == [.done])
        world.object(key)
        world.object("covers/Tea photo.jpg")
        for _ in 0..<3 {
            world.clock.advance(Self.week)
            let findings = try await world.audit().findings
            let finding = try #require(findings.about(key))
            #expect(finding.verdict == .undecided)
            #expect(finding.evidence.contains { $0.contains("took away a reference") })
            #expect(findings.about("covers/Tea photo.jpg")?.verdict == .settled)
        }
    }

    @Test("a bucket's new name does not make it forget", arguments: ["photos", "other"])
    func renamedBucket(_ bucket: String) async throws {
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        _ = try await world.audit()
        let ledger = try world.ledger()
        let run = try #require(try ledger.runs(limit: 1).first).id
        let step = PlanStep(
            id: "n", hash: "", strategy: .nullify, finding: "n", bucket: bucket,
            key: ObjectKey("k"), record: nil, precondition: Precondition())
        let entry = try ledger.intend(
            JournalEntry(run: run, plan: nil, step: step, intendedAt: world.clock.now, undoes: nil))
        try ledger.conclude(entry.number, outcome: .done, reason: nil, at: world.clock.now)
        world.object("k")
        world.clock.advance(Self.week)
        #expect(try await world.audit().findings.about("k")?.verdict == .undecided)
    }

    @Test("an object of another key, or in another bucket, is nobody's")
    func others() async throws {
        let (world, _) = try await nulled()
        world.object("k2")
        world.clock.advance(Self.week)
        #expect(try await world.audit().findings.about("k2")?.verdict == .settled)
    }
}
