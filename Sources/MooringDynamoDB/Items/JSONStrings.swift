import MooringModel

/// Strings of JSON: what they hold, and the one way in which Mooring writes them.
enum JSONStrings {
    /// The bytes that a string between its quotes stands for; half a surrogate pair is a fault,
    /// since no bytes stand for it.
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(ItemFault) -> [UInt8] {
        guard hasEscapes else { return Array(bytes[range]) }
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == UInt8(ascii: "\\") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            guard index <= range.upperBound else { throw unknownEscape }
            switch bytes[index - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                output.append(bytes[index - 1])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = try scalar(bytes, &index, range.upperBound)
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: throw unknownEscape
            }
        }
        return output
    }

    /// Appends a string in quotes, escaped as `JSONValue` does it, so that one text has one
    /// spelling everywhere.
    static func append(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexadecimal[Int(byte >> 4)])
                output.append(hexadecimal[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
    private static let unknownEscape = ItemFault(reason: "holds an unknown escape in a string")
    private static let loneSurrogate = ItemFault(
        reason: "holds half a surrogate pair, which stands for no character")

    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(ItemFault) -> Unicode.Scalar {
        let first = try unit(bytes, &index, end)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(first)), index + 2 <= end,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw loneSurrogate }
        index += 2
        let second = try unit(bytes, &index, end)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw loneSurrogate }
        return scalar
    }

    private static func unit(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(ItemFault) -> UInt32 {
        guard index + 4 <= end else { throw unknownEscape }
        var value: UInt32 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw unknownEscape
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }
}
