import Glibc
import MooringConfiguration
import MooringFiles
import MooringLedger
import MooringModel
import Testing

@testable import MooringPipeline

@Suite("A copy and a live store that are read at once")
struct MixedSourceTests {
    private struct Silence: Progress {
        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
        func advance(_ count: Int) {}
        func end() {}
    }

    private static let copied = """
          - name: copied
            csv: ./app.csv
            models: [{model: Song, id: id, files: [{field: key, level: root}]}]
        """

    // Its tables are of a fake, which is asked whatever address is written here.
    private static let live = """
          - name: live
            postgres: host=db dbname=app
            models: [{model: Note, id: id, files: [{field: scan, level: root}]}]
        """

    private func findings(_ sources: [String], apart: Bool) async throws -> [String] {
        var template = Array("/tmp/mooring-mixed-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            for name in ["app.csv", "listing.csv", "ledger", "ledger-wal", "ledger-shm"] {
                unlink("\(folder)/\(name)")
            }
            rmdir(folder)
        }
        try writeFile(
            folder + "/app.csv", "id,key\n1,covers/One 1.jpg\n2,covers/one_1.jpeg\n")
        try writeFile(
            folder + "/listing.csv",
            "key,size,lastModified\n"
                + ["covers/One 1.jpg", "scans/two 2.jpg", "orphan.jpg", "told.jpg"].map {
                    "\($0),5,2025-01-01T00:00:00Z\n"
                }.joined())
        let text = """
            version: 1
            ledger: ./ledger
            confirm: always
            records:
            \(sources.joined(separator: "\n"))
            buckets: [{name: media, listing: ./listing.csv}]
            """
        var configuration = try Configuration.parse(
            text, file: folder + "/mooring.yaml", environment: [:])
        if !apart {
            for number in configuration.records.indices {
                configuration.records[number].store = .sqlite(path: folder + "/db", taken: nil)
            }
        }
        let note = FakeRecordSource(
            "live", tables: Sample.tables, script: CallScript(), clock: TestClock(World.start))
        note.insert("Note", ["id": .text("n"), "scan": .text("scans/two 2.jpg")])
        note.insert("Note", ["id": .text("m"), "scan": .text("scans/two_2.jpeg")])
        note.insert("Setting", ["id": .text("s"), "value": .text("see told.jpg")])
        let copy = CSVSource(name: "copied", file: folder + "/app.csv", tables: ["Song"])
        let ledger = try Ledger.open(path: folder + "/ledger")
        let job = Job(
            configuration: configuration,
            records: configuration.records.map { store -> any RecordSource in
                store.name == "live" ? note : copy
            },
            buckets: [ListingBucket(name: "media", file: folder + "/listing.csv")],
            ledger: ledger, clock: { World.start }, asOf: nil, progress: Silence(),
            interruption: Interruption(), leases: LeaseKeeper(host: "here"))
        let run = RunSummary(
            id: RunID(startingAt: World.start), command: "audit", programVersion: "test",
            startedAt: World.start, configuration: "")
        try ledger.begin(run)
        let audit = try await Pipeline(job: job).audit(run)
        #expect(audit.summary.isCompleteScan)
        return audit.findings.map {
            "\($0.kind) \($0.key?.text ?? "-") \($0.verdict): \($0.evidence.last ?? "-")"
        }
    }

    // Each source has a reference that may spell an object which the other one cannot tell of: what
    // is known of one says nothing of the other.
    @Test("tell the same, whichever stands first", arguments: [false, true])
    func mixed(copyFirst: Bool) async throws {
        let sources = copyFirst ? [Self.copied, Self.live] : [Self.live, Self.copied]
        let apart = try await findings(sources, apart: true)
        #expect(apart == (try await findings(sources, apart: false)))
        #expect(apart.count { $0.hasPrefix("dangling") && $0.contains("undecided") } == 2)
        #expect(apart.count { $0.hasPrefix("orphan") } == 1, "\(apart)")
    }
}
