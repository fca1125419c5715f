import Glibc
import MooringModel
import TestServers
import Testing

@testable import MooringPostgres

@Suite("The clock of a PostgreSQL server", .requires(.postgres), .timeLimit(.minutes(60)))
struct PostgresClockTests {
    private func source(_ address: String, ahead seconds: Int64) -> PostgresSource {
        PostgresSource(
            name: "app", address: address, mapping: RecordMapping(source: "app", models: []),
            options: PostgresOptions(),
            clock: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Instant(seconds: Int64(time.tv_sec) + seconds)
                    + .nanoseconds(Int64(time.tv_nsec))
            })
    }

    @Test(
        "differs by what this machine's is ahead or behind, less the time that its answer took",
        arguments: [0, 400, -400, 1, -1])
    func difference(seconds: Int64) async throws {
        let stage = try await Stage()
        let source = source(stage.database.openURL, ahead: seconds)
        let measured = try #require(try await source.measureClock())
        let truth = Duration.seconds(abs(seconds))
        #expect(measured <= truth)
        #expect(measured >= max(.zero, truth - .seconds(5)))
        if abs(seconds) == 400 { #expect(measured > .minutes(5)) }
    }

    @Test("that cannot be asked is no clock that agrees")
    func unreachable() async throws {
        let source = source("postgresql://owner@127.0.0.1:1/none", ahead: 0)
        await #expect(throws: StoreError.self) { try await source.measureClock() }
    }
}
