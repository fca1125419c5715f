import GRDB
import MooringModel
import Synchronization
import Testing

@testable import MooringLedger

/// What writing costs: how often the disk is waited for, and what is written though it is the same.
struct WritingCostTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    @Test("Thousands of findings are one wait between a recording's beginning and its end")
    func commits() throws {
        try ledger.begin(Sample.summary(1))
        let findings = (0..<2_500).map { Sample.finding("f\($0)") }
        let commits = Commits()
        ledger.queue.inDatabase { $0.add(transactionObserver: commits) }
        try ledger.record(
            findings, of: Sample.run(1), in: FindingSeries(scope: "s", configuration: "c"),
            words: RunWords())
        #expect(commits.count == 3)
        #expect(try ledger.allFindings(in: Sample.run(1)).count == 2_500)
    }

    @Test("Sightings that were closed are not written again by the next run that closes")
    func closedSightings() throws {
        try ledger.record(run: 1, [Sample.finding("f")])
        try ledger.sight([("f", "v")], at: Sample.hour(1), run: Sample.run(1))
        try ledger.closeSightings(run: Sample.run(1))
        let before = try ledger.queue.read { $0.totalChangesCount }
        try ledger.closeSightings(run: Sample.run(1))
        #expect(try ledger.queue.read { $0.totalChangesCount } == before)
    }

    @Test("The -wal file is copied into the ledger once it holds 32 MiB")
    func checkpoints() throws {
        let pages = try ledger.queue.read { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") }
        #expect(pages == 8_192)
    }
}

/// Counts the transactions that changed something.
private final class Commits: TransactionObserver {
    private let commits = Mutex(0)

    var count: Int { commits.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
}
