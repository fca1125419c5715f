package import MooringModel

/// Where the object of a reference may lie.
package struct MeantPlaces: Hashable, Sendable {
    /// The bucket's number; nil when the reference names one that is not configured.
    package let bucket: Int?
    /// Every place in it: one, unless the level or the identity is not known.
    package let patterns: [KeyPattern]

    /// The one key that can be meant; nil where several can.
    package var onlyKey: ObjectKey? {
        guard patterns.count == 1, case .exact(let key) = patterns[0] else { return nil }
        return key
    }
}

/// What a reference means: in which bucket, and at which keys there. The scan, the confirm scan,
/// every act and every command that speaks of a reference ask here.
package struct ReferenceRule: Sendable {
    /// Finds buckets by the names that records hold.
    package let names: BucketNames
    /// Turns values into keys and back.
    package let resolver: KeyResolver

    /// The rule for these buckets, whose keys lie under the resolver's levels.
    package init(buckets: [BucketMapping], resolver: KeyResolver) {
        names = BucketNames(buckets)
        self.resolver = resolver
    }

    /// Where the object of a reference may lie that a record of this identity holds in a field.
    package func places(
        of reference: StoredReference, in field: FileField, identity: [UInt8]?
    ) -> MeantPlaces {
        let patterns = resolver.patterns(
            value: reference.value, level: field.level, identity: identity, stored: field.stored)
        return MeantPlaces(
            bucket: names.number(of: reference, field, at: patterns), patterns: patterns)
    }

    /// Whether a reference may mean the object of a key in a bucket. The same key in another bucket
    /// is another object; one that names a bucket nobody configured may mean any, since the name
    /// may be an old one.
    package func mayMean(
        _ key: ObjectKey, in bucket: Int, by reference: StoredReference, in field: FileField,
        identity: [UInt8]?
    ) -> Bool {
        let places = places(of: reference, in: field, identity: identity)
        let isHere =
            names.isPart(bucket, namedBy: reference) || (places.bucket ?? bucket) == bucket
        return isHere && places.patterns.contains { $0.matches(key) }
    }
}
