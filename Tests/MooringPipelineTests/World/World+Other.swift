import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline

/// Another configuration over the same buckets, clock and ledger, with sources of its own names.
struct OtherAuditor {
    private let world: World
    private let configuration: Configuration
    private let records: [FakeRecordSource]
    private let buckets: [FakeBucket]

    /// Shares the sources that the world has, by name; others are empty.
    init(_ world: World, _ text: String) throws {
        self.world = world
        configuration = try Configuration.parse(
            text, file: world.folder + "/other.yaml", environment: [:])
        records = configuration.records.map { source in
            source.name == world.source.name
                ? world.source
                : FakeRecordSource(
                    source.name, tables: Sample.tables, script: world.script, clock: world.clock)
        }
        buckets = configuration.buckets.map { bucket in
            bucket.mapping.name == world.bucket.name
                ? world.bucket
                : FakeBucket(bucket.mapping.name, script: world.script, clock: world.clock)
        }
    }

    /// Its bucket.
    var bucket: FakeBucket { buckets[0] }
    /// Its first source.
    var source: FakeRecordSource { records[0] }

    /// A job over the world's ledger.
    func job() throws -> Job {
        let clock = world.clock
        return Job(
            configuration: configuration, records: records, buckets: buckets,
            ledger: try world.ledger(), clock: { clock.now }, asOf: nil, progress: Quiet(),
            interruption: Interruption(), leases: LeaseKeeper(host: "there"))
    }

    /// A whole `mooring audit`.
    @discardableResult
    func audit() async throws -> Pipeline.Audit {
        let job = try job()
        world.clock.advance(.seconds(1))
        let run = RunSummary(
            id: RunID(startingAt: world.clock.now), command: "audit", programVersion: "test",
            startedAt: world.clock.now, configuration: configuration.fingerprint)
        try job.ledger.begin(run)
        let audit = try await Pipeline(job: job).audit(run)
        try job.ledger.update(audit.summary)
        return audit
    }

    /// A whole `mooring plan`.
    func plan(_ audit: Pipeline.Audit) throws -> Plan {
        try PlanStage(job: try job()).run(audit.summary, accepting: Acceptance()).plan
    }

    private struct Quiet: Progress {
        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
        func advance(_ count: Int) {}
        func end() {}
    }
}

extension World {
    /// Adds songs whose objects are there, with keys of every form that a value can have.
    func songsOfEveryForm() {
        for folder in ["", "f/", "f/f/", "f/f/f/"] {
            for name in ["form", "form.png"] {
                song("form of " + folder + name, cover: folder + name)
                object(folder + name)
            }
        }
    }
}
