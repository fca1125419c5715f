/// What a store was seen to do with a small object of Mooring's own, and what it therefore can be
/// trusted with; nothing is believed of a store's name or of what it says about itself.
package struct StoreCapabilities: Hashable, Sendable {
    /// What one trial showed; only `honoured` can be relied on.
    package enum Trial: Hashable, Sendable {
        /// The store does what it promises.
        case honoured
        /// It accepts the request and does something else, such as deleting whatever is there.
        case ignored
        /// It says that it cannot, or may not.
        case refused(String)
        /// The trial gave no answer that tells; the reason says why.
        case unknown(String)

        /// Whether it can be relied on.
        package var isHonoured: Bool { self == .honoured }
    }

    /// Whether the store keeps older versions of this bucket's objects.
    package enum Versioning: String, Hashable, Sendable, Codable, CaseIterable {
        /// A deletion leaves a delete marker, and what it hides.
        case enabled
        /// Older versions may be there, and new writes replace each other.
        case suspended
        /// There is one version of each object.
        case never
    }

    /// What the bucket says of its versions; `suspended` where the trial saw that it keeps none.
    package var versioning: Versioning
    /// DELETE with If-Match spares another version.
    package var conditionalDelete: Trial
    /// The ETag of each key in a batch of deletions spares another version.
    package var conditionalBatch: Trial
    /// PUT with If-None-Match and If-Match replaces nothing else.
    package var conditionalWrite: Trial
    /// A copy is made of the expected source only.
    package var conditionalCopy: Trial
    /// A copy replaces nothing at its target.
    package var exclusiveCopy: Trial
    /// Tags can be set without touching the object.
    package var tagging: Trial
    /// An object can be copied in parts.
    package var multipartCopy: Trial
    /// What the trial saw of a bucket that says it keeps versions, and does not; nil elsewhere.
    package var versionsDoubt: String?
    /// What removes from the quarantine too early, in words; nil where nothing is known to.
    package var quarantineDoubt: String?
    /// The keys of which the bucket says that it keeps no versions, though it keeps others.
    package var unversioned: [UnversionedKeys] = []
    /// Every upload gives another version stamp, also one of the same bytes; never tried out.
    package var stampsEveryWrite: Bool

    /// What a store can do.
    package init(
        versioning: Versioning, conditionalDelete: Trial, conditionalBatch: Trial,
        conditionalWrite: Trial, conditionalCopy: Trial, exclusiveCopy: Trial, tagging: Trial,
        multipartCopy: Trial, stampsEveryWrite: Bool = false
    ) {
        self.versioning = versioning
        self.conditionalDelete = conditionalDelete
        self.conditionalBatch = conditionalBatch
        self.conditionalWrite = conditionalWrite
        self.conditionalCopy = conditionalCopy
        self.exclusiveCopy = exclusiveCopy
        self.tagging = tagging
        self.multipartCopy = multipartCopy
        self.stampsEveryWrite = stampsEveryWrite
    }

    /// The same about one object: where its key is excluded, or where it has no version id of its
    /// own, a deletion keeps nothing of it.
    package func concerning(_ key: ObjectKey, _ version: ObjectVersion?) -> StoreCapabilities {
        guard versioning == .enabled else { return self }
        let isNamed = version.map { $0.versionID != nil && $0.versionID != "null" } ?? true
        guard !isNamed || unversioned.contains(where: { $0.matches(key) }) else { return self }
        var lowered = self
        lowered.versioning = .suspended
        lowered.versionsDoubt =
            isNamed
            ? "its versioning excludes this key" : "this object has no version id of its own"
        return lowered
    }

    /// The same about an object as it was listed: without an id it is taken to have one, and the
    /// look before its step says whether it has.
    package func concerning(
        _ key: ObjectKey, listed version: ObjectVersion?
    ) -> StoreCapabilities {
        concerning(key, version?.versionID == nil ? nil : version)
    }

    /// A folder's: a rename moves one file in one step and replaces nothing.
    package static let folder = StoreCapabilities(
        versioning: .never, conditionalDelete: .honoured, conditionalBatch: .honoured,
        conditionalWrite: .honoured, conditionalCopy: .honoured, exclusiveCopy: .honoured,
        tagging: .refused("a folder has no tags"),
        multipartCopy: .refused("a folder copies nothing"), stampsEveryWrite: true)

    /// Whether an object can be removed so that a version written meanwhile is not lost.
    package var removesSafely: Bool { versioning == .enabled || conditionalDelete.isHonoured }

    /// Whether no upload passes for the version that was there before it.
    package var tellsEveryUpload: Bool { versioning == .enabled || stampsEveryWrite }

    /// Whether an object of this many bytes is given back to its key in one act, which replaces
    /// nothing.
    package func restoresAtomically(bytes: Int64) -> Bool {
        versioning == .enabled || exclusiveCopy.isHonoured
            || conditionalWrite.isHonoured && bytes <= Self.wholeWriteLimit
    }

    /// The largest object in bytes that is read and written again where a store has conditions on
    /// writes and none on copies.
    package static let wholeWriteLimit: Int64 = 8 << 20
}
