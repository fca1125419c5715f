/// What a JSON string holds.
package enum JSONText {
    /// The bytes that a string stands for whose text between its quotes is at this range; escapes
    /// become UTF-8, and half a surrogate pair is a fault, since no bytes stand for it.
    package static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(TextFault) -> [UInt8] {
        guard hasEscapes else { return Array(UnsafeBufferPointer(rebasing: bytes[range])) }
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                output.append(byte)
                index += 1
                continue
            }
            guard index + 1 < range.upperBound else { throw unknownEscape(index) }
            let symbol = bytes[index + 1]
            index += 2
            switch symbol {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(symbol)
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = try scalar(bytes, &index, range.upperBound)
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: throw unknownEscape(index)
            }
        }
        return output
    }

    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(TextFault) -> Unicode.Scalar {
        let first = try unit(bytes, &index, end)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(first)), index + 2 <= end,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw halfPair(index) }
        index += 2
        let second = try unit(bytes, &index, end)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw halfPair(index) }
        return scalar
    }

    private static func unit(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: Int
    ) throws(TextFault) -> UInt32 {
        guard index + 4 <= end else { throw unknownEscape(index) }
        var value: UInt32 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw unknownEscape(index)
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    private static func unknownEscape(_ index: Int) -> TextFault {
        TextFault("holds an unknown escape in a string", at: index, isCut: false)
    }

    private static func halfPair(_ index: Int) -> TextFault {
        TextFault(
            "holds half a surrogate pair, which stands for no character", at: index, isCut: false)
    }
}
