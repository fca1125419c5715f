/// 128 bits that stand for a value for as long as the process runs: equal values have equal ones,
/// canonically equivalent texts among them. That two others share one is not ruled out. They are
/// keyed anew in every process, so that nobody can choose values that do.
struct ValueHash: Hashable, Comparable, Sendable {
    private let high, low: UInt64

    /// The hash of a value.
    init(_ value: some Hashable) {
        (high, low) = (Self.hash(0, value), Self.hash(1, value))
    }

    private static func hash(_ salt: UInt8, _ value: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(value)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    static func < (one: ValueHash, other: ValueHash) -> Bool {
        one.high == other.high ? one.low < other.low : one.high < other.high
    }
}

/// Numbers by hashes of what they stand for. It is made at once, and takes 20 bytes for each: there
/// may be as many as there are candidates.
struct HashedNumbers: Sendable {
    private let hashes: [ValueHash]
    private let numbers: [Int32]

    /// These numbers, those of one hash in their own order.
    init(_ pairs: some Collection<(hash: ValueHash, number: Int)>) {
        let sorted = pairs.sorted { one, other in
            one.hash == other.hash ? one.number < other.number : one.hash < other.hash
        }
        hashes = sorted.map(\.hash)
        numbers = sorted.map { Int32($0.number) }
    }

    /// The numbers of a hash, in their order.
    subscript(hash: ValueHash) -> some RandomAccessCollection<Int> {
        let start = hashes.partitioningIndex { !($0 < hash) }
        var end = start
        while end < hashes.count, hashes[end] == hash { end += 1 }
        return numbers[start..<end].lazy.map { Int($0) }
    }
}

extension Array {
    /// The place of the first element that fits; all behind it have to fit too.
    func partitioningIndex(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
