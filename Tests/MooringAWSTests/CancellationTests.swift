import MooringAWS
import Testing

@Suite(.timeLimit(.minutes(2))) struct CancellationTests {
    /// Cancels a call while it does what the script makes it do, and waits for its end.
    private func cancelled(
        _ client: AWSClient, _ server: ScriptedServer
    ) async throws -> (isCancellation: Bool, took: Duration) {
        let task = Task { try await client.send(TestClient.read(server.origin)) }
        try await server.receives(1)
        // Until it is where the test wants it, behind the answer or in the line.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        task.cancel()
        let result = await task.result
        guard case .failure(let error) = result else { return (false, .zero) }
        return (error is CancellationError, ContinuousClock.now - start)
    }

    @Test(arguments: [
        ScriptedServer.Reply.silence, .stall("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
    ])
    func aCallUnderWayEnds(_ reply: ScriptedServer.Reply) async throws {
        let server = try await ScriptedServer { _, _ in reply }
        let (isCancellation, took) = try await cancelled(TestClient.make(), server)
        #expect(isCancellation && took < .seconds(5))
        #expect(server.seen.count == 1)
    }

    @Test func aCallBetweenTwoSendingsEnds() async throws {
        let server = try await ScriptedServer { _, _ in .error(500, "InternalError") }
        var settings = AWSClientSettings()
        settings.retries.firstDelay = .seconds(20)
        settings.random = { 1 }
        let (isCancellation, took) = try await cancelled(TestClient.make(settings), server)
        #expect(isCancellation && took < .seconds(5) && server.seen.count == 1)
    }

    @Test func aCallThatWaitsForItsTurnEnds() async throws {
        let server = try await ScriptedServer { _, _ in .silence }
        let client = TestClient.make(connections: 1)
        let first = Task { try await client.send(TestClient.read(server.origin)) }
        try await server.receives(1)
        let (isCancellation, took) = try await cancelled(client, server)
        #expect(isCancellation && took < .seconds(5) && server.seen.count == 1)
        first.cancel()
        _ = await first.result
    }

    @Test func aCallThatPausesEnds() async throws {
        let server = try await ScriptedServer { _, _ in
            .error(503, "SlowDown", headers: [("Retry-After", "30")])
        }
        let (isCancellation, took) = try await cancelled(TestClient.make(), server)
        #expect(isCancellation && took < .seconds(5) && server.seen.count == 1)
    }

    @Test func shutdownWaitsForNothing() async throws {
        let server = try await ScriptedServer { _, _ in .silence }
        let client = TestClient.make(connections: 1)
        let tasks = (0..<3).map { _ in
            Task { try await client.send(TestClient.read(server.origin)) }
        }
        try await server.receives(1)
        let start = ContinuousClock.now
        client.shutdown()
        #expect(ContinuousClock.now - start < .seconds(1))
        for task in tasks {
            let result = await task.result
            guard case .failure(let error) = result else {
                Issue.record("a call was answered")
                continue
            }
            #expect("\(error)".contains("shut down"))
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        let failure = try await TestClient.failure(of: client, TestClient.read(server.origin))
        #expect(failure?.reason.contains("shut down") == true)
    }
}
