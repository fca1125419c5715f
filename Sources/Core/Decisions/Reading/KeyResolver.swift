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
    /// How that value became the key's end.
    package var stored = StoredLayout.plain
}

extension FileField {
    /// Whether a key that is read so may be one of the field's values.
    package func covers(_ reading: KeyReading) -> Bool {
        level.covers(reading.level) && stored == reading.stored
    }

    /// What is wrong with a value of the field as a key; nil when nothing is.
    package func fault(in value: [UInt8]) -> String? {
        KeyRule.fault(in: value) ?? stored.fault(in: value)
    }
}

/// The one place where stored values turn into keys, and keys back into values.
package struct KeyResolver: Hashable, Sendable {
    /// The configured levels.
    package let levels: [AccessLevel]
    /// The layouts of all fields whose values are no keys by themselves, each once.
    package let layouts: [StoredLayout]

    /// A resolver under these levels, for values of these fields.
    package init(levels: [AccessLevel], fields: [FileField] = []) {
        self.levels = levels
        var layouts: [StoredLayout] = []
        for field in fields where !field.stored.isPlain && !layouts.contains(field.stored) {
            layouts.append(field.stored)
        }
        self.layouts = layouts
    }

    /// Every place that a value of this layout may mean: one, unless the level or the identity is
    /// not known. A level that is not configured means the root (the configuration refuses such a
    /// field).
    package func patterns(
        value: [UInt8], level: LevelChoice, identity: [UInt8]?, stored: StoredLayout = .plain
    ) -> [KeyPattern] {
        let value = stored.key(of: value)
        return switch level {
        case .root: [.exact(ObjectKey(value))]
        case .named(let name):
            levels.first { $0.name == name }.map { [pattern(value, $0, identity)] }
                ?? [.exact(ObjectKey(value))]
        case .any:
            [.exact(ObjectKey(value))] + levels.map { pattern(value, $0, identity) }
        }
    }

    /// Every place that a value may mean under any level and by any layout, its own bytes first.
    package func everyPattern(of value: [UInt8], identity: [UInt8]?) -> [KeyPattern] {
        ([.plain] + layouts).flatMap {
            patterns(value: value, level: .any, identity: identity, stored: $0)
        }
    }

    /// Whether what a record holds is the end of its object's key and begins behind a slash of it,
    /// or with the key, whatever the field. Behind an identity without a slash, or behind what a
    /// layout puts before it, it may begin within a part.
    package var cutsAtSlashes: Bool {
        layouts.allSatisfy(\.cutsAtSlash)
            && levels.allSatisfy { level in
                let end = level.tail ?? level.head
                return end.last == UInt8(ascii: "/") || level.tail == nil && end.isEmpty
            }
    }

    /// Whether what a record holds is the end of its object's key, whatever the field.
    package var endsInValue: Bool { layouts.allSatisfy(\.endsInValue) }

    /// Every way to read a key: as `plainReadings` has them, and each of these by every layout that
    /// gives it.
    package func readings(of key: ObjectKey) -> [KeyReading] {
        let plain = plainReadings(of: key)
        guard !layouts.isEmpty else { return plain }
        return plain
            + plain.flatMap { reading in
                layouts.compactMap { layout in
                    layout.value(of: reading.relative).map {
                        KeyReading(
                            level: reading.level, identity: reading.identity, relative: $0,
                            stored: layout)
                    }
                }
            }
    }

    /// What the file of a key may be called: its key, and what records hold by a layout.
    package func names(of key: ObjectKey) -> [[UInt8]] {
        guard !layouts.isEmpty else { return [key.bytes] }
        return [key.bytes]
            + readings(of: key).filter { !$0.stored.isPlain && !$0.relative.isEmpty }
            .map(\.relative)
    }

    /// The places that would be meant were the values of a layout keys by themselves; none where
    /// no value of it means the pattern.
    package func unlaid(_ pattern: KeyPattern, by layout: StoredLayout) -> [KeyPattern] {
        switch pattern {
        case .exact(let key):
            readings(of: key).filter { $0.stored == layout }.map { reading in
                let head = key.bytes.dropLast(layout.key(of: reading.relative).count)
                return .exact(ObjectKey(head + reading.relative))
            }
        case .anyIdentity(let head, let rest):
            levels.compactMap { level in
                guard level.head == head, let tail = level.tail, rest.starts(with: tail)
                else { return nil }
                return layout.value(of: Array(rest.dropFirst(tail.count))).map {
                    .anyIdentity(head: head, rest: tail + $0)
                }
            }
        }
    }

    /// Every way to read a key whose end is the value itself: at the root, and under each level
    /// whose prefix it has, with every identity that fits where the level's prefix goes on without
    /// a slash.
    package func plainReadings(of key: ObjectKey) -> [KeyReading] {
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
        let splits = rest.startIndex + 1...end
        guard let first = tail.first else { return Array(splits) }
        return splits.filter {
            $0 < rest.endIndex && rest[$0] == first && rest[$0...].starts(with: tail)
        }
    }
}
