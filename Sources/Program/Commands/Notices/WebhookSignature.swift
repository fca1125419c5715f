import Crypto
import Foundation

/// The headers by which a receiver knows who sent a webhook and when: those of the specification
/// "Standard Webhooks", for which there are libraries in most languages.
enum WebhookSignature {
    /// The headers of a body; `id` is the same for every sending of one notice. The secret is
    /// Base64 behind `whsec_`, else its own bytes.
    static func headers(
        of body: [UInt8], id: String, seconds: Int64, secret: String?
    ) -> [(name: String, value: String)] {
        var headers = [("webhook-id", id), ("webhook-timestamp", "\(seconds)")]
        if let secret {
            let signed = Array("\(id).\(seconds).".utf8) + body
            let code = HMAC<SHA256>.authenticationCode(
                for: signed, using: SymmetricKey(data: key(secret)))
            headers.append(("webhook-signature", "v1," + Data(code).base64EncodedString()))
        }
        return headers
    }

    private static func key(_ secret: String) -> Data {
        let prefix = "whsec_"
        guard secret.hasPrefix(prefix) else { return Data(secret.utf8) }
        let text = String(secret.dropFirst(prefix.count))
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        // What is no Base64 behind the prefix is a secret of somebody's own making.
        return Data(base64Encoded: text + padding) ?? Data(secret.utf8)
    }
}
