/// A text as a key of a dictionary: it is hashed and compared as one piece, and not byte by byte as
/// a list of bytes is.
package struct ByteText: Hashable, Sendable {
    /// Its bytes.
    package let bytes: ArraySlice<UInt8>

    /// A text of these bytes.
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Whether two hold the same bytes.
    package static func == (one: ByteText, other: ByteText) -> Bool {
        one.bytes.withUnsafeBytes { one in
            other.bytes.withUnsafeBytes { one.count == $0.count && one.elementsEqual($0) }
        }
    }

    /// Hashes all bytes at once.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
