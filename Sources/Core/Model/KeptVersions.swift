/// A version of an object, or a delete marker, as a look at all that is kept of its key told it.
package struct KeptVersion: Hashable, Sendable {
    /// The version's id; `null` of one from before versions were kept, or from while they were
    /// suspended.
    package let id: String
    /// Whether it is a delete marker.
    package let isMarker: Bool
    /// When it was written, in whole seconds; of an object in parts, when its upload began.
    package let writtenAt: Instant
    /// The ETag without quotes; empty of a marker.
    package let etag: String
    /// Bytes; 0 of a marker.
    package let size: Int64

    /// A version or a marker.
    package init(id: String, isMarker: Bool, writtenAt: Instant, etag: String, size: Int64) {
        self.id = id
        self.isMarker = isMarker
        self.writtenAt = writtenAt
        self.etag = etag
        self.size = size
    }

    /// The version as a look at the object tells it.
    package var version: ObjectVersion {
        ObjectVersion(size: size, etag: etag, lastModified: writtenAt, versionID: id)
    }

    /// Whether it has the id that no version of a bucket that keeps versions is given.
    package var isNull: Bool { id == "null" }
}

/// What a store keeps of one key, as far as somebody wanted to know it.
package struct KeptVersions: Hashable, Sendable {
    /// The newest versions and delete markers, newest first.
    package let newest: [KeptVersion]
    /// How many older ones were counted beside them.
    package let older: Int
    /// Whether there are more still, which nobody counted.
    package let isCut: Bool

    /// What is kept of a key.
    package init(_ newest: [KeptVersion], older: Int = 0, isCut: Bool = false) {
        self.newest = newest
        self.older = older
        self.isCut = isCut
    }

    /// The delete markers that hide the object, newest first; none where a version is on top.
    package var hiding: ArraySlice<KeptVersion> { newest.prefix(while: \.isMarker) }

    /// The newest version that is no marker: the object that is there, or the one that would be
    /// there again without the markers above it. Nil where none was told.
    package var content: KeptVersion? { newest.first { !$0.isMarker } }
}
