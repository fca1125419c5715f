/// Tells of most keys that they spell none of the names that were inserted, since their own name is
/// no spelling of any.
struct SpellingFilter: Sendable {
    /// Whether every key is looked at, since values are no ends of keys that begin behind a slash.
    var isOff = false
    private var names = NameFilter()
    // The last letters and digits of the names: most keys need no look at more.
    private var ends = NameFilter()

    /// A filter of no names.
    init(isOff: Bool = false) {
        self.isOff = isOff
    }

    /// Inserts a name as all of its spellings have it.
    mutating func insert(_ name: [UInt8]) {
        name.withUnsafeBufferPointer { name in
            names.insert(hash: NameFilter.hash(lowercasing: name))
            ends.insert(hash: FileName.end(of: name))
        }
    }

    /// Whether a key may spell a name.
    func mayHold(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        if isOff { return true }
        let hash = LoosePath.withPlainName(of: key, NameFilter.hash(lowercasing:))
        return hash.map(names.mayHold) ?? true
    }

    /// Whether a name that is ASCII may spell one, with its ending.
    func mayHoldWhole(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        names.mayHold(FileName.withSquashed(name, NameFilter.hash(lowercasing:)))
    }

    /// What tells of most keys that they spell none: how their name ends.
    func glance(at name: LastPart) -> Glance {
        if isOff { return .yes }
        return LoosePath.plainEnd(of: name).map { .hash($0) } ?? .yes
    }

    /// Whether a key at which this was seen may spell one.
    func mayHold(hash end: UInt64) -> Bool { ends.mayHold(end) }
}
