import Crypto
import MooringModel

/// The Content-Security-Policy of a page: nothing is loaded, and nothing runs or styles but the one
/// script and the one style sheet that the program embeds, by the hash of their bytes.
enum ContentPolicy {
    /// The policy of a page whose `script` and `style` elements hold exactly these texts; without a
    /// script none runs.
    static func text(script: String?, style: String) -> String {
        let sources = script.map { " script-src \(source($0));" } ?? ""
        return "default-src 'none';\(sources) style-src \(source(style)); base-uri 'none'; "
            + "form-action 'none'"
    }

    private static func source(_ text: String) -> String {
        "'sha256-\(Base64.encode(Array(SHA256.hash(data: Array(text.utf8)))))'"
    }
}
