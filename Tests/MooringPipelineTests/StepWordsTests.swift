import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import Testing

@testable import MooringPipeline

/// What is said of steps that cannot begin, or cannot be gone on with: what they lack, in words.
@Suite("The words of steps that do not begin, or that a crash left open")
struct StepWordsTests {
    private static func step(
        _ strategy: Strategy, bucket: String? = "media", record: RecordPlace? = nil,
        _ precondition: Precondition = Precondition(
            object: ObjectVersion(size: 1, etag: "e", lastModified: World.longAgo))
    ) -> PlanStep {
        PlanStep(
            id: "step", hash: "", strategy: strategy, finding: "finding", bucket: bucket,
            key: ObjectKey("k"), record: record, precondition: precondition
        ).sealed()
    }

    private static func song(_ field: String? = "cover", source: String = "app") -> RecordPlace {
        RecordPlace(
            identity: RecordIdentity(source: source, model: "Song", id: RecordID("r")),
            field: field)
    }

    private func journal(_ world: World) async throws -> StepJournal {
        let job = try world.job()
        let run = try world.begin(job, "repair").id
        return StepJournal(
            try await world.rights(job), JournalWriter(job.ledger), run: run, plan: nil)
    }

    // MARK: Steps that do not begin

    @Test("a step whose place is not named, or not configured, fails and says what it lacks")
    func noPlace() async throws {
        let journal = try await journal(World())
        let old = Self.step(.quarantine, bucket: "old")
        let order = try #require(
            ErasureOrder(
                Self.step(.delete),
                under: try ErasureScope(
                    .prefix(Array("k".utf8)), bucket: nil, levels: [], buckets: [])))
        let nulling = Precondition(value: Array("k".utf8), recordVersion: 1)
        let told: [(StepEnding, String)] = [
            (
                try await OrphanExecutor(journal: journal).carryOut(old),
                "its bucket or version is not named"
            ),
            (
                try await EraseExecutor(journal: journal, order: order).carryOut(old),
                "its bucket or version is not named"
            ),
            (
                try await TagExecutor(journal: journal).carryOut(Self.step(.tag)),
                "its bucket or version is not named, or it has no tags"
            ),
            (
                try await UndeleteExecutor(journal: journal).carryOut(Self.step(.restore)),
                "its bucket or delete marker is not named"
            ),
            (
                try await HeldObjectExecutor(journal: journal).carryOut(Self.step(.restore)),
                "its bucket, version or quarantine is not named"
            ),
            (
                try await RequeryExecutor(journal: journal).requery(old),
                "its bucket is not configured"
            ),
            (
                try await RecordExecutor(journal: journal).carryOut(
                    Self.step(.nullify, bucket: "old", record: Self.song(), nulling)),
                "its record, field or bucket is not configured"
            ),
            (
                try await RecordExecutor(journal: journal).carryOut(
                    Self.step(.nullify, record: Self.song(source: "old"), nulling)),
                "its record, field or bucket is not configured"
            ),
        ]
        for (number, (ending, words)) in told.enumerated() {
            #expect(ending.outcome == .failed && ending.reason == words, "\(number)")
        }
    }

    @Test("a record that nothing tells as it was judged is not written")
    func noRow() async throws {
        let world = try World()
        world.song("r", cover: "k")
        let told = try await RecordExecutor(journal: try await journal(world)).carryOut(
            Self.step(
                .nullify, record: Self.song(), Precondition(value: Array("k".utf8))))
        #expect(told.outcome == .stale)
        #expect(
            told.reason == "nothing tells the record as it was judged: audit and plan again")
        #expect(world.cover("r") == "k")
    }

    @Test("a record that is gone is not written, by a repair or by an undo")
    func goneRecord() async throws {
        let told = try await RecordExecutor(journal: try await journal(World())).carryOut(
            Self.step(
                .nullify, record: Self.song(),
                Precondition(value: Array("k".utf8), recordVersion: 1)))
        #expect(told.outcome == .stale && told.reason == "the record is gone")
        let world = try World()
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.song("r", cover: "gone")
        #expect(try await world.auditAndRepair().map(\.step.strategy) == [.nullify])
        let repaired = try world.lastRun()
        world.source.delete("Song", Array("r".utf8))
        let undone = try await world.undo(repaired)
        #expect(undone.map(\.outcome) == [.stale])
        #expect(undone.map(\.reason) == ["the record is gone"])
    }

    @Test("what is looked at anew tells how both sides stand")
    func requery() async throws {
        for (cover, isThere, outcome, words) in [
            (nil, true, .confirmed, "the object is there, and no owner references it"),
            (nil, false, .changed, "the object is gone, or another version"),
            ("k", true, .healed, "a record references the object"),
        ] as [(String?, Bool, StepOutcome, String)] {
            let world = try World()
            world.song("k", cover: cover)
            world.object("k")
            let version = try #require(world.bucket.objects[ObjectKey("k")]).version
            if !isThere { world.bucket.remove(ObjectKey("k")) }
            let owner = RecordIdentity(source: "app", model: "Song", id: RecordID("k"))
            let told = try await RequeryExecutor(journal: try await journal(world)).requery(
                Self.step(.requery, Precondition(object: version, owners: [owner])))
            #expect(told.outcome == outcome && told.reason == words)
        }
        for (cover, isThere, outcome, words) in [
            ("k", true, .healed, "the object is there"),
            ("k", false, .confirmed, "the record references a missing object"),
            (nil, false, .changed, "the record no longer references the object"),
        ] as [(String?, Bool, StepOutcome, String)] {
            let world = try World()
            world.song("r", cover: cover)
            if isThere { world.object("k") }
            let told = try await RequeryExecutor(journal: try await journal(world)).requery(
                Self.step(
                    .requery, record: Self.song(), Precondition(value: Array("k".utf8))))
            #expect(told.outcome == outcome && told.reason == words)
        }
    }

    @Test("a reference beside so many losses that it was not counted asks to look at the bucket")
    func uncounted() {
        #expect(
            Judging.text(.uncounted)
                == "so many prefixes miss objects that this one was not counted: look what "
                + "happened to the bucket")
    }

    // MARK: Steps that a crash left open

    private func open(
        _ step: PlanStep, in world: World, plan: (RunID) -> String = { _ in "p" }
    ) throws {
        let ledger = try world.ledger()
        var summary = RunSummary(
            id: RunID(startingAt: World.longAgo), command: "run", programVersion: "test",
            startedAt: World.longAgo, configuration: "")
        summary.status = .interrupted
        try ledger.begin(summary)
        _ = try ledger.intend(
            JournalEntry(
                run: summary.id, plan: plan(summary.id), step: step, intendedAt: World.longAgo))
    }

    @Test("an open step that changed nothing is ended, and says that it was interrupted")
    func interrupted() async throws {
        let bare = Precondition()
        for (step, plan, words) in [
            (Self.step(.nullify, record: Self.song(), bare), nil, "interrupted before the write"),
            (
                Self.step(.delete, bare), ErasureOrder.plan,
                "interrupted; run the deletion request again"
            ),
            (Self.step(.keep), nil, "interrupted"),
        ] as [(PlanStep, ((RunID) -> String)?, String)] {
            let world = try World()
            try open(step, in: world, plan: plan ?? { _ in "p" })
            let told = try await world.resume()
            #expect(told.map(\.outcome) == [.stale] && told.map(\.reason) == [words])
            #expect(try world.ledger().openIntents().isEmpty)
        }
    }

    // MARK: What cannot be taken back

    @Test("a step that changed nothing has nothing to be taken back")
    func unchanged() async throws {
        let world = try World()
        let journal = try await journal(world)
        let step = Self.step(.keep)
        let intent = try await journal.intend(step)
        _ = try await journal.end(step, intent, .finish(.done, reason: nil))
        let run = try world.lastRun()
        let items = try UndoStage(job: try world.job(), run: run).items(of: run)
        #expect(items.map(\.obstacle) == ["it changed nothing"])
    }

    @Test("a repair that cannot be taken back says why")
    func obstacles() async throws {
        let world = try World()
        world.song("z", cover: "zebra")
        world.bucket.hold(ObjectKey("zebra"), run: RunID(startingAt: World.longAgo))
        #expect(try await world.auditAndRepair().map(\.step.strategy) == [.restore])
        let repaired = try world.lastRun()
        let undone = try await world.undo(repaired)
        #expect(undone.map(\.outcome) == [.stale])
        #expect(
            undone.map(\.reason) == ["a restored object is where a record references it"])
        let error = #expect(throws: UndoStage.NoSuchStep.self) {
            try UndoStage(job: try world.job(), run: repaired).items(
                of: repaired, onlyStep: "step")
        }
        #expect(
            error?.description
                == "run \(repaired.text) carried out no step 'step'; mooring undo "
                + "\(repaired.text) lists its repairs")
    }
}
