import GRDBSQLite
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

/// A ledger as versions before its tenth migration left it: a key was quarantined twice, and the
/// second time into the place of the first run, whose copy was taken for its own.
@Suite("A ledger whose steps mixed two runs' quarantines")
struct UpgradedLedgerTests {
    private let first = RunID(startingAt: World.start - .days(40))
    private let second = RunID(startingAt: World.start - .days(8))

    /// A world with the live object as it was before the second run, or without it.
    private func prepared(isMoved: Bool, outcome: StepOutcome?) throws -> World {
        let world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.bucket.become(BucketKind.copies.traits)
        world.song("keeper", cover: "keeper", owner: "me")
        world.upload("keeper", "keeper")
        for number in 0..<10 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.upload("album-\(number)", "album")
        }
        world.bucket.put(ObjectKey("gone"), Array("one".utf8), etag: "of one", at: World.longAgo)
        let version = try #require(world.bucket.objects[ObjectKey("gone")]).version
        if isMoved { world.bucket.remove(ObjectKey("gone")) }
        world.bucket.hold(ObjectKey("gone"), run: first, Array("one".utf8), etag: "of one")
        let ledger = try world.ledger()
        for (run, place, outcome) in [(first, nil, .done), (second, first, outcome)] {
            var summary = RunSummary(
                id: run, command: "run", programVersion: "0.1.0",
                startedAt: run.startedAt ?? World.start, configuration: "")
            summary.status = .complete
            try ledger.begin(summary)
            let entry = try ledger.intend(
                JournalEntry(
                    run: run, plan: nil, step: step(version, into: place),
                    intendedAt: summary.startedAt))
            if let outcome {
                try ledger.conclude(
                    entry.number, outcome: outcome, reason: nil, at: summary.startedAt)
            }
        }
        try countClean(world, ledger)
        try downgrade(world.folder + "/ledger")
        return world
    }

    private func step(_ version: ObjectVersion, into run: RunID?) -> PlanStep {
        let finding = FindingIdentity.object(.orphan, bucket: "media", key: ObjectKey("gone"))
        return PlanStep(
            id: "quarantine-\(finding.prefix(12))", hash: "", strategy: .quarantine,
            finding: finding, bucket: "media", key: ObjectKey("gone"), record: nil,
            precondition: Precondition(object: version, quarantinedBy: run)
        ).sealed()
    }

    // Looks that saw no reference before the second run, as its version would have counted them.
    private func countClean(_ world: World, _ ledger: Ledger) throws {
        let held = try #require(world.bucket.held.first)
        for (number, days) in ([30, 20, 10] as [Int64]).enumerated() {
            let run = RunID(startingAt: World.start - .days(days))
            try ledger.watch(
                [
                    (
                        bucket: "media",
                        object: QuarantinedObject(
                            key: held.key, run: held.run, version: held.stored.version),
                        referenced: false
                    )
                ], at: World.start - .days(days), run: run)
            try ledger.closeWatch(run: run, bucket: "media")
            #expect(try ledger.quarantineWatch(bucket: "media").first?.cleanRuns == number + 1)
        }
    }

    // Takes back what the migrations from the tenth on made.
    private func downgrade(_ path: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let sql = """
            DROP TABLE quarantine;
            DELETE FROM grdb_migrations WHERE identifier LIKE '010-%';
            """
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func states(_ world: World) async throws -> [Pipeline.QuarantineState] {
        try await world.audit().quarantine
    }

    @Test("what was put there last is kept for its own retention, and its looks begin anew")
    func retention() async throws {
        let world = try prepared(isMoved: true, outcome: .done)
        #expect(try await states(world).map(\.need?.proof) == ["retention"])
        world.clock.advance(.days(23))
        let need = try await states(world).first?.need?.proof
        #expect(need?.contains("complete runs") == true)
        for _ in 0..<5 {
            world.clock.advance(Sample.grace + .hours(1))
            _ = try await states(world)
        }
        #expect(try await states(world).map(\.need) == [nil])
    }

    @Test("undo of the second run finds it where it lies")
    func undo() async throws {
        let world = try prepared(isMoved: true, outcome: .done)
        #expect(try await world.undo(second).map(\.outcome) == [.done])
        #expect(world.content("gone") == "one" && world.bucket.held.isEmpty)
    }

    @Test("a rebuild takes neither run's entry for lost")
    func rebuild() async throws {
        let world = try prepared(isMoved: true, outcome: .done)
        let job = try world.job()
        let quarantine = try await RebuildStage.list(job.buckets, job.interruption)
        #expect(try RebuildStage(job: job).missing(quarantine).isEmpty)
    }

    @Test("a second move that was killed before it deleted leaves the object where it is")
    func killedBefore() async throws {
        let world = try prepared(isMoved: false, outcome: nil)
        #expect(try await world.resume().map(\.outcome) == [.stale])
        #expect(world.content("gone") == "one" && world.bucket.held.count == 1)
        // The next one goes to its own place.
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        try await world.auditAndRepair()
        #expect(world.runs(holding: "gone") == [first, try world.lastRun()])
    }

    @Test("nor is it told as done where another object came in its place, beside the older copy")
    func killedBeforeAnother() async throws {
        let world = try prepared(isMoved: false, outcome: nil)
        world.bucket.put(ObjectKey("gone"), Array("two".utf8), etag: "of two", at: World.longAgo)
        #expect(try await world.resume().map(\.outcome) == [.stale])
        #expect(world.content("gone") == "two" && world.bucket.held.map(\.run) == [first])
    }

    @Test("one that was killed behind it is taken back where a record needs the object")
    func killedBehind() async throws {
        let world = try prepared(isMoved: true, outcome: nil)
        world.song("gone", cover: "gone")
        _ = try await world.resume()
        _ = try await world.audit()
        try await world.auditAndRepair()
        #expect(world.content("gone") == "one")
        #expect(try world.ledger().openIntents().isEmpty)
    }

    @Test("a saved plan of such a version does nothing")
    func plan() async throws {
        let world = try prepared(isMoved: false, outcome: .stale)
        let audit = try await world.audit()
        let version = try #require(world.bucket.objects[ObjectKey("gone")]).version
        var plan = try world.plan(audit)
        plan.id = "old"
        plan.steps = [step(version, into: first)]
        try world.ledger().save(plan)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason?.contains("plan again") == true)
        #expect(world.content("gone") == "one" && world.bucket.held.count == 1)
    }
}
