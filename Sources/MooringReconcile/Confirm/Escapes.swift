import MooringModel

/// Percent-encoding, as URLs have it.
enum PercentCoding {
    /// The bytes with every valid triplet decoded; others stay as they are.
    static func decoded(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] {
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

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The escapes of JSON strings, in a text that is no JSON as a whole.
enum JSONEscapes {
    private static let backslash = UInt8(ascii: "\\")

    /// The bytes with every escape replaced; what is no escape stays as it is.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(backslash) else { return bytes }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == backslash, let (text, width) = escape(bytes[index...]) {
                output += text
                index += width
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }

    // A surrogate pair takes twelve bytes, one scalar six, and a letter two.
    private static func escape(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], width: Int)? {
        let quote = UInt8(ascii: "\"")
        for width in [12, 6, 2] where bytes.count >= width {
            // What does not parse is no escape of this width.
            let node = try? JSONNode(parsing: [quote] + bytes.prefix(width) + [quote])
            if let text = node?.stringBytes { return (text, width) }
        }
        return nil
    }
}
