import MooringAWS
import Testing

@Suite(.timeLimit(.minutes(15))) struct CancellationTests {
    /// A client whose own waits all outlast the suite: what ends within it was cancelled.
    private func client(connections: Int = 4) -> AWSClient {
        var settings = AWSClientSettings()
        settings.times.read = .seconds(1_800)
        settings.times.whole = .seconds(1_800)
        settings.retries.firstDelay = .seconds(1_800)
        settings.retries.longestDelay = .seconds(1_800)
        settings.retries.longestAskedDelay = .seconds(1_800)
        settings.retries.deadline = .seconds(36_000)
        settings.random = { 1 }
        return TestClient.make(connections: connections, settings)
    }

    /// Cancels a call while it does what the script makes it do, and waits for its end.
    private func endsCancelled(
        _ client: AWSClient, _ server: ScriptedServer
    ) async throws -> Bool {
        let task = Task { try await client.send(TestClient.read(server.origin)) }
        try await server.receives(1)
        // Until it is where the test wants it, behind the answer or in the line.
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        guard case .failure(let error) = await task.result else { return false }
        return error is CancellationError
    }

    @Test(arguments: [
        ScriptedServer.Reply.silence, .stall("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
    ])
    func aCallUnderWayEnds(_ reply: ScriptedServer.Reply) async throws {
        let server = try await ScriptedServer { _, _ in reply }
        #expect(try await endsCancelled(client(), server))
        #expect(server.seen.count == 1)
    }

    @Test func aCallBetweenTwoSendingsEnds() async throws {
        let server = try await ScriptedServer { _, _ in .error(500, "InternalError") }
        #expect(try await endsCancelled(client(), server))
        #expect(server.seen.count == 1)
    }

    @Test func aCallThatWaitsForItsTurnEnds() async throws {
        let server = try await ScriptedServer { _, _ in .silence }
        let client = client(connections: 1)
        let first = Task { try await client.send(TestClient.read(server.origin)) }
        try await server.receives(1)
        #expect(try await endsCancelled(client, server))
        #expect(server.seen.count == 1)
        first.cancel()
        _ = await first.result
    }

    @Test func aCallThatPausesEnds() async throws {
        let server = try await ScriptedServer { _, _ in
            .error(503, "SlowDown", headers: [("Retry-After", "1800")])
        }
        #expect(try await endsCancelled(client(), server))
        #expect(server.seen.count == 1)
    }

    @Test func shutdownWaitsForNothing() async throws {
        let server = try await ScriptedServer { _, _ in .silence }
        let client = client(connections: 1)
        let tasks = (0..<3).map { _ in
            Task { try await client.send(TestClient.read(server.origin)) }
        }
        try await server.receives(1)
        client.shutdown()
        for task in tasks {
            let result = await task.result
            guard case .failure(let error) = result else {
                Issue.record("a call was answered")
                continue
            }
            #expect("\(error)".contains("shut down"))
        }
        let failure = try await TestClient.failure(of: client, TestClient.read(server.origin))
        #expect(failure?.reason.contains("shut down") == true)
    }
}
