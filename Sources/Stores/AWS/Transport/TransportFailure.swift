import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Why a sending brought no answer, in words.
struct TransportFailure: Error {
    /// How the sending ended, by which it is sent again or not.
    let sending: Sending
    /// What was found; names the host and the port.
    let reason: String
    /// What to do next, where there is something to say.
    let hint: String?

    /// What an error of the libraries means for a request to an origin.
    init(_ error: any Error, origin: Origin, proxy: Proxy?, wasSent: Bool) {
        let place = Self.place(origin)
        let words = Self.words(error, place, proxy, wasSent)
        reason = words.reason
        hint = words.hint
        if words.isHopeless {
            sending = .hopeless(wasSent: wasSent)
        } else {
            sending = wasSent ? .lost : .unsent
        }
    }

    private struct Words {
        let reason: String
        var hint: String?
        var isHopeless = false
    }

    private static let reachHint =
        "check that the endpoint's host and port are right, and that this machine may reach it"

    private static func place(_ origin: Origin) -> String {
        "\(origin.host):\(origin.port ?? (origin.isSecure ? 443 : 80))"
    }

    private static func words(
        _ error: any Error, _ place: String, _ proxy: Proxy?, _ wasSent: Bool
    ) -> Words {
        switch error {
        case let error as BodyFault: return words(of: error, place)
        case let error as HTTPClientError: return words(of: error, place, proxy, wasSent)
        case let error as NIOConnectionError:
            let through = proxy.map { " through the proxy \($0)" } ?? ""
            return Words(
                reason: "no connection to \(place)\(through): \(cause(of: error))",
                hint: proxy == nil ? reachHint : "check the proxy that the environment names")
        case let error as IOError:
            let what = String(cString: strerror(error.errnoCode)).lowercased()
            let through = proxy.map { " through the proxy \($0)" } ?? ""
            return wasSent
                ? Words(reason: "the connection to \(place) broke: \(what)")
                : Words(
                    reason: "no connection to \(place)\(through): \(what)",
                    hint: proxy == nil ? reachHint : "check the proxy that the environment names")
        case let error as NIOSSLError: return words(of: "\(error)", place)
        case is NIOSSLExtraError: return unverified(place, "it is for another host")
        case is HTTPParserError:
            return Words(
                reason: "\(place) answered with what is no HTTP",
                hint: "check that the endpoint's port and scheme are right")
        default:
            let what = wasSent ? "the connection to \(place) ended" : "no connection to \(place)"
            return Words(reason: "\(what): \(type(of: error))", hint: wasSent ? nil : reachHint)
        }
    }

    private static func words(of fault: BodyFault, _ place: String) -> Words {
        switch fault {
        case .tooLong(let limit):
            Words(
                reason: "the answer of \(place) is longer than \(limit) bytes", isHopeless: true)
        case .tooShort(let got, let length):
            Words(reason: "the answer of \(place) broke off: \(got) of \(length) bytes")
        }
    }

    private static func words(
        of error: HTTPClientError, _ place: String, _ proxy: Proxy?, _ wasSent: Bool
    ) -> Words {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
            .socksHandshakeTimeout:
            return Words(reason: "no connection to \(place) in time", hint: reachHint)
        case .httpProxyHandshakeTimeout:
            return Words(reason: "the proxy \(name(proxy)) did not answer in time")
        case .proxyAuthenticationRequired:
            return Words(
                reason: "the proxy \(name(proxy)) wants another name and password",
                hint: "put them into the variable: http://USER:PASSWORD@HOST:PORT, both "
                    + "percent-encoded",
                isHopeless: true)
        case .invalidProxyResponse:
            return Words(
                reason: "the proxy \(name(proxy)) does not connect to \(place)",
                hint: "allow it there, or name the host in NO_PROXY", isHopeless: true)
        case .readTimeout, .deadlineExceeded, .writeTimeout:
            return wasSent
                ? Words(reason: "no whole answer of \(place) in time")
                : Words(reason: "no connection to \(place) in time", hint: reachHint)
        case .remoteConnectionClosed:
            return wasSent
                ? Words(reason: "\(place) closed the connection before its answer was whole")
                : Words(reason: "\(place) closed the connection at once", hint: reachHint)
        case .alreadyShutdown, .cancelled:
            return Words(reason: "the client was shut down", isHopeless: true)
        case .invalidURL, .emptyHost, .emptyScheme:
            return Words(
                reason: "\(place) is no place that can be reached",
                hint: "write the endpoint as https://HOST or https://HOST:PORT", isHopeless: true)
        default:
            return Words(reason: "\(place): \(error.shortDescription)", isHopeless: !wasSent)
        }
    }

    private static func words(of error: String, _ place: String) -> Words {
        if error.contains("CERTIFICATE_VERIFY_FAILED") {
            return unverified(place, "no authority that is trusted here has signed it")
        }
        if error.contains("WRONG_VERSION_NUMBER") || error.contains("HTTP_REQUEST") {
            return Words(
                reason: "\(place) does not speak TLS",
                hint: "write http:// in the endpoint, or name the port that speaks TLS",
                isHopeless: true)
        }
        if error.contains("handshakeFailed(NIOSSL.BoringSSLError.sslError") {
            return Words(
                reason: "\(place) and this machine cannot agree on TLS", isHopeless: true)
        }
        return Words(reason: "TLS with \(place) ended before its time")
    }

    private static func unverified(_ place: String, _ why: String) -> Words {
        Words(
            reason: "the certificate of \(place) does not verify: \(why)",
            hint: "name the PEM file of the authority that signed it as caBundle under s3:, or "
                + "in AWS_CA_BUNDLE; there is no way to go on without",
            isHopeless: true)
    }

    private static func name(_ proxy: Proxy?) -> String { proxy.map { "\($0)" } ?? "" }

    private static func cause(of error: NIOConnectionError) -> String {
        if error.connectionErrors.isEmpty { return "the host's name is not known" }
        for failure in error.connectionErrors {
            if let cause = failure.error as? IOError {
                return String(cString: strerror(cause.errnoCode)).lowercased()
            }
        }
        return "nobody answered in time"
    }
}
