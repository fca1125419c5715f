import Glibc
import MooringConfiguration
import MooringDecisions
import MooringFiles
import MooringLedger
import MooringModel
import MooringPipeline
import Testing

@Suite("Leases of a job")
struct LeaseKeeperTests {
    private static let archive = "  - name: archive\n    directory: ./archive"
    private static let run = RunID(startingAt: World.start)

    private func lease(_ world: World) async throws -> Lease? {
        try await world.bucket.readLease()?.lease
    }

    @Test("It holds the lease from take to give back; the next run of the ledger takes it over")
    func ownLedger() async throws {
        let world = try World()
        let job = try world.job()
        #expect(try await job.takeLeases(for: "run", run: Self.run).isEmpty)
        let held = try #require(try await lease(world))
        #expect(held.command == "run" && held.run == Self.run.text && held.host == "here")
        #expect(try held.ledger == job.ledger.identity())
        // A process that died: its keeper is gone, the lease is there.
        let next = try world.job()
        let told = try await next.takeLeases(
            for: "sweep", run: RunID(startingAt: World.start + .seconds(1)))
        #expect(told.count == 1 && told[0].contains("taken over"))
        #expect(try await lease(world)?.command == "sweep")
        // What the first held is not there any more, and it says so.
        #expect(await job.giveLeasesBack().first?.contains("taken over or removed") == true)
        #expect(try await lease(world)?.command == "sweep")
        #expect(await next.giveLeasesBack().isEmpty)
        #expect(try await lease(world) == nil)
    }

    @Test("An open intent keeps the lease for the next run of the same ledger")
    func openIntent() async throws {
        let world = try World()
        let job = try world.job()
        _ = try await job.takeLeases(for: "repair", run: Self.run)
        let step = PlanStep(
            id: "s", hash: "", strategy: .quarantine, finding: "f", bucket: "media",
            key: ObjectKey("k"), record: nil, precondition: Precondition())
        let entry = try job.ledger.intend(
            JournalEntry(run: Self.run, plan: nil, step: step, intendedAt: World.start))
        let told = await job.giveLeasesBack()
        #expect(told.count == 1 && told[0].contains("stays"))
        #expect(try await lease(world)?.run == Self.run.text)
        try job.ledger.conclude(entry.number, outcome: .stale, reason: nil, at: World.start)
        let next = try world.job()
        _ = try await next.takeLeases(
            for: "repair", run: RunID(startingAt: World.start + .seconds(1)))
        #expect(await next.giveLeasesBack().isEmpty)
        #expect(try await lease(world) == nil)
    }

    @Test("A refusal at one bucket gives back what was taken at others")
    func severalBuckets() async throws {
        let (world, other) = (try World(Sample.file(bucket: Self.archive)), try World())
        let foreign = try #require(
            try await Self.take(other).flatMap { FoundLease(content: $0, tag: "") })
        let second = try world.bucket("archive")
        let planted = try #require(try await second.createLease(foreign.content))
        let job = try world.job()
        await #expect(throws: LeaseRefusal.self) {
            _ = try await job.takeLeases(for: "run", run: Self.run)
        }
        #expect(try await world.bucket.readLease() == nil)
        #expect(try await second.readLease() == planted)
        let told = try await job.takeLeases(for: "run", run: Self.run, takingOver: true)
        #expect(told.count == 1)
        #expect(await job.giveLeasesBack().isEmpty)
        #expect(try await second.readLease() == nil)
    }

    @Test("A bucket that can hold no lease is named, and keeps nobody from acting")
    func noLease() async throws {
        let world = try World()
        world.bucket.change { $0.holdsLeases = false }
        let told = try await world.job().takeLeases(for: "run", run: Self.run)
        #expect(
            told == [
                "bucket media can hold no lease, so nothing keeps another ledger from acting on it "
                    + "at once"
            ])
    }

    private static func take(_ world: World) async throws -> [UInt8]? {
        _ = try await world.job().takeLeases(for: "run", run: run)
        return try await world.bucket.readLease()?.content
    }

    private struct Silent: Progress {
        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
        func advance(_ count: Int) {}
        func end() {}
    }

    @Test(
        "One bucket under several names is refused, unless each judges objects of its own",
        arguments: [
            (["", ""], [0, 1]), (["a/", "b/"], nil), (["a/", "a/b/"], [0, 1]),
            (["a/", ""], [0, 1]),
            (["a/", "b/", "c/"], nil), (["a/", "b/", "b/c/"], [1, 2]),
        ] as [([String], [Int]?)])
    func severalNames(prefixes: [String], refused: [Int]?) async throws {
        let listed = prefixes.enumerated().map { number, prefix in
            "  - {name: n\(number), directory: ./n\(number), prefixes: ['\(prefix)']}"
        }.joined(separator: "\n")
        var template = Array("/tmp/mooring-lease-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let configuration = try Configuration.parse(
            """
            version: 1
            ledger: ./ledger
            records: [{name: app, csv: ./app.csv, models: [{model: Song, id: id, files: []}]}]
            buckets:
            \(listed)
            """, file: folder + "/mooring.yaml", environment: [:])
        let buckets = try prefixes.indices.map {
            try DirectoryBucket(
                name: "n\($0)", folder: folder, quarantine: Array(".mooring/q/".utf8),
                trust: .mtime)
        }
        let job = Job(
            configuration: configuration, records: [], buckets: buckets,
            ledger: try Ledger.open(path: folder + "/ledger"), clock: { RealStores.now },
            asOf: nil, progress: Silent(), interruption: Interruption(),
            leases: LeaseKeeper(host: "here"))
        var refusal: Refusal?
        do {
            _ = try await job.takeLeases(for: "run", run: Self.run)
        } catch let error as Refusal {
            refusal = error
        }
        let words = refused.map { "buckets 'n\($0[0])' and 'n\($0[1])' are one bucket" }
        #expect((refusal == nil) == (words == nil))
        #expect(refusal?.found.hasPrefix(words ?? "?") ?? true)
        #expect((try await buckets[0].lease?.readLease() == nil) == (words != nil))
        _ = await job.giveLeasesBack()
        #expect(try await buckets[0].lease?.readLease() == nil)
        for name in ["ledger", "ledger-wal", "ledger-shm"] { unlink("\(folder)/\(name)") }
        rmdir(folder + "/.mooring")
        rmdir(folder)
    }
}
