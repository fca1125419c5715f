/// Bytes as two hexadecimal digits each, in small letters.
package enum Hexadecimal {
    /// The digits by their values.
    package static let digits = Array("0123456789abcdef".utf8)

    /// The digits as a text.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: self.bytes(bytes), as: UTF8.self)
    }

    /// The digits' bytes.
    package static func bytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }
}
