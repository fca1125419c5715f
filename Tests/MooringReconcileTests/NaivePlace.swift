import MooringModel

/// Where a value's object may lie, by string handling that shares no code with the program's.
enum NaivePlace {
    /// One key.
    case one([UInt8])
    /// One segment that nobody knows, between these.
    case between([UInt8], [UInt8])

    /// Every place that a value may mean under a level of Amplify's.
    static func all(
        _ value: [UInt8], _ level: LevelChoice, _ identity: [UInt8]?
    ) -> [NaivePlace] {
        switch level {
        case .root: return [.one(value)]
        case .any:
            return [.one(value)]
                + ["public/", "protected/?/", "private/?/"].map { at($0, value, identity) }
        case .named("guest"): return [at("public/", value, identity)]
        case .named("protected"): return [at("protected/?/", value, identity)]
        case .named("private"): return [at("private/?/", value, identity)]
        default: preconditionFailure("no level of these tests: \(level)")
        }
    }

    // A level's prefix, in which ? stands for the identity, before a value.
    private static func at(
        _ prefix: String, _ value: [UInt8], _ identity: [UInt8]?
    ) -> NaivePlace {
        let parts = prefix.split(separator: "?", omittingEmptySubsequences: false).map {
            Array($0.utf8)
        }
        guard parts.count == 2 else { return .one(parts[0] + value) }
        guard let identity else { return .between(parts[0], parts[1] + value) }
        return .one(parts[0] + identity + parts[1] + value)
    }

    /// Whether an object of this key may be meant.
    func holds(_ key: [UInt8]) -> Bool {
        switch self {
        case .one(let own): return own == key
        case .between(let head, let tail):
            guard key.count > head.count + tail.count else { return false }
            let segment = key[head.count..<(key.count - tail.count)]
            return Array(key.prefix(head.count)) == head && Array(key.suffix(tail.count)) == tail
                && !segment.contains(0x2F)
        }
    }

    /// Whether a value may be a key at all. The keys of these tests are no JSON.
    static func isKey(_ value: [UInt8]) -> Bool {
        (1...1_024).contains(value.count) && value[0] != 0x2F
            && !value.contains { (0..<0x20).contains($0) || $0 == 0x7F }
    }
}
