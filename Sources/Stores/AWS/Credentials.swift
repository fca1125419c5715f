package import MooringModel

/// What a request is signed with; never shown, logged or compared by its text.
package struct Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The access key's id, which is no secret.
    package let accessKeyID: String
    /// The secret from which signing keys are made.
    package let secretAccessKey: String
    /// Of temporary credentials, their token.
    package let sessionToken: String?
    /// When they end; nil when they do not say.
    package let expiresAt: Instant?

    /// Credentials.
    package init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
        expiresAt: Instant? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiresAt = expiresAt
    }

    /// The id alone.
    package var description: String { "credentials \(accessKeyID)" }
    /// The id alone.
    package var debugDescription: String { description }
}

/// Where credentials come from.
package protocol CredentialSource: Sendable {
    /// Credentials that are good for some minutes yet; refreshed before they end. Throws
    /// `AWSFailure` that names every place that was looked into.
    func credentials() async throws -> Credentials

    /// Tells that a service refused these as expired: the next ones are fetched anew, unless
    /// somebody else has done so already.
    func wereRefused(_ credentials: Credentials) async
}

extension CredentialSource {
    /// Nothing, of a source that has no others.
    package func wereRefused(_ credentials: Credentials) async {}
}

/// Credentials that were given.
package struct GivenCredentials: CredentialSource {
    private let given: Credentials

    /// These credentials.
    package init(_ given: Credentials) { self.given = given }

    /// The given ones.
    package func credentials() async throws -> Credentials { given }
}
