/// A pattern over key bytes: `*` is anything but a slash, `**` anything, `?` one byte but a slash.
package struct Glob: Hashable, Sendable {
    /// The pattern as it was written.
    package let pattern: String
    private let parts: [Part]

    private enum Part: Hashable, Sendable {
        case byte(UInt8)
        case one
        case segment
        case any
    }

    /// A pattern; every text is one.
    package init(_ pattern: String) {
        self.pattern = pattern
        let bytes = Array(pattern.utf8)
        var parts: [Part] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "*"):
                let isDouble = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*")
                parts.append(isDouble ? .any : .segment)
                index += isDouble ? 2 : 1
            case UInt8(ascii: "?"):
                parts.append(.one)
                index += 1
            case let byte:
                parts.append(.byte(byte))
                index += 1
            }
        }
        self.parts = parts
    }

    /// Whether the whole key fits the pattern; takes time in proportion to both lengths.
    package func matches(_ key: ObjectKey) -> Bool {
        var reached = Set([0])
        skipStars(&reached)
        for byte in key.bytes {
            var next: Set<Int> = []
            for place in reached where place < parts.count {
                switch parts[place] {
                case .byte(let wanted): if byte == wanted { next.insert(place + 1) }
                case .one: if byte != UInt8(ascii: "/") { next.insert(place + 1) }
                case .segment: if byte != UInt8(ascii: "/") { next.insert(place) }
                case .any: next.insert(place)
                }
            }
            skipStars(&next)
            if next.isEmpty { return false }
            reached = next
        }
        return reached.contains(parts.count)
    }

    private func skipStars(_ places: inout Set<Int>) {
        for place in places {
            var index = place
            while index < parts.count, parts[index] == .segment || parts[index] == .any {
                index += 1
                places.insert(index)
            }
        }
    }
}
