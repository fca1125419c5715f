import Crypto
package import MooringModel

/// Signature Version 4: says who asks, over everything of a request that means something.
package struct Signer: Sendable {
    /// The region in whose name requests are signed.
    package let region: String
    /// The service's name, such as `s3`.
    package let service: String

    /// A signer.
    package init(region: String, service: String) {
        self.region = region
        self.service = service
    }

    /// The headers to send: those of the request, and the signature's own, Host left out.
    package func sign(
        _ request: AWSRequest, with credentials: Credentials, at now: Instant
    ) -> [(name: String, value: String)] {
        let moment = SigningMoment(now)
        let hash = Self.hex(SHA256.hash(data: request.body))
        var headers = request.headers
        headers.append(("x-amz-date", moment.stamp))
        headers.append(("x-amz-content-sha256", hash))
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let signed = (headers + [("host", request.origin.authority)]).sorted { $0.name < $1.name }
        let names = signed.map(\.name).joined(separator: ";")
        let canonical =
            [
                request.method, PercentEncoding.path(request.path),
                PercentEncoding.query(request.query),
            ].joined(separator: "\n") + "\n"
            + signed.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined() + "\n" + names
            + "\n" + hash
        let scope = "\(moment.day)/\(region)/\(service)/aws4_request"
        let text =
            "AWS4-HMAC-SHA256\n\(moment.stamp)\n\(scope)\n"
            + Self.hex(SHA256.hash(data: Array(canonical.utf8)))
        let signature = Self.hex(key(credentials, moment.day).code(text))
        headers.append(
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
                    + "SignedHeaders=\(names), Signature=\(signature)"
            ))
        return headers
    }

    private func key(_ credentials: Credentials, _ day: String) -> SymmetricKey {
        let first = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
        return [day, region, service, "aws4_request"].reduce(first) {
            SymmetricKey(data: $0.code($1))
        }
    }

    // Blanks at the ends go, and a run of them inside counts as one.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }
}

extension SymmetricKey {
    fileprivate func code(_ text: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: self)
    }
}

/// A moment as signatures write it.
struct SigningMoment {
    /// `20261121T020000Z`.
    let stamp: String
    /// `20261121`.
    var day: String { String(stamp.prefix(8)) }

    /// The whole second that a moment lies in.
    init(_ moment: Instant) {
        stamp =
            String(
                moment.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }
}
