import Crypto
package import MooringModel
import MooringText

/// Signature Version 4: says who asks, over everything of a request that means something.
///
/// A path is encoded once and never normalised, as S3 wants it: in a key `..` and `//` are
/// ordinary bytes. Other services are asked at plain paths, where that makes no difference.
package struct Signer: Sendable {
    /// The region in whose name requests are signed.
    package let region: String
    /// The service's name, such as `s3`.
    package let service: String
    // The header that holds the token of temporary credentials.
    private let tokenHeader: String
    private let keys: SigningKeys

    /// A signer; copies of it share their signing key. Only sessions of a bucket have their token
    /// in a header of their own.
    package init(
        region: String, service: String, tokenHeader: String = "x-amz-security-token"
    ) {
        self.region = region
        self.service = service
        self.tokenHeader = tokenHeader
        keys = SigningKeys(region: region, service: service)
    }

    /// The same signer for another region.
    package func moved(to region: String) -> Signer {
        Signer(region: region, service: service, tokenHeader: tokenHeader)
    }

    /// The headers to send: those of the request, and the signature's own, Host left out.
    ///
    /// The body is part of the signature. A request that says `x-amz-content-sha256` itself, such
    /// as `UNSIGNED-PAYLOAD`, is signed with what it says.
    package func sign(
        _ request: AWSRequest, with credentials: Credentials, at now: Instant
    ) -> [(name: String, value: String)] {
        let moment = SigningMoment(now)
        var headers = request.headers
        headers.append(("x-amz-date", moment.stamp))
        let given = request.headers.first { $0.name == Self.bodyHashName }?.value
        let bodyHash = given ?? Self.hash(of: request.body)
        // S3 alone asks for it as a header; the others take it from the signature.
        if given == nil, Self.hashing.contains(service) {
            headers.append((Self.bodyHashName, bodyHash))
        }
        if let token = credentials.sessionToken { headers.append((tokenHeader, token)) }
        let canonical = CanonicalRequest(
            request, query: PercentEncoding.query(request.query), headers: headers,
            bodyHash: bodyHash)
        let scope = scope(moment)
        let signature = signature(of: canonical, scope, moment, credentials)
        headers.append(
            (
                "authorization",
                "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
                    + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)"
            ))
        return headers
    }

    /// The name of the algorithm, as headers and addresses give it.
    static let algorithm = "AWS4-HMAC-SHA256"
    private static let bodyHashName = "x-amz-content-sha256"
    private static let hashing: Set<String> = ["s3", "s3express"]
    private static let emptyHash = Hexadecimal.text(SHA256.hash(data: [UInt8]()))

    /// `20261121/eu-west-1/s3/aws4_request`: what a signature is good for.
    func scope(_ moment: SigningMoment) -> String {
        "\(moment.day)/\(region)/\(service)/aws4_request"
    }

    /// The signature of a request, as small hexadecimal digits.
    func signature(
        of canonical: CanonicalRequest, _ scope: String, _ moment: SigningMoment,
        _ credentials: Credentials
    ) -> String {
        let text =
            "\(Self.algorithm)\n\(moment.stamp)\n\(scope)\n"
            + Hexadecimal.text(SHA256.hash(data: canonical.bytes))
        return Hexadecimal.text(keys.key(for: credentials, on: moment.day).code(text))
    }

    private static func hash(of body: [UInt8]) -> String {
        body.isEmpty ? emptyHash : Hexadecimal.text(SHA256.hash(data: body))
    }
}

/// A moment as signatures write it.
struct SigningMoment {
    /// The whole second, `20261121T020000Z`.
    let stamp: String
    /// `20261121`.
    var day: String { String(stamp.prefix(8)) }

    /// The whole second that a moment lies in.
    init(_ moment: Instant) { stamp = moment.basicISO8601 }
}
