import MooringModel

/// A stretch of a bucket's key space, in the order of bytes: `from <= key < to`.
package struct KeyRange: Hashable, Sendable {
    /// The least key that may lie in it.
    package var from: [UInt8]
    /// What no key in it reaches; nil where it goes on to the end of all keys.
    package var to: [UInt8]?

    /// A stretch.
    package init(from: [UInt8] = [], to: [UInt8]? = nil) {
        self.from = from
        self.to = to
    }

    /// The keys that begin with a prefix.
    package init(prefix: [UInt8]) {
        self.init(from: prefix, to: Self.end(of: prefix))
    }

    /// The least bytes behind all keys that begin with a prefix; nil where there are none.
    package static func end(of prefix: [UInt8]) -> [UInt8]? {
        var end = prefix
        while let last = end.popLast() {
            if last < 0xFF { return end + [last + 1] }
        }
        return nil
    }

    /// The least bytes behind a key.
    package static func behind(_ key: [UInt8]) -> [UInt8] { key + [0] }

    /// Whether nothing can lie in it.
    package var isEmpty: Bool {
        guard let to else { return false }
        return !from.precedes(to)
    }

    /// Whether a key lies in it.
    package func contains(_ key: [UInt8]) -> Bool {
        !key.precedes(from) && !isBehind(key)
    }

    /// Whether a key lies behind it.
    package func isBehind(_ key: [UInt8]) -> Bool {
        guard let to else { return false }
        return !key.precedes(to)
    }

    /// What is left without the keys that begin with a prefix, in order.
    package func without(_ prefix: [UInt8]) -> [KeyRange] {
        let hole = KeyRange(prefix: prefix)
        let head = KeyRange(from: from, to: Self.least(to, hole.from))
        var parts = head.isEmpty ? [] : [head]
        if let end = hole.to {
            let begin = from.precedes(end) ? end : from
            let tail = KeyRange(from: begin, to: to)
            if !tail.isEmpty { parts.append(tail) }
        }
        return parts
    }

    private static func least(_ left: [UInt8]?, _ right: [UInt8]) -> [UInt8] {
        guard let left, left.precedes(right) else { return right }
        return left
    }

    /// The longest text that every key in it begins with: asking for it as a prefix leaves nothing
    /// out, and spares a store that looks at every key below the prefix.
    package var prefix: [UInt8] {
        guard let to else { return [] }
        var count = 0
        while count < from.count, count < to.count, from[count] == to[count] { count += 1 }
        // One byte more where `to` is the end of everything that begins with it.
        if count < from.count, count + 1 == to.count, from[count] < 0xFF,
            from[count] + 1 == to[count]
        {
            count += 1
        }
        while count > 0, !Self.isText(from[..<count]) { count -= 1 }
        return Array(from[..<count])
    }

    /// The key to begin behind; nil where the prefix alone begins where the range does. Where
    /// `from` is no key's successor, a few keys before the range may lie behind it.
    package func startAfter(below prefix: [UInt8]) -> [UInt8]? {
        guard prefix.precedes(from), let last = from.last else { return nil }
        if last == 0 { return from.count > 1 ? from.dropLast() : nil }
        let before = from.dropLast() + [last - 1]
        if Self.isText(before[...]) { return before + Self.greatest }
        var count = from.count - 1
        while count > 0, !Self.isText(from[..<count]) { count -= 1 }
        return count == 0 ? nil : Array(from[..<count])
    }

    /// The greatest character, in UTF-8.
    private static let greatest: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBF]

    /// Whether bytes are UTF-8 that XML can hold, so that a store can repeat them in an answer.
    package static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE && $0.value != 0x7F
        }
    }

    /// The range in words for a problem.
    package var text: String {
        let head = from.last == 0 ? "after " + Self.quoted(from.dropLast()) : Self.start(from)
        guard let to else { return head }
        return head + " and before " + Self.quoted(to[...])
    }

    private static func start(_ from: [UInt8]) -> String {
        from.isEmpty ? "from the first" : "from " + quoted(from[...])
    }

    private static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
        "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}
