package import MooringDecisions
package import MooringModel

/// A bare difference before judgement: an object that no record references.
package struct OrphanCandidate: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// The object as it was listed.
    package let object: ListedObject

    /// A candidate.
    package init(bucket: Int, object: ListedObject) {
        self.bucket = bucket
        self.object = object
    }
}

/// A bare difference before judgement: a reference none of whose possible objects was listed.
package struct DanglingCandidate: Hashable, Sendable {
    /// Which of the models, over all sources.
    package let model: Int
    /// Where the first reference of this value stands.
    package let place: RecordPlace
    /// Which of the model's `files`.
    package let field: Int
    /// The bucket; nil when the record names one that is not configured.
    package let bucket: Int?
    /// The bucket's name as the record holds it, where it is not configured.
    package let foreignBucket: String?
    /// What the record holds.
    package let value: [UInt8]
    /// How that becomes a key.
    package var stored = StoredLayout.plain
    /// Every place where its object may lie.
    package var patterns: [KeyPattern]
    /// Every index at which a list holds it.
    package let indexes: [Int]
    /// The record's last change as it was read.
    package let changed: ChangeTime?
    /// Whether it is judged only since its object may lie in quarantine: nobody looks at its key
    /// otherwise, or its value is an invalid key, which is a finding of its own.
    package var isOnlyHeld = false

    /// The same with these indexes, where there are several.
    func with(indexes: [Int]) -> DanglingCandidate {
        DanglingCandidate(
            model: model, place: place, field: field, bucket: bucket,
            foreignBucket: foreignBucket, value: value, stored: stored, patterns: patterns,
            indexes: indexes.count > 1 ? indexes : [], changed: changed)
    }
}

/// An object that several records reference, or one that is referenced and empty.
package struct ReferencedObject: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// The object as it was listed.
    package let object: ListedObject
    /// The places that reference it, one for each record.
    package let places: [RecordPlace]
}

/// A value in a file field that is no usable key.
package struct InvalidCandidate: Hashable, Sendable {
    /// Which of the models, over all sources.
    package let model: Int
    /// Where it stands.
    package let place: RecordPlace
    /// What the record holds.
    package let value: [UInt8]
    /// What is wrong with it.
    package let reason: String
    /// Whether the whole value could not be read, so that it may hide references.
    package let hidesReferences: Bool
}

/// A model with its source: what a reference's number stands for.
package struct SourceModel: Hashable, Sendable {
    /// The source's name in the configuration.
    package let source: String
    /// The model's mapping.
    package let mapping: ModelMapping
    /// The source that this one is a copy of; nil where it is the authority itself.
    package let authority: String?

    /// A model of a source.
    package init(source: String, mapping: ModelMapping, authority: String? = nil) {
        self.source = source
        self.mapping = mapping
        self.authority = authority
    }
}
