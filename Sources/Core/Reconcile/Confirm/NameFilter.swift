/// Tells quickly of most names that they are none of those that were inserted: a bitset of their
/// hashes, two for each, of which one may stand for several names.
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
        let (one, other) = places(hash)
        bits[one >> 6] |= 1 << UInt64(one & 63)
        bits[other >> 6] |= 1 << UInt64(other & 63)
    }

    /// Whether a name of this hash may have been inserted.
    func mayHold(_ hash: UInt64) -> Bool {
        let (one, other) = places(hash)
        return bits[one >> 6] >> UInt64(one & 63) & bits[other >> 6] >> UInt64(other & 63) & 1 != 0
    }

    private func places(_ hash: UInt64) -> (Int, Int) {
        let mixed = hash.multipliedFullWidth(by: Self.mixer)
        let word = mixed.high ^ mixed.low
        let mask = bits.count * 64 - 1
        return (
            Int(truncatingIfNeeded: word) & mask, Int(truncatingIfNeeded: word >> 32) & mask
        )
    }
}
