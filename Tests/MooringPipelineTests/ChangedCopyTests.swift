import Glibc
import MooringConfiguration
import MooringFiles
import MooringLedger
import MooringModel
import Synchronization
import Testing

@testable import MooringPipeline

/// Copies that are compared by fingerprints are read several times, and have to be the same
/// each time.
@Suite("Copies that change between the readings of an audit")
struct ChangedCopyTests {
    /// A file of records that is replaced right before one of its readings, and may be back before
    /// the next.
    private struct ChangingSource: CopySource {
        let file: CSVSource
        let path: String
        let changed: Int
        let isBack: Bool
        let readings = Count()

        var name: String { file.name }
        var kind: String { file.kind }
        var replaysByScan: Bool { file.replaysByScan }
        var refusal: StoreError { file.refusal }

        func scan(
            _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
        ) async throws -> ScanResult {
            let reading = readings.next()
            if reading == changed {
                rename(path, path + ".old")
                rename(path + ".new", path)
            } else if isBack, reading == changed + 1 {
                rename(path + ".old", path)
            }
            return try await file.scan(scope, receive)
        }
    }

    private final class Count: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }

        var reached: Int { count.withLock { $0 } }
    }

    private struct Silence: Progress {
        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
        func advance(_ count: Int) {}
        func end() {}
    }

    private static let configuration = """
        version: 1
        ledger: ./ledger
        confirm: always
        records:
          - name: app
            csv: ./app.csv
            models: [{model: Song, id: id, files: [{field: key, level: root}]}]
        buckets: [{name: media, listing: ./listing.csv}]
        """

    // How many readings there were, and how the run ended.
    private func audit(
        changedBefore reading: Int, isBack: Bool = false
    ) async throws -> (Int, Pipeline.Audit) {
        var template = Array("/tmp/mooring-changed-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/app.csv"
        // Of the same length and the same keys, in another order.
        try writeFile(path, "id,key\n1,covers/one.jpg\n2,covers/two.jpg\n")
        try writeFile(path + ".new", "id,key\n1,covers/two.jpg\n2,covers/one.jpg\n")
        try writeFile(
            folder + "/listing.csv",
            "key,size,lastModified\n"
                + ["one", "two", "orphan"].map { "covers/\($0).jpg,5,2025-01-01T00:00:00Z\n" }
                .joined())
        let source = ChangingSource(
            file: CSVSource(name: "app", file: path, tables: ["Song"]), path: path,
            changed: reading, isBack: isBack)
        let ledger = try Ledger.open(path: folder + "/ledger")
        let job = Job(
            configuration: try Configuration.parse(
                Self.configuration, file: folder + "/mooring.yaml", environment: [:]),
            records: [source],
            buckets: [ListingBucket(name: "media", file: folder + "/listing.csv")],
            ledger: ledger, clock: { RealStores.now }, asOf: nil, progress: Silence(),
            interruption: Interruption(), leases: LeaseKeeper(host: "here"))
        let run = RunSummary(
            id: RunID(startingAt: RealStores.now), command: "audit", programVersion: "test",
            startedAt: RealStores.now, configuration: "")
        try ledger.begin(run)
        let audit = try await Pipeline(job: job).audit(run)
        for name in [
            "app.csv", "app.csv.new", "app.csv.old", "listing.csv", "ledger", "ledger-wal",
            "ledger-shm",
        ] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder)
        return (source.readings.reached, audit)
    }

    @Test("Whichever reading sees another file, the run is incomplete")
    func changed() async throws {
        let (readings, whole) = try await audit(changedBefore: 0)
        #expect(readings == 3)
        #expect(whole.summary.status == .complete && whole.findings.count == 1)
        for (reading, isBack) in [(2, false), (2, true), (3, false)] {
            let (_, audit) = try await audit(changedBefore: reading, isBack: isBack)
            #expect(audit.summary.status == .incomplete, "reading \(reading)")
            let problems = audit.summary.records.flatMap(\.scan.problems)
            #expect(problems.count == 1, "\(problems)")
            #expect(problems.first?.contains("was written to while it was read") == true)
            #expect(audit.findings.isEmpty, "reading \(reading), back: \(isBack)")
        }
    }
}
