import Glibc
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Synchronization
import Testing

/// A small app with its stores in memory, a real ledger in a temporary folder, and a clock that
/// stands where the test sets it: everything that one audit after the other works with.
final class World: Sendable {
    let configuration: Configuration
    let clock = TestClock(World.start)
    let script = CallScript()
    let source: FakeRecordSource
    let bucket: FakeBucket
    private let stores: Stores
    private let real: RealStores?
    private let sawOwners: Bool
    /// What lists the first bucket in its place; nil where it lists itself.
    let inventory = Mutex<FakeInventory?>(nil)
    private let knownOwners = Mutex<Set<ObjectKey>>([])
    /// The temporary folder, in which the configuration's paths lie.
    let folder: String

    /// What the jobs of one script share.
    private struct Stores: Sendable {
        let records: [FakeRecordSource]
        let buckets: [FakeBucket]
    }

    /// When every world begins: the first audit runs some weeks after the oldest object.
    static let start = Instant(seconds: 1_790_000_000)
    /// Longer ago than any wait of the race model.
    static let longAgo = start - .days(60)

    /// A world under a configuration whose file ends with these lines; every source has these
    /// tables. A policy that no file can name yet is put in its place. Where a record that a key
    /// names is gone, an earlier run saw it, unless the test says that none did. Stores that are
    /// `apart` are read at once.
    init(
        _ text: String = Sample.app, sourcesAreLive: Bool = true, bucketsAreLive: Bool = true,
        tables: [(name: String, columns: [String])] = Sample.tables,
        repair: RepairPolicy? = nil, isReal: Bool = false, sawOwners: Bool = true,
        apart: Bool = false
    ) throws {
        self.sawOwners = sawOwners && !isReal
        var template = Array("/tmp/mooring-pipeline-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        var configuration = try Configuration.parse(
            text, file: folder + "/mooring.yaml", environment: [:])
        if let repair { configuration.repair = repair }
        if apart { configuration.moveApart() }
        self.configuration = configuration
        real = isReal ? try RealStores(configuration) : nil
        let (script, clock) = (script, clock)
        let records = configuration.records.map {
            FakeRecordSource(
                $0.name, tables: tables, script: script, clock: clock,
                isLive: sourcesAreLive)
        }
        let buckets = configuration.buckets.map {
            FakeBucket($0.name, script: script, clock: clock, isLive: bucketsAreLive)
        }
        stores = Stores(records: records, buckets: buckets)
        source = try #require(records.first)
        bucket = try #require(buckets.first)
    }

    deinit { remove() }

    /// Removes the world's folder; for worlds that a killed program holds for ever.
    func remove() {
        if real != nil { return removeAll() }
        for name in ["ledger", "ledger-wal", "ledger-shm", "ledger-journal"] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder)
    }

    // The real stores hold names of every form.
    private func removeAll() {
        var process = pid_t()
        let words: [String] = ["rm", "-rf", folder]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        if posix_spawn(&process, "/bin/rm", nil, nil, arguments + [nil], nil) == 0 {
            waitpid(process, nil, 0)
        }
    }

    /// The record source of this name.
    func source(_ name: String) throws -> FakeRecordSource {
        try #require(stores.records.first { $0.name == name })
    }

    /// The bucket of this name.
    func bucket(_ name: String) throws -> FakeBucket {
        try #require(stores.buckets.first { $0.name == name })
    }

    // So little that the references of most worlds lie in a scratch file; the tests of the join and
    // of the whole program hold them in memory.
    private static let memory: Int64 = 150

    private var now: Instant { real == nil ? clock.now : RealStores.now }

    /// A job as a new process makes it, with its own connection to the ledger.
    func job(asOf: Instant? = nil, progress: any Progress = Silence()) throws -> Job {
        let (clock, isReal) = (clock, real != nil)
        return Job(
            configuration: configuration, records: real?.records ?? stores.records,
            buckets: real?.buckets ?? listed(stores.buckets), ledger: try ledger(),
            clock: { isReal ? RealStores.now : clock.now }, asOf: asOf, progress: progress,
            interruption: Interruption(), leases: LeaseKeeper(host: "here"),
            memory: Self.memory)
    }

    private func listed(_ buckets: [FakeBucket]) -> [any Bucket] {
        guard let inventory = inventory.withLock({ $0 }) else { return buckets }
        let clock = clock
        let first: any Bucket = InventoriedBucket(
            buckets[0], listedBy: inventory, notOlderThan: .days(8)
        ) { clock.now }
        return [first] + Array(buckets.dropFirst())
    }

    /// Has an inventory list the first bucket from now on, as it is now; by default it says that it
    /// is of now.
    func takeInventory(at moment: Instant? = nil) {
        let listed = bucket.objects.map {
            ListedObject(key: $0.key, version: $0.value.version.withoutID)
        }
        let inventory = FakeInventory(
            bucket.name, listed.sorted { $0.key < $1.key }, at: moment ?? clock.now)
        self.inventory.withLock { $0 = inventory }
    }

    /// Changes what the inventory lists.
    func changeInventory(_ change: (inout [ListedObject]) -> Void) {
        inventory.withLock { inventory in
            guard var changed = inventory else { return }
            change(&changed.objects)
            inventory = changed
        }
    }

    /// The ledger, opened anew.
    func ledger() throws -> Ledger { try Ledger.open(path: folder + "/ledger") }

    /// Begins a run of a command.
    func begin(_ job: Job, _ command: String, asOf: Instant? = nil) throws -> RunSummary {
        clock.advance(.seconds(1))
        let now = now
        var summary = RunSummary(
            id: RunID(startingAt: now), command: command, programVersion: "test",
            startedAt: now, configuration: configuration.fingerprint)
        if let asOf { summary.notes.append(RunSummary.asOfNote + asOf.iso8601) }
        try job.ledger.begin(summary)
        if sawOwners { try seeOwners(job.ledger, summary.id) }
        return summary
    }

    // Each identifier that the end of a key may be, with or without a number of its own behind it.
    private func seeOwners(_ ledger: Ledger, _ run: RunID) throws {
        var records: [(identity: RecordIdentity, token: String)] = []
        for bucket in stores.buckets {
            for key in bucket.objects.keys where knownOwners.withLock({ $0.insert(key).inserted }) {
                let ids = key.bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
                for id in [ids, Array(ids.dropLast(37))] where !id.isEmpty {
                    for source in configuration.records {
                        for model in source.mapping.models {
                            let identity = RecordIdentity(
                                source: source.name, model: model.model, id: RecordID(id))
                            records.append((identity, "seen by an earlier run"))
                        }
                    }
                }
            }
        }
        _ = try ledger.recordSights(of: records, at: Self.longAgo, run: run)
    }

    /// A whole `mooring audit`.
    func audit(
        asOf: Instant? = nil, clock: Duration? = nil,
        accepting acceptance: Acceptance = Acceptance()
    ) async throws -> Pipeline.Audit {
        let job = try job(asOf: asOf)
        var audit = try await Pipeline(job: job).audit(
            try begin(job, "audit", asOf: asOf), accepting: acceptance, clock: clock)
        audit.summary.finishedAt = now
        try job.ledger.update(audit.summary)
        return audit
    }

    /// A whole `mooring plan`.
    func plan(
        _ audit: Pipeline.Audit, accepting acceptance: Acceptance = Acceptance()
    ) throws -> Plan {
        try PlanStage(job: try job()).run(audit.summary, accepting: acceptance).plan
    }

    /// A whole `mooring repair --apply`: what a crash left first, then the plan.
    @discardableResult
    func repair(_ plan: Plan) async throws -> [StepResult] {
        let job = try job()
        let run = try begin(job, "repair")
        var results: [StepResult] = []
        let rights = try await rights(job) { results.append($0) }
        let guarded = try GuardedPlan(checking: plan, job, except: run.id)
        try await RepairStage(rights, run: run.id).run(guarded) { results.append($0) }
        try await end(job, run)
        return results
    }

    /// Finishes what a crash left, as every acting command does first.
    @discardableResult
    func resume() async throws -> [StepResult] {
        bucket.forget()
        let job = try job()
        _ = try job.ledger.closeCrashedRuns()
        let run = try begin(job, "repair")
        var results: [StepResult] = []
        _ = try await rights(job) { results.append($0) }
        try await end(job, run)
        return results
    }

    /// The rights of the run that began last, as a command gets them before it acts.
    func rights(
        _ job: Job, resumed tell: @escaping (StepResult) -> Void = { _ in }
    ) async throws -> ActingRights {
        let run = CurrentRun(try #require(try job.ledger.runs().first)) {
            if case .resumed(let result) = $0 { tell(result) }
        }
        return try await Rights(job: job, run: run).take()
    }

    /// A whole `mooring undo` of the last run that repaired.
    @discardableResult
    func undo(_ repaired: RunID) async throws -> [StepResult] {
        let job = try job()
        let run = try begin(job, "undo")
        let stage = UndoStage(job: job, run: run.id)
        var results: [StepResult] = []
        let rights = try await rights(job)
        try await stage.run(try stage.items(of: repaired), by: rights) { results.append($0) }
        try await end(job, run)
        return results
    }

    /// An audit, the plan for it, and the plan carried out.
    @discardableResult
    func auditAndRepair() async throws -> [StepResult] {
        try await repair(try plan(try await audit()))
    }

    /// An audit, its plan, and the plan carried out in that same run, as `mooring run` does it; the
    /// repair begins so long after the plan was made.
    @discardableResult
    func run(waiting wait: Duration) async throws -> [StepResult] {
        let job = try job()
        let audit = try await Pipeline(job: job).audit(try begin(job, "run"))
        try job.ledger.update(audit.summary)
        let plan = try plan(audit)
        clock.advance(wait)
        var results: [StepResult] = []
        let guarded = try GuardedPlan(checking: plan, job, except: audit.summary.id)
        try await RepairStage(try await rights(job), run: audit.summary.id).run(guarded) {
            results.append($0)
        }
        try await end(job, audit.summary)
        return results
    }

    /// Runs a body until it ends, or until its program dies at a border of the stores' calls.
    func untilDeath(
        atBorder border: Int, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        script.die(atBorder: border) { end.yield() }
        Task {
            do {
                try await CallScript.$program.withValue(1) { try await body() }
            } catch {
                Issue.record("the program ended with \(error)")
            }
            end.yield()
        }
        for await _ in ends { return }
    }

    /// The run that acted last.
    func lastRun(_ command: String = "repair") throws -> RunID {
        try #require(try ledger().runs().first { $0.command == command }).id
    }

    private func end(_ job: Job, _ run: RunSummary) async throws {
        var summary = run
        summary.status = .complete
        summary.finishedAt = now
        try job.ledger.update(summary)
        _ = await job.giveLeasesBack()
    }
}

private struct Silence: Progress {
    func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
    func advance(_ count: Int) {}
    func end() {}
}

extension Configuration {
    /// Gives every source and bucket a server of its own.
    fileprivate mutating func moveApart() {
        for number in records.indices {
            records[number].store = .postgres(PostgresSettings(address: "host=records\(number)"))
        }
        for number in buckets.indices {
            var settings = S3Settings(bucket: "files")
            settings.endpoint = S3Settings.Endpoint(url: "https://files\(number)")
            buckets[number].store = .s3(settings)
        }
    }
}
