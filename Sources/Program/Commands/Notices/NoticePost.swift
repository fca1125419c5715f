import MooringAWS
import MooringConfiguration
import MooringModel

/// Sends a notice to an address: three times where nobody answers or the receiver is out of order,
/// at most half a minute in all.
struct NoticePost: Sendable {
    private let caller: AWSClient

    /// A sender that goes through the proxies, and trusts the authorities, that the environment
    /// names.
    init(environment: [String: String]) throws {
        var settings = try AWSClientSettings(environment: environment)
        settings.times.connect = .seconds(5)
        settings.times.read = .seconds(8)
        settings.times.whole = .seconds(10)
        settings.retries.attempts = 3
        settings.retries.firstDelay = .seconds(1)
        settings.retries.longestDelay = .seconds(4)
        settings.retries.longestAskedDelay = .seconds(4)
        settings.retries.deadline = .seconds(30)
        caller = AWSClient(
            scheme: .open, credentials: NoCredentials(), connections: 2, settings: settings,
            clock: SystemClock.now)
    }

    /// Ends the connections.
    func shutdown() { caller.shutdown() }

    /// Sends a body. Throws `AWSFailure` without an answer, and `CommandError` where the answer is
    /// no success; of the address only the host is told.
    func send(
        _ body: [UInt8], to address: WebAddress, type: String,
        headers: [(name: String, value: String)] = []
    ) async throws {
        let endpoint = address.endpoint
        var request = AWSRequest(
            "notice", method: "POST",
            origin: Origin(
                isSecure: endpoint.isSecure, host: endpoint.host, port: endpoint.port),
            path: address.path.isEmpty ? [UInt8(ascii: "/")] : address.path,
            query: address.query.map { .init($0.name, $0.value) },
            headers: [("content-type", type), ("user-agent", "mooring/\(Session.version)")]
                + headers,
            // The receiver of a notice that comes twice knows it by its id.
            body: body, isRepeatable: true)
        request.bodyLimit = 1 << 20
        let answer = try await caller.send(request)
        guard (200..<300).contains(answer.status) else {
            throw CommandError("it answered with status \(answer.status)")
        }
    }
}

/// Nobody's: the address itself is the secret, or the signature in a header.
private struct NoCredentials: CredentialSource {
    func credentials() async throws -> Credentials {
        Credentials(accessKeyID: "", secretAccessKey: "")
    }
}
