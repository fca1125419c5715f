/// Tells quickly of most names that they are none of those that were inserted: a bitset in which
/// each has two bits, of which one may stand for several names. Both lie in one word, so that a
/// question costs one look into memory.
struct NameFilter: Sendable {
    private var bits: [UInt64] = Array(repeating: 0, count: 1 << 4)
    private var hashes: [UInt64] = []

    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    // So many bits for each name, at most all together.
    private static let room = 32
    private static let mostBits = 28

    /// The hash of no bytes.
    static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash with one byte more.
    static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// Inserts a name; none is ever taken out.
    mutating func insert(_ name: some Sequence<UInt8>) {
        insert(hash: name.reduce(Self.seed, Self.step))
    }

    /// Whether nothing was inserted.
    var isEmpty: Bool { hashes.isEmpty }

    /// Inserts a name by its hash, or anything else by one.
    mutating func insert(hash: UInt64) {
        hashes.append(hash)
        if hashes.count * Self.room > bits.count * 64, bits.count < 1 << (Self.mostBits - 6) {
            bits = Array(repeating: 0, count: bits.count * 4)
            for hash in hashes { set(hash) }
        } else {
            set(hashes[hashes.count - 1])
        }
    }

    private mutating func set(_ hash: UInt64) {
        let (word, both) = place(hash)
        bits[word] |= both
    }

    /// Whether a name of this hash may have been inserted.
    func mayHold(_ hash: UInt64) -> Bool {
        let (word, both) = place(hash)
        return bits[word] & both == both
    }

    private func place(_ hash: UInt64) -> (word: Int, both: UInt64) {
        let product = hash.multipliedFullWidth(by: Self.mixer)
        let mixed = product.high ^ product.low
        return (
            Int(truncatingIfNeeded: mixed >> 12) & (bits.count - 1),
            1 << (mixed & 63) | 1 << (mixed >> 6 & 63)
        )
    }
}

extension NameFilter {
    /// The hash of a name whose ASCII letters all count as lower case, several bytes at a time.
    static func hash(lowercasing name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(name)
        var hash = seed ^ UInt64(raw.count)
        var place = 0
        while place + 8 <= raw.count {
            hash = folded(
                hash, lowercased(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            place += 8
        }
        var rest: UInt64 = 0
        while place < raw.count {
            rest = rest << 8 | UInt64(raw[place])
            place += 1
        }
        return folded(hash, lowercased(rest))
    }

    // Eight letters at once. Of a capital, the first sum sets the highest bit of its byte and the
    // second one does not; bytes beyond ASCII have it set already.
    private static func lowercased(_ word: UInt64) -> UInt64 {
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let behindZ = low &+ 0x2525_2525_2525_2525
        return word | ((fromA ^ behindZ) & ~word & 0x8080_8080_8080_8080) >> 2
    }

    private static func folded(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: mixer)
        return (product.high ^ product.low) &* 0x0000_0100_0000_01B3
    }
}
