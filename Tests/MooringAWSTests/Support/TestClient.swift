import Foundation
import MooringAWS
import MooringModel
import Synchronization

/// Clients of a scripted server, with waits that a test can afford.
enum TestClient {
    static let credentials = Credentials(accessKeyID: "test", secretAccessKey: "testsecret")

    /// Settings with short waits; connections stay open, since a busy machine lets seconds pass
    /// between two calls.
    static func settings() -> AWSClientSettings {
        var settings = AWSClientSettings()
        settings.retries.firstDelay = .milliseconds(1)
        settings.retries.longestDelay = .milliseconds(20)
        settings.times.idle = .minutes(10)
        return settings
    }

    /// A client.
    static func make(
        connections: Int = 4, _ settings: AWSClientSettings = TestClient.settings(),
        credentials: any CredentialSource = GivenCredentials(TestClient.credentials),
        clock: @escaping @Sendable () -> Instant = { Instant.now }
    ) -> AWSClient {
        AWSClient(
            signer: Signer(region: "us-east-1", service: "s3"), credentials: credentials,
            connections: connections, settings: settings, clock: clock)
    }

    /// A read.
    static func read(_ origin: Origin, path: String = "/bucket/key") -> AWSRequest {
        AWSRequest(
            "GetObject", method: "GET", origin: origin, path: Array(path.utf8), isRepeatable: true)
    }

    /// A write that must not be sent twice.
    static func write(_ origin: Origin, isRepeatable: Bool = false) -> AWSRequest {
        AWSRequest(
            "DeleteObject", method: "DELETE", origin: origin, path: Array("/bucket/key".utf8),
            isRepeatable: isRepeatable)
    }

    /// The failure that a call ends with; nil when it got an answer.
    static func failure(
        of client: AWSClient, _ request: AWSRequest
    ) async throws -> AWSFailure? {
        do {
            _ = try await client.send(request)
            return nil
        } catch let failure as AWSFailure {
            return failure
        }
    }
}

/// Credentials that are fetched anew once they were refused.
final class RenewedCredentials: CredentialSource {
    private let state = Mutex((number: 0, refusals: 0))

    /// How often they were refused.
    var refusals: Int { state.withLock { $0.refusals } }

    func credentials() async throws -> Credentials {
        Credentials(
            accessKeyID: "key\(state.withLock { $0.number })", secretAccessKey: "secret")
    }

    func wereRefused(_ credentials: Credentials) async {
        state.withLock { ($0.number, $0.refusals) = ($0.number + 1, $0.refusals + 1) }
    }
}

/// Tasks that a test starts and counts.
func together<Value: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await work(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

extension Instant {
    /// This machine's time.
    static var now: Instant {
        let time = Date().timeIntervalSince1970
        return Instant(nanoseconds: Int64(time * 1_000_000_000))
    }
}
