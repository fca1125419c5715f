/// How a value becomes a key: literal text and slices of the value's bytes, as in
/// `{key:0:2}/{key:2:2}/{key}` for folders that spread files by the beginnings of their names.
///
/// Every byte of a value stands in its key, so that no two values have one key and each key tells
/// the one value that a record would hold for it. What leaves bytes out is no layout.
package struct StoredLayout: Hashable, Sendable {
    /// One piece of a layout.
    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        /// So many bytes of the value from a place on; nil is all that are left.
        case slice(start: Int, count: Int?)
    }

    /// Why a text is no layout.
    package enum Fault: Error, Hashable {
        /// A brace is open, or closed without being open.
        case openBrace
        /// A word in braces that is no slice.
        case unknown(String)
        /// A slice of no byte, or one beyond the longest key.
        case range(String)
        /// There is no slice at all.
        case noKey
        /// Some byte of a value stands in no slice.
        case leavesOut
    }

    /// The value itself is the key.
    package static let plain = StoredLayout(parts: [.slice(start: 0, count: nil)])
    /// S3's longest key, in bytes: no slice begins or ends behind it.
    package static let longest = 1_024

    /// Its pieces, from left to right.
    package let parts: [Part]
    /// Whether the value itself is the key.
    package let isPlain: Bool
    /// The fewest bytes that a value has of which every slice holds what it names.
    package let shortest: Int

    private init(parts: [Part]) {
        self.parts = parts
        isPlain = parts == [.slice(start: 0, count: nil)]
        shortest = Self.slices(of: parts).map { $0.end ?? $0.start + 1 }.max() ?? 1
    }

    /// A layout; throws what is wrong with the text.
    package init(_ text: String) throws(Fault) {
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "}") { throw .openBrace }
            guard byte == UInt8(ascii: "{") else {
                literal.append(byte)
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { throw .openBrace }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = []
            parts.append(try Self.slice(String(decoding: rest[..<end], as: UTF8.self)))
            rest = rest[(end + 1)...]
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.init(parts: parts)
        guard !Self.slices(of: parts).isEmpty else { throw .noKey }
        guard Self.coverValues(parts) else { throw .leavesOut }
    }

    // `key`, `key:START` or `key:START:COUNT`.
    private static func slice(_ word: String) throws(Fault) -> Part {
        let fields = word.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.first == "key", fields.count <= 3 else { throw .unknown(word) }
        var numbers: [Int] = []
        for field in fields.dropFirst() {
            guard let number = Int(field), field.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw field.first == "-" ? .range(word) : .unknown(word) }
            numbers.append(number)
        }
        let (start, count) = (numbers.first ?? 0, numbers.dropFirst().first)
        guard start < longest, count.map({ (1...longest - start).contains($0) }) ?? true else {
            throw .range(word)
        }
        return .slice(start: start, count: count)
    }

    /// The layout as it is written.
    package var text: String {
        parts.map { part in
            switch part {
            case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
            case .slice(0, nil): "{key}"
            case .slice(let start, let count): "{key:\(start)\(count.map { ":\($0)" } ?? "")}"
            }
        }.joined()
    }

    /// Whether every key ends in the value that it was made of.
    package var endsInValue: Bool { parts.last == .slice(start: 0, count: nil) }

    /// Whether every key ends in the value that it was made of, and has a slash before that or
    /// nothing at all.
    package var cutsAtSlash: Bool {
        guard endsInValue, let before = parts.dropLast().last else { return endsInValue }
        guard case .literal(let text) = before else { return false }
        return text.last == UInt8(ascii: "/")
    }

    // The places between which each slice lies; nil is the value's end.
    private static func slices(of parts: [Part]) -> [(start: Int, end: Int?)] {
        parts.compactMap { part in
            guard case .slice(let start, let count) = part else { return nil }
            return (start, count.map { start + $0 })
        }
    }

    // Without a gap from the first byte on, and to the end however long a value is.
    private static func coverValues(_ parts: [Part]) -> Bool {
        var reached = 0
        let slices = slices(of: parts).sorted { $0.start < $1.start }
        for slice in slices where slice.start <= reached {
            guard let end = slice.end else { return true }
            reached = max(reached, end)
        }
        return false
    }
}

// MARK: - There and back

extension StoredLayout {
    /// What is wrong with a value; nil when nothing is. One that is too short for a slice names no
    /// file: apps would cut it in different ways, if they took it at all.
    package func fault(in value: [UInt8]) -> String? {
        value.count < shortest
            ? "shorter than the \(shortest) bytes that its layout \(text) takes" : nil
    }

    /// The key of a value, level and identity not included. Of one that is too short every slice
    /// holds as much as there is: that key it may mean.
    package func key(of value: [UInt8]) -> [UInt8] {
        guard !isPlain else { return value }
        return parts.flatMap { part -> [UInt8] in
            switch part {
            case .literal(let bytes): bytes
            case .slice(let start, let count):
                Array(value.dropFirst(start).prefix(count ?? value.count))
            }
        }
    }

    /// The one value that has this key; nil where none has.
    package func value(of key: [UInt8]) -> [UInt8]? {
        guard !isPlain else { return key }
        guard let count = length(ofValueFor: key.count) else { return nil }
        var value = [UInt8](repeating: 0, count: count)
        var rest = key[...]
        for part in parts {
            switch part {
            case .literal(let bytes): rest = rest.dropFirst(bytes.count)
            case .slice(let start, let length):
                let place = min(start, count)..<min(length.map { start + $0 } ?? count, count)
                value.replaceSubrange(place, with: rest.prefix(place.count))
                rest = rest.dropFirst(place.count)
            }
        }
        // Literals fit, and slices that overlap say the same.
        return self.key(of: value) == key ? value : nil
    }

    // A longer value has a longer key, since each of its bytes stands in one slice at least.
    private func length(ofValueFor count: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if length(ofKeyFor: middle) < count { low = middle + 1 } else { high = middle }
        }
        return length(ofKeyFor: low) == count ? low : nil
    }

    private func length(ofKeyFor count: Int) -> Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .literal(let bytes): sum + bytes.count
            case .slice(let start, let length):
                sum + min(length.map { start + $0 } ?? count, count) - min(start, count)
            }
        }
    }
}
