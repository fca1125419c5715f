import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringDynamoDB

@Suite("The clock of DynamoDB")
struct DynamoDBClockTests {
    private func source(_ stage: Stage, port: Int? = nil) -> DynamoDBSource {
        stage.source(port: port) { $0.models = [ModelMapping(model: "Song")] }
    }

    private func calls(_ proxy: FaultProxy) -> [String] {
        proxy.log.compactMap { $0["x-amz-target"]?.split(separator: ".").last.map(String.init) }
    }

    private func verifyAgrees(_ kind: ServerKind) async throws {
        let stage = try await Stage(kind)
        try await stage.makeTable("Song")
        let start = ContinuousClock.now
        let measured = try #require(try await source(stage).measureClock())
        // A header tells no more than the second.
        #expect(measured >= .seconds(1) && measured < .seconds(5) + (.now - start))
    }

    @Test("MiniStack's is this machine's", .requires(.ministack))
    func ministack() async throws { try await verifyAgrees(.ministack) }

    @Test("moto's is this machine's", .requires(.moto))
    func moto() async throws { try await verifyAgrees(.moto) }

    @Test(
        "is read from the answers, to a look at a table where there was none yet",
        .requires(.ministack), arguments: [400, -400])
    func difference(seconds: Int) async throws {
        let stage = try await Stage()
        try await stage.makeTable("Song")
        let proxy = try stage.server.proxy()
        proxy.set(FaultRule(.clock(ahead: seconds)))
        let source = source(stage, port: proxy.port)
        let start = ContinuousClock.now
        let measured = try #require(try await source.measureClock())
        #expect(measured > .seconds(395) && measured < .seconds(405) + (.now - start))
        #expect(calls(proxy) == ["DescribeTable"])
        // What a scan's answers told is enough.
        let other = self.source(stage, port: proxy.port)
        _ = try await other.read(.columns([TableColumns(table: "Song", columns: ["id"])]))
        proxy.forget()
        #expect(try #require(try await other.measureClock()) > .seconds(395))
        #expect(calls(proxy) == [])
    }

    @Test(
        "without a header tells nothing, and one that cannot be asked is a failure",
        .requires(.ministack))
    func untold() async throws {
        let stage = try await Stage()
        try await stage.makeTable("Song")
        let proxy = try stage.server.proxy()
        proxy.set(FaultRule(.header("Date", nil)))
        #expect(try await source(stage, port: proxy.port).measureClock() == nil)
        let closed = stage.source(port: 1, retries: .once) {
            $0.models = [ModelMapping(model: "Song")]
        }
        await #expect(throws: StoreError.self) { try await closed.measureClock() }
    }
}
