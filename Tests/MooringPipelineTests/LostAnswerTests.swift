import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

/// Acts whose answer did not come: carried out or not, or carried out long after the caller gave
/// up.
@Suite("Answers that are lost")
struct LostAnswerTests {
    /// A world whose only finding is the settled reference of `r` to the missing `k`.
    private func dangling() async throws -> (world: World, plan: Plan) {
        let world = try World()
        world.song("r", cover: "k")
        world.song("other", cover: "keeper")
        world.object("keeper")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify])
        return (world, plan)
    }

    /// A world whose only finding is the settled orphan `k`.
    private func orphan() async throws -> (world: World, plan: Plan) {
        let world = try World(Sample.file(rest: "repair: {retention: 1d}"))
        world.song("other", cover: "keeper")
        world.object("keeper")
        world.object("k")
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.quarantine])
        return (world, plan)
    }

    private func version(_ world: World) -> FieldValue? {
        world.source.records("Song").first { $0["id"] == .text("r") }?["version"]
    }

    private func openCount(_ world: World) throws -> Int { try world.ledger().openIntents().count }

    // MARK: Writes

    @Test("a null write that comes late, when the object is there, is fenced off")
    func lateWrite() async throws {
        let (world, plan) = try await dangling()
        world.script.fail(.before, .update)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.stale])
        #expect(results[0].reason?.contains("nor can be any more") == true)
        world.object("k")
        #expect(try world.source.carryOutLate() == [.stale("the record is not as expected")])
        #expect(world.cover("r") == "k")
        #expect(version(world) == .integer(2))
        #expect(try openCount(world) == 0)
    }

    @Test("whenever the null write comes late, the reference to an object that is there survives")
    func lateWriteAtEveryBorder() async throws {
        var putBack = 0
        for border in 0..<16 {
            let (world, plan) = try await dangling()
            world.script.fail(.before, .update)
            world.script.at(border: world.script.borders.count + border) { [weak world] in
                world?.object("k")
                #expect(throws: Never.self) { try world?.source.carryOutLate() }
            }
            let results = try await world.repair(plan)
            world.object("k")
            try world.source.carryOutLate()
            #expect(world.cover("r") == "k", "at \(border)")
            #expect(try openCount(world) == 0)
            if results.map(\.outcome) == [.putBack] { putBack += 1 }
            // The object that comes early ends the step before it writes.
            world.script.mayMiss()
        }
        #expect(putBack > 1)
    }

    @Test(
        "a record without version and change time cannot be fenced off: its step stays open",
        arguments: [false, true])
    func noVersion(isLate: Bool) async throws {
        let world = try World(
            """
            version: 1
            ledger: ./ledger
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: Setting
                    files: [{field: value, bucket: media}]
            buckets:
              - name: media
                directory: ./media
                quarantine: .q/
            race: {preset: standard}
            limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
            """)
        world.source.insert("Setting", ["id": .text("1"), "value": .text("k")])
        world.source.insert("Setting", ["id": .text("2"), "value": .text("keeper")])
        world.object("keeper")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.nullify])
        world.script.fail(.before, .update)
        let results = try await world.repair(plan)
        #expect(results.map(\.outcome) == [.failed])
        #expect(results[0].reason?.contains("no version to fence it off by") == true)
        #expect(world.source.records("Setting").first?["value"] == .text("k"))
        // It may still come: the next run looks again, until it is too late for any request.
        #expect(try openCount(world) == 1)
        #expect(try await world.resume().map(\.outcome) == [.failed])
        #expect(try openCount(world) == 1)
        guard isLate else {
            world.clock.advance(.hours(1) + .seconds(1))
            #expect(try await world.resume().map(\.outcome) == [.stale])
            #expect(world.source.records("Setting").first?["value"] == .text("k"))
            #expect(try openCount(world) == 0)
            return
        }
        // It came, and the file too.
        world.source.set("Setting", Array("1".utf8), ["value": .null])
        world.object("k")
        #expect(try await world.resume().map(\.outcome) == [.putBack])
        #expect(world.source.records("Setting").first?["value"] == .text("k"))
        #expect(try openCount(world) == 0)
    }

    @Test("a record that cannot be read behind a lost answer is left to the next run")
    func unreadable() async throws {
        for side in [Side.before, .after] {
            let (world, plan) = try await dangling()
            world.script.fail(side, .update)
            world.script.fail(.before, .rows, 3)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [.failed])
            #expect(results[0].reason?.contains("the next run goes on from there") == true)
            #expect(try openCount(world) == 1)
            #expect(try await world.resume().map(\.outcome) == [side == .before ? .stale : .done])
            #expect(world.cover("r") == (side == .before ? "k" : nil))
            #expect(try openCount(world) == 0)
        }
    }

    @Test("a fence whose answer is lost is left to the next run, and is no harm")
    func lostFence() async throws {
        for side in [Side.before, .after] {
            let (world, plan) = try await dangling()
            world.script.fail(.before, .update, 1)
            world.script.fail(side, .update, 2)
            #expect(try await world.repair(plan).map(\.outcome) == [.failed])
            #expect(try openCount(world) == 1)
            #expect(try await world.resume().map(\.outcome) == [.stale])
            world.object("k")
            try world.source.carryOutLate()
            #expect(world.cover("r") == "k")
            #expect(version(world) == .integer(2))
            #expect(try openCount(world) == 0)
        }
    }

    @Test("a write that the database refused is a failure, and the record is left alone")
    func refused() async throws {
        let (world, plan) = try await dangling()
        let before = world.source.records("Song")
        world.script.fail(.before, .update, isRefusal: true)
        #expect(try await world.repair(plan).map(\.outcome) == [.failed])
        #expect(world.source.records("Song") == before)
        #expect(try openCount(world) == 0)
    }

    // MARK: Crashes

    @Test("behind a crash before the write was sent, the record is moved on once and no more")
    func crashBeforeWrite() async throws {
        let (world, plan) = try await dangling()
        let write = world.script.borders.count + 6
        await world.untilDeath(atBorder: write) { try await world.repair(plan) }
        #expect(world.script.borders[write].operation == .update)
        #expect(try openCount(world) == 1 && version(world) == .integer(1))
        // What the dead writer left in the readers' way is ended first.
        world.source.interruptWrite()
        #expect(try await world.resume().map(\.outcome) == [.stale])
        #expect(world.cover("r") == "k" && version(world) == .integer(2))
        #expect(try await world.resume().isEmpty)
        #expect(version(world) == .integer(2))
        world.remove()
    }

    @Test("behind a crash, a write that was under way comes before the next run, or never")
    func crashAndLateWrite() async throws {
        for isEarly in [false, true] {
            let (world, plan) = try await dangling()
            await world.untilDeath(atBorder: world.script.borders.count + 6) {
                try await world.repair(plan)
            }
            let change = try #require(try world.ledger().openIntents().first?.change)
            world.object("k")
            if isEarly { #expect(try await world.source.update(change) == .written) }
            #expect(try await world.resume().map(\.outcome) == [isEarly ? .putBack : .stale])
            #expect(try await world.source.update(change) != .written)
            #expect(world.cover("r") == "k")
            world.remove()
        }
    }

    // MARK: Moves

    @Test("a move that cannot be found out leaves its intent open, and the next run ends it")
    func unknownQuarantine() async throws {
        for side in [Side.before, .after] {
            let (world, plan) = try await orphan()
            world.script.fail(side, .quarantine)
            world.script.fail(.before, .headQuarantined)
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [.failed])
            #expect(results[0].reason?.contains("the next run goes on from there") == true)
            #expect(try openCount(world) == 1)
            #expect(try await world.resume().map(\.outcome) == [side == .before ? .stale : .done])
            #expect(world.has("k") == (side == .before))
            #expect(try openCount(world) == 0)
        }
    }

    @Test("an open move stays open while the quarantine cannot be looked into")
    func stillUnknown() async throws {
        let (world, plan) = try await orphan()
        world.script.fail(.after, .quarantine)
        for number in 1...3 { world.script.fail(.before, .headQuarantined, number) }
        #expect(try await world.repair(plan).map(\.outcome) == [.failed])
        for _ in 0..<2 {
            #expect(try await world.resume().map(\.outcome) == [.failed])
            #expect(try openCount(world) == 1)
        }
        world.write(song: "k", ["cover": .text("k")])
        #expect(try await world.resume().map(\.outcome) == [.putBack])
        #expect(world.has("k"))
    }

    @Test("a restore that cannot be found out is left to the next run", arguments: [true, false])
    func unknownRestore(isDone: Bool) async throws {
        let (world, plan) = try await orphan()
        try await world.repair(plan)
        world.script.fail(isDone ? .after : .before, .restore)
        world.script.fail(.before, .headQuarantined, 2)
        #expect(try await world.undo(try world.lastRun()).map(\.outcome) == [.failed])
        #expect(try openCount(world) == 1)
        #expect(try await world.resume().map(\.outcome) == [isDone ? .done : .stale])
        #expect(world.has("k") == isDone)
    }

    @Test("a sweep that cannot be found out is left to the next run", arguments: [true, false])
    func unknownSweep(isDone: Bool) async throws {
        let (world, plan) = try await orphan()
        try await world.repair(plan)
        for _ in 0..<30 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        let item = try #require(stage.items(try await world.audit().quarantine).first)
        world.script.fail(isDone ? .after : .before, .sweep)
        world.script.fail(.before, .headQuarantined)
        #expect(try await stage.sweep(item, by: try await world.rights(job)).outcome == .failed)
        #expect(try openCount(world) == 1)
        #expect(try await world.resume().map(\.outcome) == [isDone ? .done : .stale])
        #expect(world.bucket.held.isEmpty == isDone)
    }

    // MARK: Open intents

    @Test("an object whose reference an open step may have taken out is not removed")
    func openNulling() async throws {
        let (world, plan) = try await dangling()
        world.script.at(.after, .update) { [weak world] in world?.object("k") }
        world.script.fail(.after, .update)
        for number in 3...4 { world.script.fail(.before, .rows, number) }
        #expect(try await world.repair(plan).map(\.outcome) == [.failed])
        #expect(world.cover("r") == nil && world.has("k"))
        // So that the reference that is gone is no drop that the plan would be refused for.
        for number in 0..<8 { world.song("s\(number)", cover: "keeper") }
        let later = try world.plan(try await world.audit())
        #expect(later.steps.map(\.strategy) == [.quarantine])
        let results = try await world.repair(later)
        #expect(results.map(\.outcome) == [.failed, .stale])
        #expect(results.last?.reason?.contains("is not known yet") == true)
        #expect(world.has("k") && world.bucket.held.isEmpty)
        #expect(try await world.resume().map(\.outcome) == [.putBack])
        #expect(world.cover("r") == "k" && world.has("k"))
    }

    @Test("an object whose restore is open is not swept")
    func openRestore() async throws {
        let (world, plan) = try await orphan()
        try await world.repair(plan)
        let repaired = try world.lastRun()
        world.script.fail(.before, .restore)
        world.script.fail(.before, .headQuarantined, 2)
        #expect(try await world.undo(repaired).map(\.outcome) == [.failed])
        for _ in 0..<30 {
            world.clock.advance(.days(1))
            _ = try await world.audit()
        }
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        let item = try #require(stage.items(try await world.audit().quarantine).first)
        world.script.fail(.before, .headQuarantined, 3)
        let early = try await world.rights(job)
        #expect(try await stage.sweep(item, by: early).outcome == .stale)
        #expect(world.bucket.held.count == 1)
        #expect(try await stage.sweep(item, by: try await world.rights(job)).outcome == .done)
    }

    // MARK: Undo

    @Test("an undo whose answer is lost is found out, and one that did nothing can be repeated")
    func undo() async throws {
        for side in [Side.before, .after] {
            let (world, plan) = try await dangling()
            try await world.repair(plan)
            let run = try world.lastRun()
            world.script.fail(side, .update, 2)
            let outcome: StepOutcome = side == .before ? .failed : .done
            #expect(try await world.undo(run).map(\.outcome) == [outcome])
            #expect(try openCount(world) == 0)
            if side == .before {
                #expect(try await world.undo(run).map(\.outcome) == [.done])
            }
            #expect(world.cover("r") == "k")
        }
    }

    @Test("an undo whose record cannot be read is left to the next run")
    func unknownUndo() async throws {
        let (world, plan) = try await dangling()
        try await world.repair(plan)
        let run = try world.lastRun()
        // Before anything was written the undo can be repeated as it is.
        world.script.fail(.before, .rows, 3)
        #expect(try await world.undo(run).map(\.outcome) == [.failed])
        #expect(try openCount(world) == 0)
        world.script.fail(.after, .update, 2)
        world.script.fail(.before, .rows, 5)
        #expect(try await world.undo(run).map(\.outcome) == [.failed])
        #expect(try openCount(world) == 1)
        world.script.fail(.before, .rows, 6)
        #expect(try await world.resume().map(\.outcome) == [.failed])
        #expect(try openCount(world) == 1)
        #expect(try await world.resume().map(\.outcome) == [.done])
        #expect(world.cover("r") == "k")
    }

    // MARK: Proofs

    @Test("a step that nothing proves is not carried out")
    func unproved() async throws {
        for (world, plan) in [try await dangling(), try await orphan()] {
            let (rows, objects) = (world.source.records("Song"), world.bucket.objects)
            var changed = plan
            changed.steps[0].finding = "another"
            let job = try world.job()
            let run = try world.begin(job, "repair").id
            // Behind the check of the plan, which refuses it too.
            let journal = StepJournal(
                try await world.rights(job), JournalWriter(job.ledger), run: run, plan: plan.id)
            let step = changed.steps[0]
            let told =
                step.strategy == .quarantine
                ? try await OrphanExecutor(journal: journal).carryOut(step)
                : try await RecordExecutor(journal: journal).carryOut(step)
            #expect(told.outcome == .failed)
            #expect(told.reason?.contains("nothing proves it") == true)
            #expect(world.source.records("Song") == rows && world.bucket.objects == objects)
        }
    }
}
