package import MooringModel

/// An object that a missing reference may mean, though it does not lie at the reference's key.
package struct MeantObject: Hashable, Sendable {
    /// How it lies, as compared with the place where the reference looks.
    package enum Difference: Hashable, Sendable {
        /// In the same place, under another spelling: Unicode form, percent-encoding or case.
        case twin
        /// Under another level, or at the root.
        case level
        /// Under the same level and another identity.
        case identity
        /// Where the value lies as it stands, or as another layout has it.
        case layout
        /// In another configured bucket.
        case bucket
    }

    /// How its place differs from the one where the reference looks.
    package var difference: Difference
    /// The name of the bucket in which it lies.
    package var bucket: String
    /// The level under which it is read; nil at the root.
    package var level: String?
    /// The identity under which it is read, where the level has one.
    package var identity: [UInt8]?
    /// Whether what the record holds is spelled byte for byte as there.
    package var isSpelledAlike: Bool
    /// Its key there, level and identity included.
    package var key: ObjectKey
    /// Its version; nil where nobody looked at it.
    package var version: ObjectVersion?
    /// The run in whose quarantine it lies; nil where it lies at its key.
    package var quarantinedBy: RunID?
    /// Whether a record references it, or another reference may mean it: a second one would make
    /// two records share it, and each may remove it as its own.
    package var isTaken = false

    /// An object that may be meant.
    package init(
        _ difference: Difference, bucket: String, key: ObjectKey, level: String? = nil,
        identity: [UInt8]? = nil, isSpelledAlike: Bool = true, version: ObjectVersion? = nil,
        quarantinedBy: RunID? = nil
    ) {
        self.difference = difference
        self.bucket = bucket
        self.level = level
        self.identity = identity
        self.isSpelledAlike = isSpelledAlike
        self.key = key
        self.version = version
        self.quarantinedBy = quarantinedBy
    }

    /// How closely it fits, from 0: the same name in another place, a twin in its own place, then
    /// what differs in both.
    package var rank: Int {
        if difference == .twin { return 1 }
        return isSpelledAlike ? 0 : 2
    }

    /// Whether it is told before another: what fits more closely, and else by its place, so that
    /// every run tells the same.
    package static func precedes(_ one: MeantObject, _ other: MeantObject) -> Bool {
        (one.rank, one.bucket, one.key) < (other.rank, other.bucket, other.key)
    }

    /// What a reference to it is called.
    package var cause: FindingCause { difference == .twin ? .twin : .misplaced }

    /// How it lies, in words: `its twin`, or `the same key under another level`.
    package var relation: String {
        let name = isSpelledAlike ? "the same key" : "a twin of its key"
        switch difference {
        case .twin: return "its twin"
        case .level: return "\(name) under another level"
        case .identity: return "\(name) under another identity"
        case .layout: return "\(name) where its layout does not put it"
        case .bucket: return "\(name) in another bucket"
        }
    }
}

extension [MeantObject] {
    /// The one object to which the reference could be pointed: when there is exactly one, not in
    /// quarantine, that nothing else means, and it was looked at; nil otherwise.
    package var onlyTarget: MeantObject? {
        guard count == 1, let only = first, only.quarantinedBy == nil, !only.isTaken,
            only.version != nil
        else { return nil }
        return only
    }
}
