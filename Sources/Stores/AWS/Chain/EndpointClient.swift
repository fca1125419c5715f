import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL

/// Where the endpoints are that give credentials.
struct EndpointAddresses: Sendable {
    /// Where a container asks at a relative address.
    var container = "http://169.254.170.2"
    /// Where an instance asks for its metadata.
    var instance = "http://169.254.169.254"
    /// The same over IPv6.
    var instanceIPv6 = "http://[fd00:ec2::254]"
}

/// Asks the endpoints that give credentials: no redirect, short answers, a time limit.
final class EndpointClient: Sendable {
    /// An endpoint's answer.
    struct Answer: Sendable {
        /// The status.
        let status: Int
        /// The whole body, at most 1 MiB.
        let body: [UInt8]
    }

    /// What an endpoint is asked.
    struct Question: Sendable {
        /// The method, in capitals.
        let method: String
        /// The whole address; no redirect leads elsewhere.
        let url: String
        /// The headers.
        var headers: [(name: String, value: String)] = []
        /// The body.
        var body = ""
    }

    /// Why there was none, without anything of the request.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let bodyLimit = 1 << 20
    private let client: HTTPClient

    /// A client with connections of its own; by default directly, and with the system's trust.
    init(proxy: Proxy? = nil, trust: TrustBundle? = nil) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let trust { tls.additionalTrustRoots = [.certificates(trust.certificates)] }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.proxy = proxy.map { proxy in
            .server(
                host: proxy.host, port: proxy.port,
                authorization: proxy.login.map {
                    .basic(username: $0.user, password: $0.password)
                })
        }
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // Nothing waits for the connections.
        client.shutdown { _ in }
    }

    /// Asks a question, up to `attempts` times while there is no answer or one of 500 and above;
    /// throws `Failure`.
    func ask(_ question: Question, seconds: Int64, attempts: Int) async throws -> Answer {
        var request = HTTPClientRequest(url: question.url)
        request.method = HTTPMethod(rawValue: question.method)
        for (name, value) in question.headers { request.headers.add(name: name, value: value) }
        if !question.body.isEmpty { request.body = .bytes(ByteBuffer(string: question.body)) }
        var last = Failure(description: "was never asked")
        for attempt in 0..<max(1, attempts) {
            if attempt > 0 { try await Task.sleep(for: .milliseconds(200 << attempt)) }
            do {
                let answer = try await once(request, seconds: seconds)
                if answer.status < 500 || attempt == attempts - 1 { return answer }
                last = Failure(description: "answered with status \(answer.status)")
            } catch let error as HTTPClientError {
                // Its words come from the library and hold nothing of the request.
                last = Failure(description: "no answer: \(error)")
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                last = Failure(description: "no connection")
            }
        }
        throw last
    }

    private func once(_ request: HTTPClientRequest, seconds: Int64) async throws -> Answer {
        let response = try await client.execute(request, timeout: .seconds(seconds))
        let body = try await response.body.collect(upTo: Self.bodyLimit)
        return Answer(
            status: Int(response.status.code), body: Array(body.readableBytesView))
    }
}

/// Which addresses may be asked for credentials without encryption.
enum EndpointRule {
    /// Why an address is refused; nil when it may be asked: over HTTPS any, over HTTP this machine
    /// and the addresses at which containers find their credentials.
    static func refusal(of address: String) -> String? {
        // The same parser that the client uses, so that both see the same host.
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            let host = url.host, !host.isEmpty
        else { return "is no address" }
        guard url.user == nil, url.password == nil else { return "names a user" }
        if scheme == "https" { return nil }
        guard scheme == "http" else { return "is neither http nor https" }
        let plain = host.filter { $0 != "[" && $0 != "]" }
        if ["localhost", "169.254.170.2", "169.254.170.23"].contains(plain) { return nil }
        return isLocal(plain)
            ? nil
            : "is plain HTTP to a host that is neither this machine nor a container's own endpoint"
    }

    private static func isLocal(_ host: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            return UInt32(bigEndian: four.s_addr) >> 24 == 127
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        let pods: [UInt8] = [0xFD, 0, 0x0E, 0xC2] + [UInt8](repeating: 0, count: 11) + [0x23]
        return bytes == loopback || bytes == pods
    }
}
