import MooringModel
import Synchronization
import Testing

@testable import MooringAWS

@Suite struct RefreshTests {
    /// Gives credentials that last an hour, counts how often, and fails when told to.
    private final class Issuer: Sendable {
        struct Refused: Error {}

        let clock: TestClock
        let lifetime: Duration
        let state = Mutex((count: 0, fails: false))

        init(_ clock: TestClock, lifetime: Duration = .hours(1)) {
            self.clock = clock
            self.lifetime = lifetime
        }

        var count: Int { state.withLock { $0.count } }

        func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

        func issue() async throws -> Credentials {
            try await Task.sleep(for: .milliseconds(20))
            let (number, fails) = state.withLock { state in
                state.count += 1
                return (state.count, state.fails)
            }
            if fails { throw Refused() }
            return Credentials(
                accessKeyID: "K\(number)", secretAccessKey: "S", expiresAt: clock.now + lifetime)
        }
    }

    private let clock = TestClock()

    private func source(_ issuer: Issuer) -> RefreshedCredentials {
        RefreshedCredentials(clock: { clock.now }, fetch: { try await issuer.issue() })
    }

    private func ids(_ source: RefreshedCredentials, callers: Int) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<callers {
                group.addTask { try await source.credentials().accessKeyID }
            }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }

    @Test func allWhoWaitShareOneRefresh() async throws {
        let issuer = Issuer(clock)
        let source = source(issuer)
        #expect(try await ids(source, callers: 200) == ["K1"])
        #expect(issuer.count == 1)
        clock.advance(.minutes(59) + .seconds(30))
        #expect(try await ids(source, callers: 200) == ["K2"])
        #expect(issuer.count == 2)
    }

    @Test func newOnesComeBeforeTheOldOnesEndWhileNobodyWaits() async throws {
        let issuer = Issuer(clock)
        let source = source(issuer)
        #expect(try await ids(source, callers: 1) == ["K1"])
        clock.advance(.minutes(54))
        #expect(try await ids(source, callers: 10) == ["K1"])
        #expect(issuer.count == 1)
        clock.advance(.minutes(2))
        #expect(try await ids(source, callers: 10) == ["K1"])
        while issuer.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        while try await ids(source, callers: 1) != ["K2"] {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(issuer.count == 2)
    }

    @Test func aFailedRefreshUsesTheOldOnesToTheirEnd() async throws {
        let issuer = Issuer(clock)
        let source = source(issuer)
        #expect(try await ids(source, callers: 1) == ["K1"])
        issuer.fail(true)
        clock.advance(.minutes(59) + .seconds(30))
        #expect(try await ids(source, callers: 20) == ["K1"])
        #expect(issuer.count == 2)
        // No second attempt right behind the first.
        #expect(try await ids(source, callers: 20) == ["K1"])
        #expect(issuer.count == 2)
        clock.advance(.seconds(11))
        #expect(try await ids(source, callers: 1) == ["K1"])
        #expect(issuer.count == 3)
        clock.advance(.seconds(20))
        await #expect(throws: Issuer.Refused.self) { try await source.credentials() }
        issuer.fail(false)
        #expect(try await ids(source, callers: 1) == ["K5"])
    }

    @Test func aFailureIsNotKept() async throws {
        let issuer = Issuer(clock)
        let source = source(issuer)
        issuer.fail(true)
        await #expect(throws: Issuer.Refused.self) { try await source.credentials() }
        issuer.fail(false)
        #expect(try await ids(source, callers: 5) == ["K2"])
    }

    @Test func shortLivedOnesAreNotFetchedForEachRequest() async throws {
        let issuer = Issuer(clock, lifetime: .minutes(2))
        let source = source(issuer)
        for _ in 0..<50 { _ = try await source.credentials() }
        #expect(issuer.count == 1)
    }

    @Test func refusedOnesAreFetchedAnewAndOnce() async throws {
        let issuer = Issuer(clock)
        let source = source(issuer)
        let first = try await source.credentials()
        await source.forget(first)
        #expect(try await ids(source, callers: 20) == ["K2"])
        await source.forget(first)
        #expect(try await ids(source, callers: 20) == ["K2"])
        #expect(issuer.count == 2)
    }

    @Test func credentialsWithoutAnEndAreKept() async throws {
        let source = RefreshedCredentials(clock: { clock.now }) {
            Credentials(accessKeyID: "A", secretAccessKey: "S")
        }
        #expect(try await ids(source, callers: 3) == ["A"])
        clock.advance(.days(400))
        #expect(try await ids(source, callers: 3) == ["A"])
    }

    @Test func theChainRefreshesWhatItFound() async throws {
        let server = try await FakeEndpoint { [clock] _ in
            .init(
                body: "{\"AccessKeyId\": \"A\", \"SecretAccessKey\": \"S\", \"Token\": \"T\", "
                    + "\"Expiration\": \"\((clock.now + .hours(1)).iso8601)\"}")
        }
        let scratch = try ChainScratch()
        let chain = scratch.chain(
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address], clock: clock)
        let first = try await chain.credentials()
        clock.advance(.hours(1) - .seconds(5))
        let second = try await chain.credentials()
        #expect(first.expiresAt != second.expiresAt)
        #expect(server.requests.count == 2)
        #expect("\(second) \(String(reflecting: second))" == "credentials A credentials A")
    }
}
