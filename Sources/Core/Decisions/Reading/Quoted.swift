package import MooringModel

/// Keys and other foreign bytes in sentences: control characters are escaped, so that one finding
/// stays one line.
package enum Quoted {
    /// A key between quotes; as text, two keys may look the same.
    package static func key(_ key: ObjectKey) -> String { text(key.bytes) }

    /// Bytes between quotes; invalid UTF-8 is repaired.
    package static func text(_ bytes: [UInt8]) -> String { "'" + bare(bytes) + "'" }

    /// The same without quotes.
    package static func bare(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
        }.joined()
    }
}
