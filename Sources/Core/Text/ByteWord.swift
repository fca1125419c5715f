import Glibc

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

    /// Whether a byte of a word is less than a limit, which is 0x80 at most.
    @inlinable @inline(__always)
    package static func holds(less limit: UInt8, in word: UInt64) -> Bool {
        (word &- UInt64(limit) &* 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }

    /// Gives every byte of a text in words until one satisfies `isSuch`; whether one did. The bytes
    /// of one may be those of another too, or stand in it twice.
    @inlinable @inline(__always)
    package static func contains(
        in text: UnsafeRawBufferPointer, where isSuch: (UInt64) -> Bool
    ) -> Bool {
        let count = text.count
        guard count >= 8 else { return count > 0 && isSuch(short(text)) }
        var place = 0
        while place < count - 8 {
            if isSuch(text.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return true }
            place += 8
        }
        return isSuch(text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    }

    /// A text of one to seven bytes, some of them twice or more often.
    @inlinable @inline(__always)
    static func short(_ text: UnsafeRawBufferPointer) -> UInt64 {
        let count = text.count
        guard count < 4 else {
            let first = text.loadUnaligned(as: UInt32.self)
            let last = text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(first) << 32 | UInt64(last)
        }
        let (first, middle, last) = (text[0], text[count / 2], text[count - 1])
        return UInt64(first) &* 0x0101_0101_0101_0000 | UInt64(middle) << 8 | UInt64(last)
    }

    /// Whether two texts are the same byte by byte.
    package static func areSame(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
    }
}
