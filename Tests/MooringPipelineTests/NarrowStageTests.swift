import Glibc
import MooringConfiguration
import MooringFiles
import MooringLedger
import MooringModel
import Synchronization
import Testing

@testable import MooringPipeline

/// How often an engine is asked for more.
@Suite("What an engine left out")
final class NarrowStageTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/mooring-narrow-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        let names =
            ["app.csv", "media.csv", "ledger", "ledger-wal", "ledger-shm"]
            + (1...8).map { "\($0).csv" }
        for name in names { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private struct Silence: Progress {
        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
        func advance(_ count: Int) {}
        func end() {}
    }

    /// Hands on one record at a time, whose object nobody knows: each speaks of another one.
    private final class Slow: Narrowing {
        let name = "slow"
        let calls = Mutex<[String]>([])
        private let folder: String
        private let objects: Int
        private let stages: Int

        init(_ folder: String, leavingOut objects: Int, for stages: Int) {
            (self.folder, self.objects, self.stages) = (folder, objects, stages)
        }

        func begin() async throws -> Narrowed { try next("begin") }

        func widen(by needs: NarrowingNeeds) async throws -> Narrowed { try next("widen") }

        func whole() async throws -> Narrowed {
            calls.withLock { $0.append("whole") }
            return Narrowed(records: [source("app.csv")], buckets: [bucket])
        }

        func end() async {}

        private func next(_ call: String) throws -> Narrowed {
            let stage = calls.withLock {
                $0.append(call)
                return min($0.count, stages)
            }
            try writeFile(folder + "/\(stage).csv", "id,key\n\(stage),missing-\(stage).jpg\n")
            var matched = MatchedObjects()
            matched.objects = objects
            return Narrowed(
                records: [source("\(stage).csv")], buckets: [bucket], matchedObjects: [0: matched])
        }

        private func source(_ file: String) -> any RecordSource {
            CSVSource(name: "app", file: folder + "/" + file, tables: ["Song"])
        }

        private var bucket: any Bucket {
            ListingBucket(name: "media", file: folder + "/media.csv")
        }
    }

    private func narrow(_ engine: Slow) async throws -> Narrowed {
        try writeFile(folder + "/app.csv", "id,key\n1,missing-1.jpg\n")
        try writeFile(
            folder + "/media.csv", "key,size,lastModified\na.jpg,5,2025-01-01T00:00:00Z\n")
        let configuration = try Configuration.parse(
            """
            version: 1
            ledger: ./ledger
            records: [{name: app, csv: ./app.csv, models: [{model: Song, files: [{field: key}]}]}]
            buckets: [{name: media, listing: ./media.csv}]
            """, file: folder + "/mooring.yaml", environment: [:])
        let job = Job(
            configuration: configuration,
            records: [CSVSource(name: "app", file: folder + "/app.csv", tables: ["Song"])],
            buckets: [ListingBucket(name: "media", file: folder + "/media.csv")],
            ledger: try Ledger.open(path: folder + "/ledger"), clock: { World.start }, asOf: nil,
            progress: Silence(), interruption: Interruption(), leases: LeaseKeeper(host: "here"))
        return try await NarrowStage(job: job, narrowing: engine).run()
    }

    @Test("is asked for until nothing more is spoken of, where it is much or asked for seldom")
    func asked() async throws {
        for (objects, stages) in [(100_001, 7), (3, 4)] {
            let engine = Slow(folder, leavingOut: objects, for: stages)
            let narrowed = try await narrow(engine)
            let calls = engine.calls.withLock { $0 }
            // The last one speaks of nothing new.
            #expect(calls == ["begin"] + Array(repeating: "widen", count: stages))
            #expect(!narrowed.isWhole)
        }
    }

    @Test("is read where it is little, and asked for again and again")
    func little() async throws {
        let engine = Slow(folder, leavingOut: 100_000, for: 7)
        let narrowed = try await narrow(engine)
        let calls = engine.calls.withLock { $0 }
        #expect(calls == ["begin"] + Array(repeating: "widen", count: 4) + ["whole"])
        #expect(narrowed.isWhole)
        #expect(
            narrowed.notes.first?.contains("after 5 stages that was 100000") == true)
    }
}
