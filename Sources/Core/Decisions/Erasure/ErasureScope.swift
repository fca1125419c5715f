package import MooringModel

/// What a deletion request asks for: keys under certain prefixes, in one bucket or in all.
package struct ErasureScope: Hashable, Sendable {
    /// What was asked, word for word; a receipt keeps only its hash.
    package enum Request: Hashable, Sendable {
        /// A person's identity id: one path segment or a part of one.
        case identity([UInt8])
        /// How keys begin.
        case prefix([UInt8])

        /// The bytes that were given.
        package var bytes: [UInt8] {
            switch self {
            case .identity(let bytes), .prefix(let bytes): bytes
            }
        }

        /// `identity` or `prefix`.
        package var name: String {
            switch self {
            case .identity: "identity"
            case .prefix: "prefix"
            }
        }
    }

    /// Keys of one form: what they begin and end with.
    package struct Place: Hashable, Sendable {
        /// The bucket's name; nil means every bucket.
        package let bucket: String?
        /// What the keys begin with, never empty.
        package let head: [UInt8]
        /// What they end with; empty but for derived objects.
        package let tail: [UInt8]
    }

    /// Why a request is not carried out as it was given: what was found and what to do.
    package struct Doubt: Error, Hashable, Sendable {
        /// What was found.
        package let found: String
        /// What to do instead.
        package let next: String
    }

    /// What was asked, word for word.
    package let request: Request
    /// The bucket that was named; nil means every bucket.
    package let bucket: String?
    /// The keys meant, derived objects included.
    package let places: [Place]
    /// Whether a whole level, or all of a bucket that belongs to the app, is meant.
    package let coversWhole: Bool

    /// The scope of a request under the configured levels and buckets; throws a `Doubt` where the
    /// request may mean somebody else's objects too.
    package init(
        _ request: Request, bucket: String?, levels: [AccessLevel], buckets: [BucketMapping]
    ) throws(Doubt) {
        self.request = request
        self.bucket = bucket
        let heads: [[UInt8]]
        switch request {
        case .identity(let identity):
            heads = try Self.heads(identity, levels)
            coversWhole = false
        case .prefix(let prefix):
            heads = [prefix]
            coversWhole = try Self.isWhole(prefix, levels, buckets)
        }
        let own = buckets.filter { bucket == nil || $0.name == bucket }
        places =
            heads.map { Place(bucket: bucket, head: $0, tail: []) }
            + own.flatMap { mapping in
                Self.derived(mapping).flatMap { before, after in
                    heads.map { Place(bucket: mapping.name, head: before + $0, tail: after) }
                }
            }
    }

    /// Whether an object's key begins and ends as one of the places does.
    package func covers(bucket name: String, key: ObjectKey) -> Bool {
        places.contains { place in
            (place.bucket == nil || place.bucket == name) && key.hasPrefix(place.head)
                && key.bytes.count >= place.head.count + place.tail.count
                && key.bytes.suffix(place.tail.count).elementsEqual(place.tail)
        }
    }

    private static func heads(
        _ identity: [UInt8], _ levels: [AccessLevel]
    ) throws(Doubt) -> [[UInt8]] {
        guard !identity.isEmpty, !identity.contains(UInt8(ascii: "/")) else {
            throw Doubt(
                found: "an identity is one part of a key, neither empty nor with a slash",
                next: "give the identity alone, or the whole prefix with --prefix")
        }
        var heads: [[UInt8]] = []
        for level in levels {
            guard let tail = level.tail else { continue }
            // Without a slash behind it, one identity may be the beginning of another.
            guard tail.contains(UInt8(ascii: "/")) else {
                throw Doubt(
                    found: "the prefix of level '\(level.name)' does not end the identity with a "
                        + "slash, so that longer identities would be meant too",
                    next: "give each prefix with --prefix")
            }
            heads.append(level.head + identity + tail)
        }
        guard !heads.isEmpty else {
            throw Doubt(
                found: "no level's prefix holds {identity}",
                next: "correct levels in the configuration, or give the prefix with --prefix")
        }
        return heads
    }

    private static func isWhole(
        _ prefix: [UInt8], _ levels: [AccessLevel], _ buckets: [BucketMapping]
    ) throws(Doubt) -> Bool {
        guard !prefix.isEmpty else {
            throw Doubt(
                found: "an empty prefix means every object",
                next: "give the prefix of the objects that are meant")
        }
        var isWhole = false
        let wholes =
            levels.map { ("level '\($0.name)'", $0.head) }
            + buckets.flatMap { mapping in
                mapping.prefixes.map { ("bucket '\(mapping.name)'", $0.bytes) }
            }
        for (name, whole) in wholes where !whole.isEmpty && whole.starts(with: prefix) {
            guard whole.count == prefix.count else {
                throw Doubt(
                    found: "the prefix is only the beginning of that of \(name), "
                        + "so that all of it would be meant",
                    next: "spell the whole prefix out if that is meant")
            }
            isWhole = true
        }
        return isWhole
    }

    // What stands before and behind `{key}` in a bucket's patterns of derived objects.
    private static func derived(_ mapping: BucketMapping) -> [([UInt8], [UInt8])] {
        let token = Array("{key}".utf8)
        return mapping.derived.compactMap { pattern in
            let bytes = Array(pattern.utf8)
            guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: token) })
            else { return nil }
            return (Array(bytes[..<place]), Array(bytes[(place + token.count)...]))
        }
    }
}
