import MooringModel

/// How a request says who asks.
package enum AuthorizationScheme: Sendable {
    /// By a signature.
    case signature(Signer)
    /// By a secret, a key or a token, that stands in the header of this name.
    case secret(header: String)
    /// By nothing: whoever knows the address may ask.
    case open

    /// Whether the secret itself is sent.
    var isShown: Bool {
        if case .secret = self { return true }
        return false
    }

    /// The headers to send, Host left out.
    func headers(
        of request: AWSRequest, with credentials: Credentials, at now: Instant
    ) -> [(name: String, value: String)] {
        switch self {
        case .signature(let signer): signer.sign(request, with: credentials, at: now)
        case .open: request.headers
        case .secret(let header): request.headers + [(header, credentials.secretAccessKey)]
        }
    }
}
