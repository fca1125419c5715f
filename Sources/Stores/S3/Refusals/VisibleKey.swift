package import MooringModel
import MooringText

/// Shows a place in a bucket, so that no key can act on a terminal.
package enum VisibleKey {
    /// `s3://bucket/key`; of no key, of the bucket. Control characters and bytes that are no UTF-8
    /// stand as `\xNN`.
    package static func place(_ bucket: String, _ key: ObjectKey?) -> String {
        "s3://\(bucket)" + (key.map { "/" + text($0.bytes) } ?? "")
    }

    /// A text of somebody else's, on one line.
    package static func text(_ bytes: [UInt8]) -> String { ForeignBytes.text(bytes) }
}
