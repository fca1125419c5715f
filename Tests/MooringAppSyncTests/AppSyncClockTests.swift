import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

@Suite("AppSync: its clock", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncClockTests {
    @Test("The server's own is this machine's")
    func agrees() async throws {
        let source = try await AppSyncStage().source
        let start = ContinuousClock.now
        let measured = try #require(try await source.measureClock())
        #expect(measured >= .seconds(1) && measured < .seconds(5) + (.now - start))
    }

    @Test(
        "It is read from the answers, to a question for nothing where there was none yet",
        arguments: [400, -400])
    func difference(seconds: Int) async throws {
        let stage = try await AppSyncStage(isProxied: true)
        let proxy = try #require(stage.proxy)
        proxy.set(FaultRule(.clock(ahead: seconds)))
        let start = ContinuousClock.now
        let measured = try #require(try await stage.source.measureClock())
        #expect(measured > .seconds(395) && measured < .seconds(405) + (.now - start))
        #expect(proxy.log.count == 1)
        #expect(try stage.api.texts(of: "__typename").count == 1)
        #expect(try await stage.source.read(.everything).result.isComplete)
        proxy.forget()
        #expect(try #require(try await stage.source.measureClock()) > .seconds(395))
        #expect(proxy.log.isEmpty)
    }

    @Test("Without a header it tells nothing; an API that cannot be asked is a failure")
    func untold() async throws {
        let stage = try await AppSyncStage(isProxied: true)
        let proxy = try #require(stage.proxy)
        proxy.set(FaultRule(.header("Date", nil)))
        #expect(try await stage.source.measureClock() == nil)
        proxy.set(FaultRule(.answer(404)))
        await #expect(throws: StoreError.self) { try await stage.source.measureClock() }
    }
}
