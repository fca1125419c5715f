import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import MooringAWS

/// What a sending that brought no answer is told as, and what to do about it.
@Suite("Why a sending brought no answer, in words")
struct TransportFailureTests {
    private static let origin = Origin(host: "s3.example.com")
    private static let place = "s3.example.com:443"
    private static let reach =
        "check that the endpoint's host and port are right, and that this machine may reach it"

    private func told(
        _ error: any Error, wasSent: Bool = true, origin: Origin = origin
    ) -> TransportFailure {
        TransportFailure(error, origin: origin, proxy: nil, wasSent: wasSent)
    }

    /// A failure, whether the request was sent, and what is said of it.
    struct Line: Sendable {
        let error: any Error
        var wasSent = true
        let reason: String
        var hint: String?
        var isHopeless = false
    }

    private static let lines = [
        Line(
            error: BodyFault.tooLong(limit: 9),
            reason: "the answer of \(place) is longer than 9 bytes",
            isHopeless: true),
        Line(
            error: BodyFault.tooShort(got: 3, of: 9),
            reason: "the answer of \(place) broke off: 3 of 9 bytes"),
        Line(
            error: HTTPClientError.connectTimeout, wasSent: false,
            reason: "no connection to \(place) in time", hint: reach),
        Line(
            error: HTTPClientError.readTimeout, reason: "no whole answer of \(place) in time"),
        Line(
            error: HTTPClientError.readTimeout, wasSent: false,
            reason: "no connection to \(place) in time", hint: reach),
        Line(
            error: HTTPClientError.remoteConnectionClosed,
            reason: "\(place) closed the connection before its answer was whole"),
        Line(
            error: HTTPClientError.remoteConnectionClosed, wasSent: false,
            reason: "\(place) closed the connection at once", hint: reach),
        Line(
            error: HTTPClientError.alreadyShutdown, reason: "the client was shut down",
            isHopeless: true),
        Line(
            error: HTTPClientError.emptyHost, reason: "\(place) is no place that can be reached",
            hint: "write the endpoint as https://HOST or https://HOST:PORT", isHopeless: true),
        Line(
            error: HTTPClientError.httpProxyHandshakeTimeout,
            reason: "the proxy  did not answer in time"),
        Line(
            error: HTTPClientError.proxyAuthenticationRequired,
            reason: "the proxy  wants another name and password",
            hint: "put them into the variable: http://USER:PASSWORD@HOST:PORT, both "
                + "percent-encoded", isHopeless: true),
        Line(
            error: HTTPClientError.invalidProxyResponse,
            reason: "the proxy  does not connect to \(place)",
            hint: "allow it there, or name the host in NO_PROXY", isHopeless: true),
        Line(
            error: HTTPParserError.invalidVersion,
            reason: "\(place) answered with what is no HTTP",
            hint: "check that the endpoint's port and scheme are right"),
        Line(
            error: IOError(errnoCode: 104, reason: "read"),
            reason: "the connection to \(place) broke: connection reset by peer"),
        Line(
            error: IOError(errnoCode: 111, reason: "connect"), wasSent: false,
            reason: "no connection to \(place): connection refused", hint: reach),
        Line(
            error: NIOSSLExtraError.failedToValidateHostname,
            reason: "the certificate of \(place) does not verify: it is for another host",
            hint: "name the PEM file of the authority that signed it as caBundle under s3:, or in "
                + "AWS_CA_BUNDLE; there is no way to go on without", isHopeless: true),
        Line(
            error: NIOSSLError.handshakeFailed(.sslError([])),
            reason: "\(place) and this machine cannot agree on TLS", isHopeless: true),
        Line(
            error: NIOSSLError.uncleanShutdown, reason: "TLS with \(place) ended before its time"),
        Line(
            error: CancellationError(),
            reason: "the connection to \(place) ended: CancellationError"),
        Line(
            error: CancellationError(), wasSent: false,
            reason: "no connection to \(place): CancellationError", hint: reach),
    ]

    @Test("each failure says what was found and what to do, and whether trying again may help")
    func words() {
        for line in Self.lines {
            let told = told(line.error, wasSent: line.wasSent)
            #expect(told.reason == line.reason && told.hint == line.hint)
            let isHopeless = told.sending == .hopeless(wasSent: line.wasSent)
            #expect(isHopeless == line.isHopeless, "\(line.reason)")
            #expect(isHopeless || told.sending == (line.wasSent ? .lost : .unsent))
        }
        let plain = Origin(isSecure: false, host: "localhost", port: 9_000)
        #expect(
            told(HTTPClientError.readTimeout, origin: plain).reason
                == "no whole answer of localhost:9000 in time")
    }
}
