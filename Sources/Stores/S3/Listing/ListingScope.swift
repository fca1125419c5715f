package import MooringModel

/// What of a bucket is listed.
package struct ListingScope: Hashable, Sendable {
    /// The prefixes that belong to the app; the empty one is the whole bucket.
    package let prefixes: [[UInt8]]
    /// Prefixes that are left out, such as the quarantine.
    package let hiddenPrefixes: [[UInt8]]
    /// Keys that are left out, such as the lease.
    package let hiddenKeys: Set<ObjectKey>

    /// A part of a bucket.
    package init(
        prefixes: [[UInt8]] = [[]], hiddenPrefixes: [[UInt8]] = [],
        hiddenKeys: Set<ObjectKey> = []
    ) {
        self.prefixes = prefixes
        self.hiddenPrefixes = hiddenPrefixes
        self.hiddenKeys = hiddenKeys
    }

    /// The stretches of the key space to be listed, in order; no two overlap.
    package var tiles: [KeyRange] {
        var tiles = prefixTiles
        for hidden in hiddenPrefixes { tiles = tiles.flatMap { $0.without(hidden) } }
        return tiles
    }

    /// The same with what is left out: one for each prefix that lies in no other.
    var prefixTiles: [KeyRange] {
        var tiles: [KeyRange] = []
        let sorted = prefixes.sorted { $0.precedes($1) }
        var last: [UInt8]?
        for prefix in sorted {
            if let last, prefix.begins(with: last) { continue }
            last = prefix
            tiles.append(KeyRange(prefix: prefix))
        }
        return tiles
    }

    /// Whether something from one key to another, both with it, may be left out.
    func mayHide(from first: [UInt8], to last: [UInt8]) -> Bool {
        hiddenKeys.contains { !$0.bytes.precedes(first) && !last.precedes($0.bytes) }
            || hiddenPrefixes.contains {
                !last.precedes($0) && (first.precedes($0) || first.begins(with: $0))
            }
    }

    /// Whether a key is left out, though a request may bring it.
    func hides(_ key: ObjectKey) -> Bool {
        (!hiddenKeys.isEmpty && hiddenKeys.contains(key))
            || hiddenPrefixes.contains { key.bytes.begins(with: $0) }
    }
}
