import AsyncHTTPClient
package import MooringModel
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends signed calls to one service over a bounded number of connections.
package final class AWSClient: AWSCaller {
    private let client: HTTPClient
    private let signer: Signer
    private let credentials: any CredentialSource
    private let clock: @Sendable () -> Instant
    private let counts = Mutex<[String: Int]>([:])

    /// A client; `connections` is the most that are open at a time.
    package init(
        signer: Signer, credentials: any CredentialSource, connections: Int,
        clock: @escaping @Sendable () -> Instant
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.signer = signer
        self.credentials = credentials
        self.clock = clock
    }

    deinit {
        // The process ends soon, and nothing waits for the connections.
        client.shutdown { _ in }
    }

    /// How many requests were sent so far, by the names of their calls.
    package var requestCounts: [String: Int] { counts.withLock { $0 } }

    /// Sends a call.
    package func send(_ request: AWSRequest) async throws -> AWSResponse {
        counts.withLock { $0[request.call, default: 0] += 1 }
        let query = PercentEncoding.query(request.query)
        var outgoing = HTTPClientRequest(
            url: request.origin.text + PercentEncoding.path(request.path)
                + (query.isEmpty ? "" : "?" + query))
        outgoing.method = HTTPMethod(rawValue: request.method)
        let signed = signer.sign(request, with: try await credentials.credentials(), at: clock())
        for (name, value) in signed { outgoing.headers.add(name: name, value: value) }
        if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
        do {
            let response = try await client.execute(outgoing, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 64 << 20)
            return AWSResponse(
                status: Int(response.status.code),
                headers: response.headers.map { ($0.name.lowercased(), $0.value) },
                body: Array(body.readableBytesView))
        } catch {
            throw AWSFailure(
                call: request.call, reason: "no answer: \(error)",
                mayHaveHappened: !["GET", "HEAD"].contains(request.method))
        }
    }
}
