/// An open multipart upload: its object is not there yet, and its parts are kept and paid for.
package struct OpenUpload: Hashable, Sendable {
    /// The key that the object will have.
    package let key: ObjectKey
    /// The store's name for the upload.
    package let id: String
    /// When it was begun; its object will have this as its time.
    package let begunAt: Instant

    /// An open upload.
    package init(key: ObjectKey, id: String, begunAt: Instant) {
        self.key = key
        self.id = id
        self.begunAt = begunAt
    }
}

/// What has arrived of an open upload.
package struct UploadParts: Hashable, Sendable {
    /// How many parts.
    package let count: Int
    /// The sizes of all parts together.
    package let bytes: Int64
    /// When the newest of them arrived; nil where there is none.
    package let newestAt: Instant?

    /// The parts of an upload.
    package init(count: Int, bytes: Int64, newestAt: Instant?) {
        self.count = count
        self.bytes = bytes
        self.newestAt = newestAt
    }
}

/// The delete marker that hides an object, and the version that it hides.
package struct Deletion: Hashable, Sendable {
    /// The marker's version id.
    package let marker: String
    /// When it was made; a store does not say by whom.
    package let at: Instant
    /// The newest version below the marker.
    package let hidden: ObjectVersion
    /// Whether another marker lies below it: what was hidden already was deleted once more.
    package let coversMarker: Bool

    /// A deletion.
    package init(
        marker: String, at: Instant, hidden: ObjectVersion, coversMarker: Bool = false
    ) {
        self.marker = marker
        self.at = at
        self.hidden = hidden
        self.coversMarker = coversMarker
    }

    /// Whether it came after an object was moved to quarantine by a marker over its version, so
    /// that the marker alone does not give it back. Of a copy in quarantine it never did.
    package func isLater(than held: QuarantinedObject) -> Bool {
        guard let own = held.marker, own != marker else { return false }
        return coversMarker || hidden.versionID != held.version.versionID
    }
}

/// An older version of an object, or a delete marker, whoever made it.
package struct OlderVersion: Hashable, Sendable {
    /// The object's full key.
    package let key: ObjectKey
    /// The id of the version or marker; a removal names it, and touches no other.
    package let id: String
    /// Bytes; 0 of a marker.
    package let size: Int64
    /// When it was written.
    package let writtenAt: Instant
    /// Whether it is a delete marker.
    package let isMarker: Bool
    /// Whether it is the newest of its key, as a marker may be.
    package let isNewest: Bool

    /// An older version or a marker.
    package init(
        key: ObjectKey, id: String, size: Int64, writtenAt: Instant, isMarker: Bool,
        isNewest: Bool
    ) {
        self.key = key
        self.id = id
        self.size = size
        self.writtenAt = writtenAt
        self.isMarker = isMarker
        self.isNewest = isNewest
    }
}
