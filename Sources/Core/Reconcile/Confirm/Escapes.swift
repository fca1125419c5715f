/// Percent-encoding, as URLs have it.
package enum PercentCoding {
    /// The bytes with every valid triplet decoded; others stay as they are.
    package static func decoded(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        return output
    }

    /// The value of a hexadecimal digit; nil where a byte is none.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The escapes of JSON strings, in a text that need be no JSON as a whole.
enum JSONEscapes {
    private static let backslash = UInt8(ascii: "\\")
    private static let letters: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, backslash: backslash, UInt8(ascii: "/"): 0x2F,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// The bytes with every escape replaced; what is no escape stays as it is.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(backslash) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == backslash, index + 1 < bytes.count else {
                output.append(bytes[index])
                index += 1
                continue
            }
            if let letter = letters[bytes[index + 1]] {
                output.append(letter)
                index += 2
            } else if let (scalar, width) = scalar(bytes[index...]) {
                output += Array(String(Character(scalar)).utf8)
                index += width
            } else {
                output.append(backslash)
                index += 1
            }
        }
        return output
    }

    // Six bytes, and twelve for a surrogate pair; half of one is no escape.
    private static func scalar(
        _ bytes: ArraySlice<UInt8>
    ) -> (scalar: Unicode.Scalar, width: Int)? {
        guard let first = unit(bytes) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, let second = unit(bytes.dropFirst(6)),
            (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return nil }
        return (scalar, 12)
    }

    private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let bytes = Array(bytes.prefix(6))
        guard bytes.count == 6, bytes[0] == backslash, bytes[1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt32 = 0
        for byte in bytes[2...] {
            guard let digit = PercentCoding.digit(byte) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
