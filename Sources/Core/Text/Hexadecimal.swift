/// Bytes as two hexadecimal digits each, in small letters.
package enum Hexadecimal {
    /// The digits by their values.
    package static let digits = Array("0123456789abcdef".utf8)

    /// The digits as a text.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: self.bytes(bytes), as: UTF8.self)
    }

    /// The same of bytes that stand side by side.
    package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (place, byte) in bytes.enumerated() {
                text[2 * place] = digit(byte >> 4)
                text[2 * place + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
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

    /// The bytes that digits stand for, in letters of either case; nil where one is none, or half a
    /// byte is left.
    package static func decoded(_ digits: some Collection<UInt8>) -> [UInt8]? {
        let values = digits.compactMap(value)
        guard values.count == digits.count, values.count % 2 == 0 else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// What one digit stands for, in letters of either case; nil where it is none.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
