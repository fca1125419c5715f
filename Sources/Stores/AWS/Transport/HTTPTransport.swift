import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Connections: kept open between requests, bounded, encrypted and verified where the origin says
/// so, through a proxy where the settings say so.
final class HTTPTransport: Sendable {
    /// What a client of the library is made for.
    private struct Route: Hashable {
        let proxy: Proxy?
        let isSlow: Bool
    }

    private let connections: Int
    private let limits: TimeLimits
    private let trust: TrustBundle?
    private let proxies: ProxySettings
    // One loop for all: an answer is then never handed from one thread to another on its way up.
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let clients = Mutex<[Route: HTTPClient]?>([:])
    private let addresses = Mutex<[Origin: URL]>([:])

    /// A transport with at most so many connections to an origin.
    init(connections: Int, limits: TimeLimits, trust: TrustBundle?, proxies: ProxySettings) {
        self.connections = connections
        self.limits = limits
        self.trust = trust
        self.proxies = proxies
    }

    deinit { shutDown() }

    /// Ends all connections and everything under way; waits for nothing.
    func shutDown() {
        let ended = clients.withLock { clients in
            defer { clients = nil }
            return clients?.values.map { $0 } ?? []
        }
        for client in ended { client.shutdown { _ in } }
    }

    /// Sends a request once. Throws `TransportFailure` when no whole answer came, and
    /// `CancellationError`.
    func send(
        _ request: AWSRequest, headers: [(name: String, value: String)],
        _ collector: ResponseCollector
    ) async throws -> HTTPAnswer {
        let proxy = proxies.proxy(for: request.origin)
        do {
            guard let client = client(for: Route(proxy: proxy, isSlow: request.isSlow)) else {
                throw HTTPClientError.alreadyShutdown
            }
            let whole = request.isSlow ? limits.slowWhole : limits.whole
            let task = client.execute(
                request: try outgoing(request, headers), delegate: collector,
                deadline: .now() + TimeAmount(whole))
            return try await withTaskCancellationHandler {
                try await task.futureResult.get()
            } onCancel: {
                task.fail(reason: CancellationError())
            }
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw TransportFailure(
                error, origin: request.origin, proxy: proxy, wasSent: collector.wasSent)
        }
    }

    private func outgoing(
        _ request: AWSRequest, _ headers: [(name: String, value: String)]
    ) throws -> HTTPClient.Request {
        let query = PercentEncoding.query(request.query)
        var fields = HTTPHeaders()
        fields.reserveCapacity(headers.count + 3)
        // What was signed is what is sent, whatever a library would write.
        fields.add(name: "host", value: request.origin.authority)
        fields.add(
            name: TargetWriter.header,
            value: PercentEncoding.path(request.path) + (query.isEmpty ? "" : "?" + query))
        for (name, value) in headers { fields.add(name: name, value: value) }
        return try HTTPClient.Request(
            url: try address(of: request.origin), method: HTTPMethod(rawValue: request.method),
            headers: fields,
            body: request.body.isEmpty ? nil : .byteBuffer(ByteBuffer(bytes: request.body)))
    }

    // Parsing an address takes longer than signing a request, and there are few origins.
    private func address(of origin: Origin) throws -> URL {
        try addresses.withLock { addresses in
            if let known = addresses[origin] { return known }
            guard let address = URL(string: origin.text + "/") else {
                throw HTTPClientError.invalidURL
            }
            addresses[origin] = address
            return address
        }
    }

    private func client(for route: Route) -> HTTPClient? {
        clients.withLock { clients in
            if let client = clients?[route] { return client }
            guard clients != nil else { return nil }
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(loop), configuration: configuration(for: route))
            clients?[route] = client
            return client
        }
    }

    private func configuration(for route: Route) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let trust { tls.additionalTrustRoots = [.certificates(trust.certificates)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(limits.connect),
                read: TimeAmount(route.isSlow ? limits.slowRead : limits.read)),
            proxy: route.proxy.map { proxy in
                .server(
                    host: proxy.host, port: proxy.port,
                    authorization: proxy.login.map {
                        .basic(username: $0.user, password: $0.password)
                    })
            },
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.idleTimeout = TimeAmount(limits.idle)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.http1_1ConnectionDebugInitializer = { TargetWriter.install(in: $0) }
        // Retries are this target's own affair: it knows which calls may wait.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
