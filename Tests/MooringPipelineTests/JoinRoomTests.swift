import Glibc
import MooringConfiguration
import MooringFiles
import MooringLedger
import MooringModel
import Synchronization
import Testing

@testable import MooringPipeline

/// What an audit finds where its references do not fit into the memory that it may take.
@Suite("References beyond --memory")
struct JoinRoomTests {
    private static let configuration = """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            csv: ./app.csv
            models: [{model: Song, id: id, files: [{field: key, level: root}]}]
        buckets: [{name: media, listing: ./listing.csv, derived: ["thumbs/{key}"]}]
        """

    /// Cuts the scratch files in a folder short when a stage of this phase begins.
    private final class Cutter: Progress {
        let folder: String
        let phase: Phase?
        let cuts = Atomic(0)

        init(_ folder: String, _ phase: Phase?) { (self.folder, self.phase) = (folder, phase) }

        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {
            guard let phase, phase == self.phase else { return }
            // Other tests may hold thousands open.
            for number in 0..<65_536 {
                var room = [UInt8](repeating: 0, count: 1_024)
                let name = "/proc/self/fd/\(number)"
                let count = room.withUnsafeMutableBytes { room in
                    room.baseAddress.map { readlink(name, $0, room.count) } ?? -1
                }
                guard count > 0,
                    String(decoding: room[..<count], as: UTF8.self).hasPrefix(folder + "/#")
                else { continue }
                if truncate(name, 0) == 0 { cuts.add(1, ordering: .relaxed) }
            }
        }

        func advance(_ count: Int) {}
        func end() {}
    }

    private func audit(
        memory: Int64, cut phase: Phase? = nil, isScratchGone: Bool = false,
        listsAgain again: [String] = []
    ) async throws -> (audit: Pipeline.Audit, cuts: Int) {
        var template = Array("/tmp/mooring-room-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let scratch = folder + "/scratch"
        if !isScratchGone { mkdir(scratch, 0o700) }
        let numbers = 0..<300
        try writeFile(
            folder + "/app.csv",
            "id,key\n" + numbers.map { "\($0),covers/\($0 % 290).jpg\n" }.joined())
        try writeFile(
            folder + "/listing.csv",
            "key,size,lastModified\n"
                + numbers.filter { $0 % 7 != 0 }.flatMap { number in
                    ["", "thumbs/"].map { head in
                        "\(head)covers/\(number).jpg,\(number % 3),2025-01-01T00:00:00Z\n"
                    }
                }.joined()
                + again.map { "\($0),1,2025-01-01T00:00:00Z\n" }.joined())
        let (ledger, cutter) = (
            try Ledger.open(path: folder + "/ledger"), Cutter(scratch, phase)
        )
        let job = Job(
            configuration: try Configuration.parse(
                Self.configuration, file: folder + "/mooring.yaml", environment: [:]),
            records: [CSVSource(name: "app", file: folder + "/app.csv", tables: ["Song"])],
            buckets: [ListingBucket(name: "media", file: folder + "/listing.csv")],
            ledger: ledger, clock: { RealStores.now }, asOf: nil, progress: cutter,
            interruption: Interruption(), leases: LeaseKeeper(host: "here"), scratch: scratch,
            memory: memory)
        let run = RunSummary(
            id: RunID(startingAt: RealStores.now), command: "audit", programVersion: "test",
            startedAt: RealStores.now, configuration: "")
        try ledger.begin(run)
        let audit = try await Pipeline(job: job).audit(run)
        for name in ["app.csv", "listing.csv", "ledger", "ledger-wal", "ledger-shm"] {
            unlink("\(folder)/\(name)")
        }
        // A folder with something in it would stay.
        #expect(isScratchGone || rmdir(scratch) == 0)
        rmdir(folder)
        return (audit, cutter.cuts.load(ordering: .relaxed))
    }

    private func found(_ audit: Pipeline.Audit) -> Set<String> { Set(audit.findings.map(\.id)) }

    @Test("It finds the same, and leaves nothing in scratch")
    func same() async throws {
        let whole = try await audit(memory: 256 << 20).audit
        #expect(whole.findings.count > 100 && whole.summary.status == .complete)
        #expect(whole.summary.spilled == 0)
        for memory: Int64 in [1, 500, 5_000, 14_000] {
            let other = try await audit(memory: memory).audit
            #expect(found(other) == found(whole) && other.summary.status == .complete)
            #expect(other.summary.notes == whole.summary.notes && other.summary.spilled == 290)
        }
    }

    @Test("It tells how many objects were listed more than once")
    func repeated() async throws {
        for memory: Int64 in [256 << 20, 500, 14_000] {
            let audit = try await audit(
                memory: memory,
                listsAgain: ["covers/1.jpg", "covers/2.jpg", "covers/2.jpg", "covers/299.jpg"]
            ).audit
            let problems = audit.summary.buckets.flatMap(\.scan.problems)
            #expect(
                problems.contains { $0.contains("4 objects listed more than once") },
                "\(memory): \(problems)")
        }
    }

    @Test("It takes more memory where scratch takes nothing, and says so")
    func noScratch() async throws {
        let whole = try await audit(memory: 256 << 20).audit
        let other = try await audit(memory: 5_000, isScratchGone: true).audit
        #expect(found(other) == found(whole) && other.summary.status == .complete)
        let note = try #require(other.summary.notes.first { $0.contains("--memory") })
        #expect(note.hasPrefix("more memory was taken than --memory allows, since /tmp/mooring-"))
        #expect(
            note.hasSuffix(
                "/scratch took no more: No such file or directory; give a folder with more room "
                    + "by --scratch"))
    }

    @Test("Where scratch cannot be read any more, it is incomplete and finds nothing new")
    func damaged() async throws {
        let whole = try await audit(memory: 256 << 20).audit
        let (other, cuts) = try await audit(memory: 5_000, cut: .objects)
        #expect(cuts == 1)
        #expect(other.summary.status == .incomplete)
        let problems = other.summary.records.flatMap(\.scan.problems)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("cannot be read: Input/output error; check") == true)
        #expect(found(other).isSubset(of: found(whole)))
    }

    @Test("Judging asks scratch again, and the audit is incomplete where it does not answer")
    func damagedLate() async throws {
        let (other, cuts) = try await audit(memory: 5_000, cut: .judge)
        #expect(cuts > 0)
        #expect(other.summary.status == .incomplete)
        #expect(!other.findings.isEmpty && other.findings.allSatisfy(isMarked))
        let problems = other.summary.records.flatMap(\.scan.problems)
        #expect(problems.count == 1 && other.summary.incompleteSides == ["app"])
    }

    @Test("Nothing is called an orphan where scratch was lost while references were confirmed")
    func damagedInConfirm() async throws {
        let whole = try await audit(memory: 256 << 20).audit
        let (other, cuts) = try await audit(memory: 5_000, cut: .confirm)
        #expect(cuts > 0)
        #expect(other.summary.status == .incomplete)
        #expect(found(other).isSubset(of: found(whole)))
        #expect(!other.findings.isEmpty && other.findings.allSatisfy(isMarked))
    }

    private func isMarked(_ finding: Finding) -> Bool {
        finding.evidence.contains("this run is incomplete: app")
    }
}
