import MooringAWS
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct ThrottleTests {
    @Test func aStormIsRiddenOut() async throws {
        let server = try await ScriptedServer { number, _ in
            // Thirty refusals, then calm.
            number < 30 ? .error(503, "SlowDown") : .later(.milliseconds(2), .answer(200))
        }
        let client = TestClient.make(connections: 32)
        let answers = try await together(400) { _ in
            try await client.send(TestClient.write(server.origin)).status
        }
        #expect(answers.allSatisfy { $0 == 200 })
        #expect(client.traffic.slowDowns == 30 && server.seen.count == 430)
        #expect(server.mostInFlight <= 32)
        // It recovers: one more for each round of successes.
        #expect(client.widths.now > 1)
    }

    @Test func requestsInFlightStayBelowTheConcurrency() async throws {
        let server = try await ScriptedServer { _, _ in .later(.milliseconds(20), .answer(200)) }
        let client = TestClient.make(connections: 3)
        _ = try await together(60) { _ in
            try await client.send(TestClient.read(server.origin)).status
        }
        #expect(server.mostInFlight <= 3)
        #expect(client.widths.mostInFlight == 3)
    }

    @Test func oneRefusalHalvesWhatIsInFlight() async throws {
        let server = try await ScriptedServer { number, _ in
            number == 15 ? .error(503, "SlowDown") : .later(.milliseconds(100), .answer(200))
        }
        let client = TestClient.make(connections: 16)
        _ = try await together(16) { _ in
            try await client.send(TestClient.read(server.origin)).status
        }
        #expect(client.widths.now <= 9 && client.traffic.slowDowns == 1)
    }

    @Test func retryAfterIsKeptByAll() async throws {
        let server = try await ScriptedServer { number, _ in
            number == 0
                ? .error(429, "TooManyRequests", headers: [("Retry-After", "1")]) : .answer(200)
        }
        let client = TestClient.make(connections: 4)
        let start = ContinuousClock.now
        _ = try await client.send(TestClient.write(server.origin))
        #expect(ContinuousClock.now - start >= .milliseconds(900))
    }
}
