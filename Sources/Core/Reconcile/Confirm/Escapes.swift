/// Percent-encoding, as URLs have it.
package enum PercentCoding {
    /// The bytes with every valid triplet decoded; others stay as they are.
    package static func decoded(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] {
        let plain = plusIsBlank ? bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }[...] : bytes
        return plain.replacing(UInt8(ascii: "%")) { index, output in
            guard index + 2 < plain.endIndex, let high = digit(plain[index + 1]),
                let low = digit(plain[index + 2])
            else {
                output.append(plain[index])
                return index + 1
            }
            output.append(high << 4 | low)
            return index + 3
        }
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

    /// The bytes with every escape replaced; what is no escape stays as it is.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        bytes[...].replacing(backslash) { index, output in
            if index + 1 < bytes.count, let letter = letter(bytes[index + 1]) {
                output.append(letter)
                return index + 2
            }
            guard let (scalar, width) = scalar(bytes[index...]) else {
                output.append(backslash)
                return index + 1
            }
            output.append(scalar)
            return index + width
        }
    }

    // What a letter stands for behind a backslash.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), backslash, UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
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
        let bytes = bytes.prefix(6)
        guard bytes.count == 6, bytes.starts(with: [backslash, UInt8(ascii: "u")]) else {
            return nil
        }
        var unit: UInt32 = 0
        for byte in bytes.dropFirst(2) {
            guard let digit = PercentCoding.digit(byte) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
