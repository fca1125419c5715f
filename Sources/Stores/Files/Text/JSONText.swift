/// What a JSON string holds.
package enum JSONText {
    /// The bytes of the string at this range, whose quotes are part of it; escapes become UTF-8,
    /// and half a surrogate pair is a fault, since no bytes stand for it.
    package static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(RowFault) -> [UInt8] {
        let inner = (range.lowerBound + 1)..<(range.upperBound - 1)
        guard hasEscapes else { return Array(bytes[inner]) }
        var output: [UInt8] = []
        output.reserveCapacity(inner.count)
        var index = inner.lowerBound
        while index < inner.upperBound {
            guard bytes[index] == UInt8(ascii: "\\") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            guard index <= inner.upperBound else { throw unknownEscape }
            switch bytes[index - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                output.append(bytes[index - 1])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0c)
            case UInt8(ascii: "n"): output.append(0x0a)
            case UInt8(ascii: "r"): output.append(0x0d)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = try scalar(bytes, &index, inner.upperBound)
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: throw unknownEscape
            }
        }
        return output
    }

    private static let unknownEscape = RowFault(reason: "holds an unknown escape in a string")

    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(RowFault) -> Unicode.Scalar {
        let first = try unit(bytes, &index, end)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(first)), index + 2 <= end,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw loneSurrogate }
        index += 2
        let second = try unit(bytes, &index, end)
        guard (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw loneSurrogate }
        return scalar
    }

    private static let loneSurrogate = RowFault(
        reason: "holds half a surrogate pair, which stands for no character")

    private static func unit(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(RowFault) -> UInt32 {
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

extension JSONText {
    /// Whether a line holds nothing but white space.
    static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    }
}
