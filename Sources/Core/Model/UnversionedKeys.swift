/// Keys of which a bucket keeps no versions though it keeps others, by a pattern for the whole key:
/// `*` is any bytes, also none, and `?` is one.
package struct UnversionedKeys: Hashable, Sendable {
    /// As it is written.
    package let text: String

    private static let any = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")

    /// The keys of a pattern.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether a key is one of them.
    package func matches(_ key: ObjectKey) -> Bool {
        let (pattern, bytes) = (Array(text.utf8), key.bytes)
        var (place, at) = (0, 0)
        // Where the last star stands, and how many bytes it takes so far.
        var star: (place: Int, at: Int)?
        while at < bytes.count {
            if place < pattern.count, pattern[place] == Self.any {
                star = (place, at)
                place += 1
            } else if place < pattern.count,
                pattern[place] == bytes[at] || pattern[place] == Self.one
            {
                (place, at) = (place + 1, at + 1)
            } else if let last = star {
                star = (last.place, last.at + 1)
                (place, at) = (last.place + 1, last.at + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == Self.any }
    }
}
