import MooringModel

/// Finds the last path segments of wanted keys in texts that cannot be read in any better way.
///
/// A text is gone through once, however many keys are wanted; a segment that was found is not
/// looked for again, since all its keys are known by then.
struct WantedSegments {
    // Segments by their first eight bytes, or by all where they are shorter; then by themselves.
    private var lengths: [Head: [Int]] = [:]
    private var numbers: [ByteText: [Int]] = [:]
    private var shortHeads: [Int] = []
    private static let headLength = 8

    private struct Head: Hashable {
        let bytes: UInt64
        let count: Int
    }

    /// The segments of keys that have these names.
    init(_ wanted: [[[UInt8]]]) {
        for (number, names) in wanted.enumerated() {
            for bytes in names {
                let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
                let segment = bytes[start...]
                let text = ByteText(segment)
                guard numbers[text]?.last != number else { continue }
                numbers[text, default: []].append(number)
                if numbers[text]?.count == 1 { note(segment) }
            }
        }
        shortHeads = Set(lengths.keys.map(\.count)).sorted()
    }

    private mutating func note(_ segment: ArraySlice<UInt8>) {
        guard !segment.isEmpty else { return }
        let head = Self.head(segment.prefix(Self.headLength))
        if lengths[head]?.contains(segment.count) != true {
            lengths[head, default: []].append(segment.count)
        }
    }

    /// Gives the numbers of all keys whose segment stands anywhere in a text, each segment at
    /// most once in the life of this value. A key that ends with a slash stands in every text.
    mutating func take(standingIn text: [UInt8], _ receive: ([Int]) -> Void) {
        take([], receive)
        guard !numbers.isEmpty else { return }
        for start in text.indices {
            for width in shortHeads where start + width <= text.count {
                guard let lengths = lengths[Self.head(text[start..<start + width])] else {
                    continue
                }
                for length in lengths where start + length <= text.count {
                    take(text[start..<start + length], receive)
                }
            }
        }
    }

    private mutating func take(_ segment: ArraySlice<UInt8>, _ receive: ([Int]) -> Void) {
        if let found = numbers.removeValue(forKey: ByteText(segment)) { receive(found) }
    }

    private static func head(_ bytes: ArraySlice<UInt8>) -> Head {
        Head(bytes: bytes.reduce(0) { $0 << 8 | UInt64($1) }, count: bytes.count)
    }
}
