import MooringModel

/// The few keys that share most with a text at their beginning and end. Memory and work for a key
/// are bounded by the text's length, so that whole buckets can pass by.
struct NearKeys {
    /// The most keys that are kept.
    static let most = 3

    private let text: [UInt8]
    private var best: [(place: ObjectPlace, shared: Int)] = []

    /// Keeps the keys that are near to a text.
    init(_ text: [UInt8]) {
        self.text = text
    }

    /// The nearest first; none that shares less than half of the text.
    var places: [ObjectPlace] { best.map(\.place) }

    /// Looks at a key.
    mutating func add(_ place: ObjectPlace) {
        let shared = shared(place.key.bytes)
        guard shared * 2 >= text.count, !text.isEmpty else { return }
        let index = best.firstIndex { $0.shared < shared } ?? best.count
        guard index < Self.most else { return }
        best.insert((place, shared), at: index)
        if best.count > Self.most { best.removeLast() }
    }

    // A longer key loses by what it has besides.
    private func shared(_ key: [UInt8]) -> Int {
        let head = zip(key, text).prefix { Self.isSame($0, $1) }.count
        let most = min(key.count, text.count) - head
        let tail = zip(key.reversed(), text.reversed()).prefix { Self.isSame($0, $1) }.count
        let both = head + min(tail, most)
        return both - max(0, key.count - text.count) / 4
    }

    private static func isSame(_ one: UInt8, _ other: UInt8) -> Bool {
        lowered(one) == lowered(other)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }
}
