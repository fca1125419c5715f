import MooringModel

/// What a place gave that was looked into for credentials.
enum CredentialAnswer: Sendable {
    /// Credentials, checked.
    case credentials(Credentials)
    /// The place is not set up here: the next one is asked. Says what is not there.
    case nothing(String)
    /// The place is set up and did not work: nobody else is asked, since another identity than the
    /// one that was meant must not be taken. Says why, and names no value.
    case failure(String)
}

/// One place where credentials may come from.
protocol CredentialPlace: Sendable {
    /// What errors call it.
    var name: String { get }
    /// Looks into it, and again whenever the credentials are about to end.
    func look() async -> CredentialAnswer
}

extension CredentialAnswer {
    /// Credentials from their parts; a failure when one is missing or cannot stand in a header.
    static func parts(
        _ identifier: String?, _ secret: String?, token: String?, expiresAt: Instant? = nil
    ) -> CredentialAnswer {
        guard let identifier, !identifier.isEmpty else {
            return .failure("the access key's id is missing")
        }
        guard let secret, !secret.isEmpty else {
            return .failure("the secret access key is missing")
        }
        let token = token.flatMap { $0.isEmpty ? nil : $0 }
        for (part, text) in [
            ("access key's id", identifier), ("secret access key", secret),
            ("session token", token ?? "-"),
        ] where !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            return .failure("the \(part) holds a blank or another character that none has")
        }
        return .credentials(
            Credentials(
                accessKeyID: identifier, secretAccessKey: secret, sessionToken: token,
                expiresAt: expiresAt))
    }

    /// Credentials from the JSON that processes, containers and instances answer with.
    static func document(_ body: [UInt8], token: String) -> CredentialAnswer {
        // The parser's error could only tell where in a secret it stopped.
        guard let document = try? JSONNode(parsing: body), document.members != nil else {
            return .failure("its answer is no JSON object")
        }
        do {
            let end = try document.momentIfPresent("Expiration")
            return parts(
                document["AccessKeyId"]?.string, document["SecretAccessKey"]?.string,
                token: document[token]?.string, expiresAt: end)
        } catch {
            return .failure("its answer's \(error)")
        }
    }
}
