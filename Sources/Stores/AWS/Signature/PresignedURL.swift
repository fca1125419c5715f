package import MooringModel

/// An address that carries its own signature: whoever holds it may do that one request.
package struct PresignedURL: Sendable {
    /// The address; as secret as the credentials behind it until it ends.
    package let text: String
    /// When it stops working: at its own end, or when the credentials behind it end before that.
    package let endsAt: Instant
    /// Whether the credentials end before the time that was asked for.
    package let isCutShort: Bool
}

/// Why an address was not signed.
package struct PresigningRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked, and what is possible.
    package let description: String
}

extension Signer {
    /// The longest time that a signed address may be good for.
    package static let longestPresigning = Duration.days(7)

    /// An address that stands for a request without a body, good for `expires` from now on: whole
    /// seconds, at least one and at most seven days; throws `PresigningRefusal` elsewhere and when
    /// the credentials have ended. Whoever uses it has to send the request's own headers too.
    package func presign(
        _ request: AWSRequest, with credentials: Credentials, expires: Duration, at now: Instant
    ) throws -> PresignedURL {
        let seconds = expires.components.seconds
        guard seconds >= 1, expires <= Self.longestPresigning else {
            throw PresigningRefusal(
                description: "an address can be good for 1s to 7d, and not for \(expires.label)")
        }
        let start = Instant(nanoseconds: now.nanoseconds - now.nanosecondOfSecond)
        let end = start + .seconds(seconds)
        if let last = credentials.expiresAt, last <= now {
            throw PresigningRefusal(description: "the credentials ended at \(last.iso8601)")
        }
        let isCutShort = credentials.expiresAt.map { $0 < end } ?? false
        return PresignedURL(
            text: address(request, credentials, seconds, SigningMoment(now)),
            endsAt: isCutShort ? credentials.expiresAt ?? end : end, isCutShort: isCutShort)
    }

    private func address(
        _ request: AWSRequest, _ credentials: Credentials, _ seconds: Int64,
        _ moment: SigningMoment
    ) -> String {
        let scope = scope(moment)
        var query = request.query
        query.append(.init("X-Amz-Algorithm", Self.algorithm))
        query.append(.init("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope)"))
        query.append(.init("X-Amz-Date", moment.stamp))
        query.append(.init("X-Amz-Expires", "\(seconds)"))
        if let token = credentials.sessionToken {
            query.append(.init("X-Amz-Security-Token", token))
        }
        // Which headers are signed does not depend on the query, and the query names them.
        let names = CanonicalRequest(request, query: "", headers: request.headers, bodyHash: "")
            .signedHeaders
        query.append(.init("X-Amz-SignedHeaders", names))
        let encoded = PercentEncoding.query(query)
        // Nobody knows the body of an address; for reading there is none.
        let canonical = CanonicalRequest(
            request, query: encoded, headers: request.headers, bodyHash: "UNSIGNED-PAYLOAD")
        return request.origin.text + PercentEncoding.path(request.path) + "?" + encoded
            + "&X-Amz-Signature=" + signature(of: canonical, scope, moment, credentials)
    }
}
