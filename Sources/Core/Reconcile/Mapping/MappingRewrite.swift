package import MooringModel

/// One rewrite of keys that reconciles candidate orphans with candidate dangling references.
package struct MappingRewrite: Hashable, Sendable {
    /// A reference and an object that the rewrite makes one.
    package struct Pair: Hashable, Sendable {
        /// What the record holds.
        package let value: [UInt8]
        /// The key that it means under the mapping.
        package let meant: ObjectKey
        /// The key of the object that nobody references.
        package let key: ObjectKey
    }

    /// A file field of a model, and how many of its references the rewrite reconciles.
    package struct Field: Hashable, Sendable {
        /// Which of the models, over all sources.
        package let model: Int
        /// Which of the model's `files`.
        package let field: Int
        /// References that the rewrite reconciles.
        package let references: Int
    }

    /// What a prefix rewrite takes away, and what it puts there; `{identity}` stands for any one.
    package struct Prefix: Hashable, Sendable {
        /// What the keys that references mean begin with.
        package let strip: [UInt8]
        /// What the objects' keys begin with in its place.
        package let add: [UInt8]
    }

    /// The kind of the rewrite.
    package let cause: FindingCause
    /// Of a rewrite that exchanges prefixes, the two.
    package let prefix: Prefix?
    /// The bucket in which most of the pairs lie.
    package let bucket: Int
    /// How many references and objects it makes one, each counted once.
    package let pairs: Int
    /// The candidates on either side.
    package let references: Int
    package let objects: Int
    /// Up to three of the pairs.
    package let samples: [Pair]
    /// The field that holds most of the reconciled references.
    package let field: Field?

    /// The share that it explains, of the smaller of the two sides.
    package var share: Double { Double(pairs) / Double(max(1, min(references, objects))) }
    /// Whether it explains so much that the mapping is wrong, and not the data.
    package var isMappingError: Bool {
        min(references, objects) >= MappingErrorSearch.candidateLimit
            && pairs * 2 >= min(references, objects)
    }
}
