import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

/// Locks that a scan would take away from the app.
@Suite("PostgreSQL: room for locks", .requires(.postgres), .timeLimit(.minutes(60)))
struct LockRoomTests {
    private func options(_ share: Double) -> PostgresOptions {
        var options = PostgresOptions(lockTimeout: .milliseconds(300))
        options.lockShare = share
        return options
    }

    @Test("a scan that would fill the server's table of locks reads nothing, and says what to set")
    func full() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE song (id text PRIMARY KEY, cover text) PARTITION BY LIST (id);
            CREATE TABLE one PARTITION OF song DEFAULT
            """)
        let mapped = RecordScope.columns([TableColumns(table: "song", columns: ["cover"])])
        for scope in [mapped, .everything] {
            let scan = try await stage.source(options: options(0.0001)).read(scope)
            #expect(!scan.result.isComplete && scan.batches.isEmpty)
            let told = scan.result.problems.map(\.reason).joined()
            // Two tables, an index of each, and the partition's long values with their index.
            #expect(told.contains("takes 6 locks"))
            #expect(told.contains("set max_locks_per_transaction to "))
            #expect(told.contains("unread"))
        }
        let enough = try await stage.source(options: options(0.5)).read(mapped)
        #expect(enough.result.isComplete)
    }

    @Test("what is held already is not free, and the setting that is named would be enough")
    func arithmetic() throws {
        var room = LockRoom(total: 6_400, locked: 400, needed: 3_000, transactions: 100, share: 0.5)
        try room.require()
        room = LockRoom(total: 6_400, locked: 401, needed: 3_000, transactions: 100, share: 0.5)
        let failure = #expect(throws: PostgresFailure.self) { try room.require() }
        #expect(failure.map { "\($0)" }?.contains("max_locks_per_transaction to 65 or") == true)
        #expect(
            failure?.reason
                == "one snapshot of its tables takes 3000 locks; of 6400 that the server has room "
                + "for 401 are held, and a scan takes no more than 2999, so that the app's own "
                + "transactions go on")
        try LockRoom(total: 6_500, locked: 401, needed: 3_000, transactions: 100, share: 0.5)
            .require()
    }
}
