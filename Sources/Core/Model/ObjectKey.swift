/// The name of an object in a bucket: bytes, compared, sorted and hashed as bytes.
///
/// S3 orders keys in UTF-8 binary order and holds the NFC and NFD spellings of one text as two
/// objects, while Swift's `String` calls them equal; so a key becomes a `String` only to be shown.
package struct ObjectKey: Hashable, Sendable {
    /// The key's bytes, not necessarily valid UTF-8.
    package let bytes: [UInt8]

    /// A key of these bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A key of the UTF-8 bytes of a text.
    package init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// The key for people: invalid UTF-8 is repaired, so two keys may show as one text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `text` gives the key back byte for byte.
    package var isValidUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Whether the key begins with these bytes.
    package func hasPrefix(_ prefix: [UInt8]) -> Bool { bytes.begins(with: prefix) }

    /// Hashes all bytes at once, which is several times faster than one by one.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension ObjectKey: Comparable {
    /// Byte order, as S3 lists.
    package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.bytes.precedes(right.bytes)
    }
}
