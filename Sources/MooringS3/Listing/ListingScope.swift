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
        var tiles: [KeyRange] = []
        let sorted = prefixes.sorted { $0.lexicographicallyPrecedes($1) }
        var last: [UInt8]?
        for prefix in sorted {
            if let last, prefix.starts(with: last) { continue }
            last = prefix
            tiles.append(KeyRange(prefix: prefix))
        }
        for hidden in hiddenPrefixes { tiles = tiles.flatMap { $0.without(hidden) } }
        return tiles
    }

    /// Whether nothing is left out.
    var hidesNothing: Bool { hiddenKeys.isEmpty && hiddenPrefixes.isEmpty }

    /// Whether a key is left out, though a request may bring it.
    func hides(_ key: ObjectKey) -> Bool {
        (!hiddenKeys.isEmpty && hiddenKeys.contains(key))
            || hiddenPrefixes.contains { key.bytes.starts(with: $0) }
    }
}
