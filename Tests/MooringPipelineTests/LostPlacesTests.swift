import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Steps that a crash left open, under a configuration that lost their places")
struct LostPlacesTests {
    private func step(_ strategy: Strategy, bucket: String?, source: String, model: String)
        -> PlanStep
    {
        let isOfObject = [.quarantine, .delete, .restore, .tag, .abort].contains(strategy)
        return PlanStep(
            id: "step", hash: "", strategy: strategy, finding: "finding", bucket: bucket,
            key: ObjectKey("k"),
            record: isOfObject
                ? nil
                : RecordPlace(
                    identity: RecordIdentity(source: source, model: model, id: RecordID("r")),
                    field: "cover"),
            precondition: Precondition(
                object: ObjectVersion(size: 1, etag: "e", lastModified: World.longAgo),
                quarantinedBy: strategy == .restore ? RunID(startingAt: World.longAgo) : nil,
                value: Array("k".utf8))
        ).sealed()
    }

    private func open(_ step: PlanStep, in world: World, undoes: Bool = false) throws {
        let ledger = try world.ledger()
        var summary = RunSummary(
            id: Self.run, command: "run", programVersion: "test",
            startedAt: World.longAgo, configuration: "")
        summary.status = .interrupted
        try ledger.begin(summary)
        let change = RecordChange(
            table: "Song", idColumns: ["id"], id: RecordID("r"),
            expected: [ColumnValue("cover", .text("k"))],
            assignments: [ColumnValue("cover", .null)])
        let first = JournalEntry(
            run: summary.id, plan: "p", step: step, intendedAt: World.longAgo,
            change: step.record == nil ? nil : change)
        let written = try ledger.intend(first)
        guard undoes else { return }
        try ledger.conclude(written.number, outcome: .done, reason: nil, at: World.longAgo)
        var second = first
        second.undoes = written.number
        _ = try ledger.intend(second)
    }

    private static let noRecord = "its record or bucket is not configured any more"
    private static let noBucket = "its bucket is not configured any more"

    /// Why the next run gets no rights, with the step still open for this reason.
    private func refused(_ world: World, _ reason: String) async throws -> Refusal {
        let job = try world.job()
        _ = try world.begin(job, "repair")
        var results: [StepResult] = []
        let refusal = await #expect(throws: Refusal.self) {
            _ = try await world.rights(job) { results.append($0) }
        }
        let left = "; what it did is not known, and the next run goes on from there"
        #expect(results.map(\.outcome) == [.failed])
        #expect(results.map(\.reason) == [reason + left])
        #expect(try world.ledger().openIntents().count == 1)
        return try #require(refusal)
    }

    @Test(
        "a step on a source or model that is not named any more stays open, and nothing else acts",
        arguments: [Strategy.nullify, .relink, .repoint, .deleteRecord], [true, false])
    func records(strategy: Strategy, isSource: Bool) async throws {
        let world = try World()
        world.song("r", cover: nil)
        try open(
            step(
                strategy, bucket: "media", source: isSource ? "old" : "app",
                model: isSource ? "Song" : "Track"), in: world)
        let refusal = try await refused(world, Self.noRecord)
        let place =
            isSource ? "record source 'old'" : "model 'Track' of record source 'app'"
        #expect(refusal.found == found(place) && refusal.next.contains("name it again"))
        #expect(
            refusal.refused
                == "every change to a store, since something may have to be put back there")
    }

    @Test("so does the undo of one")
    func undo() async throws {
        let world = try World()
        try open(
            step(.nullify, bucket: "media", source: "old", model: "Song"), in: world,
            undoes: true)
        _ = try await refused(world, Self.noRecord)
    }

    @Test(
        "so does a step on an object whose bucket is not named any more",
        arguments: [Strategy.quarantine, .delete, .restore, .tag, .abort])
    func objects(strategy: Strategy) async throws {
        let world = try World()
        try open(step(strategy, bucket: "old", source: "", model: ""), in: world)
        let refusal = try await refused(world, Self.noBucket)
        #expect(refusal.found == found("bucket 'old'"))
    }

    @Test("so does one on a field that is not mapped any more")
    func field() async throws {
        let world = try World()
        world.song("r", cover: nil)
        var lost = step(.nullify, bucket: "media", source: "app", model: "Song")
        lost.record?.field = "picture"
        try open(lost.sealed(), in: world)
        let refusal = try await refused(world, Self.noRecord)
        #expect(refusal.found == found("field 'Song.picture' of record source 'app'"))
    }

    private func found(_ place: String) -> String {
        "what run \(Self.run.text) had begun on \(place) has not ended, and the configuration "
            + "does not name that any more"
    }

    private static let run = RunID(startingAt: World.longAgo)

    @Test("a step whose places are all there is ended, and refuses nothing")
    func found() async throws {
        let world = try World()
        world.song("r", cover: "k")
        world.object("k")
        try open(step(.nullify, bucket: "media", source: "app", model: "Song"), in: world)
        _ = try await world.resume()
        #expect(try world.ledger().openIntents().isEmpty)
        #expect(try LostPlaces(job: try world.job()).refusal() == nil)
        #expect(world.cover("r") == "k")
    }
}
