/// Looks at eight bytes at once.
@usableFromInline package enum ByteWord {
    /// The top bit of each byte of a word that is this one.
    @inlinable @inline(__always)
    package static func places(of byte: UInt8, in word: UInt64) -> UInt64 {
        zeros(in: word ^ UInt64(byte) &* 0x0101_0101_0101_0101)
    }

    /// The top bit of each byte of a word that is zero.
    @inlinable @inline(__always)
    package static func zeros(in word: UInt64) -> UInt64 {
        let others: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        return ~((word & others) &+ others | word | others)
    }
}
