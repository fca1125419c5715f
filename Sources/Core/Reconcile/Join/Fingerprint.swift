/// 128 bits that stand for a place in a bucket: equal places have equal ones. That two different
/// ones share one is not ruled out, and hides a finding at most: a referenced object is never taken
/// for an orphan by it. The next run's secrets are others.
struct Fingerprint: Hashable, Sendable {
    /// Two hashes of the same bytes.
    let high, low: UInt64
}

/// Makes fingerprints under secrets of one run, so that nobody can choose keys that share one.
struct FingerprintMaker: Sendable {
    private let secrets: (UInt64, UInt64, UInt64, UInt64)

    /// A maker under secrets that are drawn anew, or under given ones in tests.
    init(_ draw: () -> UInt64 = { UInt64.random(in: .min ... .max) }) {
        secrets = (draw() | 1, draw() | 1, draw() | 1, draw() | 1)
    }

    /// The fingerprint of bytes; those under different tags have nothing in common.
    @inline(__always)
    func make(_ bytes: UnsafeBufferPointer<UInt8>, tag: UInt64) -> Fingerprint {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = raw.count
        var one = secrets.0 ^ tag
        var other = secrets.1 &+ tag
        var place = 0
        while place + 16 < count {
            let first = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let second = raw.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
            one = Self.folded(one ^ first, second ^ secrets.2)
            other = Self.folded(other ^ second, first ^ secrets.3)
            place += 16
        }
        let (first, second) = Self.last(raw, place)
        one = Self.folded(one ^ first, second ^ secrets.2)
        other = Self.folded(other ^ second, first ^ secrets.3)
        let length = UInt64(count)
        return Fingerprint(
            high: Self.folded(one ^ secrets.3, length ^ secrets.1),
            low: Self.folded(other ^ secrets.2, length ^ secrets.0))
    }

    // The up to sixteen bytes that are left, as two words.
    @inline(__always)
    private static func last(_ raw: UnsafeRawBufferPointer, _ place: Int) -> (UInt64, UInt64) {
        let rest = raw.count - place
        if raw.count >= 16 {
            return (
                raw.loadUnaligned(fromByteOffset: raw.count - 16, as: UInt64.self),
                raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
            )
        }
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<rest {
            let byte = UInt64(raw[place + index])
            if index < 8 {
                words.0 |= byte << UInt64(8 * index)
            } else {
                words.1 |= byte << UInt64(8 * (index - 8))
            }
        }
        return words
    }

    /// A number that is spread over all 64 bits; equal ones stay equal in every run.
    static func spread(_ number: UInt64) -> UInt64 {
        folded(number &+ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }
}

/// What tells fingerprints of different kinds of places apart.
enum SlotTag {
    /// Of one whole key of a bucket.
    static func exact(_ bucket: Int) -> UInt64 { UInt64(bucket) << 32 }

    /// Of a bucket: a head of so many bytes, any identity, and what follows it.
    static func anyIdentity(_ bucket: Int, head: Int) -> UInt64 {
        UInt64(bucket) << 32 | 1 << 31 | UInt64(head & 0x7FFF_FFFF)
    }
}
