package import MooringModel

/// Where an object that a value means may lie in its bucket.
package enum KeyPattern: Hashable, Sendable {
    /// One key.
    case exact(ObjectKey)
    /// `head`, any one identity, then `rest`: the record does not say under which identity.
    case anyIdentity(head: [UInt8], rest: [UInt8])

    /// Whether an object of this key may be meant.
    package func matches(_ key: ObjectKey) -> Bool {
        switch self {
        case .exact(let exact): return exact == key
        case .anyIdentity(let head, let rest):
            guard key.hasPrefix(head), key.bytes.count > head.count + rest.count else {
                return false
            }
            let middle = key.bytes[head.count..<(key.bytes.count - rest.count)]
            return key.bytes.suffix(rest.count).elementsEqual(rest)
                && !middle.contains(UInt8(ascii: "/"))
        }
    }

    /// Whether a key of this pattern may begin with a prefix.
    func mayLie(under prefix: ObjectKey) -> Bool {
        switch self {
        case .exact(let key): key.hasPrefix(prefix.bytes)
        case .anyIdentity(let head, _):
            head.starts(with: prefix.bytes) || prefix.bytes.starts(with: head)
        }
    }

    /// The pattern as one key for people; an unknown identity shows as `{identity}`.
    package var shown: ObjectKey {
        switch self {
        case .exact(let key): key
        case .anyIdentity(let head, let rest): ObjectKey(head + Array("{identity}".utf8) + rest)
        }
    }
}

/// One way to read an object's key: under a level, with the identity, and what a record would hold.
package struct KeyReading: Hashable, Sendable {
    /// The level's name; nil at the root, where the value is the whole key.
    package let level: String?
    /// The identity segment, where the level has one.
    package let identity: [UInt8]?
    /// The value that a record would hold.
    package let relative: [UInt8]
}

/// The one place where stored values turn into keys, and keys back into values.
package struct KeyResolver: Hashable, Sendable {
    /// The configured levels.
    package let levels: [AccessLevel]

    /// A resolver under these levels.
    package init(levels: [AccessLevel]) {
        self.levels = levels
    }

    /// Every place that a value may mean: one, unless the level or the identity is not known.
    /// A level that is not configured means the root (the configuration refuses such a field).
    package func patterns(
        value: [UInt8], level: LevelChoice, identity: [UInt8]?
    ) -> [KeyPattern] {
        switch level {
        case .root: [.exact(ObjectKey(value))]
        case .named(let name):
            levels.first { $0.name == name }.map { [pattern(value, $0, identity)] }
                ?? [.exact(ObjectKey(value))]
        case .any:
            [.exact(ObjectKey(value))] + levels.map { pattern(value, $0, identity) }
        }
    }

    /// Every way to read a key: at the root, and under each level whose prefix it has, with every
    /// identity that fits where the level's prefix goes on without a slash.
    package func readings(of key: ObjectKey) -> [KeyReading] {
        var readings = [KeyReading(level: nil, identity: nil, relative: key.bytes)]
        for level in levels where key.hasPrefix(level.head) {
            let rest = key.bytes[level.head.count...]
            guard let tail = level.tail else {
                readings.append(
                    KeyReading(level: level.name, identity: nil, relative: Array(rest)))
                continue
            }
            for split in Self.identitySplits(rest, tail: tail) {
                readings.append(
                    KeyReading(
                        level: level.name, identity: Array(rest[..<split]),
                        relative: Array(rest[(split + tail.count)...])))
            }
        }
        return readings
    }

    private func pattern(
        _ value: [UInt8], _ level: AccessLevel, _ identity: [UInt8]?
    ) -> KeyPattern {
        guard let tail = level.tail else { return .exact(ObjectKey(level.head + value)) }
        guard let identity, !identity.isEmpty else {
            return .anyIdentity(head: level.head, rest: tail + value)
        }
        return .exact(ObjectKey(level.head + identity + tail + value))
    }

    // An identity is one path segment or the beginning of one, and the level's tail follows it.
    private static func identitySplits(_ rest: ArraySlice<UInt8>, tail: [UInt8]) -> [Int] {
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard rest.startIndex < end else { return [] }
        return (rest.startIndex + 1...end).filter { rest[$0...].starts(with: tail) }
    }
}
