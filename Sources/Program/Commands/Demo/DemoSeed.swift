import MooringText

/// A stream of numbers that is the same in every demo (SplitMix64).
struct DemoSeed {
    private var state: UInt64 = 0x4D6F_6F72_696E_6721

    /// The next number of 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number of the range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// An element of a list that is not empty.
    mutating func element<Element>(of list: [Element]) -> Element {
        list[number(in: 0...(list.count - 1))]
    }

    /// A version 4 UUID in lower case.
    mutating func uuid() -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~(0b11 << 62) | (0b10 << 62)
        let digits = Array(Self.hexadecimal(high) + Self.hexadecimal(low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        withUnsafeBytes(of: word.bigEndian) { Hexadecimal.text($0) }
    }
}
