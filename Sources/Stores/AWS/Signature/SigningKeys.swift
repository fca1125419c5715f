import Crypto
import Synchronization

/// The signing key of one region and service: it is good for a day, and derived once.
final class SigningKeys: Sendable {
    private struct Entry {
        let day: String
        let identifier: String
        let secret: [UInt8]
        let key: SymmetricKey
    }

    private let region: String
    private let service: String
    private let latest = Mutex<Entry?>(nil)

    /// Keys for a region and a service.
    init(region: String, service: String) {
        self.region = region
        self.service = service
    }

    /// The key of a day, `20261121`: the one of the last request where day and secret are the same.
    func key(for credentials: Credentials, on day: String) -> SymmetricKey {
        latest.withLock { latest in
            if let latest, latest.day == day, latest.identifier == credentials.accessKeyID,
                latest.secret.elementsEqual(credentials.secretAccessKey.utf8)
            {
                return latest.key
            }
            let first = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
            let key = [day, region, service, "aws4_request"].reduce(first) {
                SymmetricKey(data: $0.code($1))
            }
            latest = Entry(
                day: day, identifier: credentials.accessKeyID,
                secret: Array(credentials.secretAccessKey.utf8), key: key)
            return key
        }
    }
}

extension SymmetricKey {
    /// The authentication code of a text under this key.
    func code(_ text: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: self)
    }
}
