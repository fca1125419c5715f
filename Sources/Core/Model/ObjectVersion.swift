/// What tells one version of an object from another: its stamp, never its contents.
package struct ObjectVersion: Hashable, Sendable {
    /// Bytes of content.
    package let size: Int64
    /// The store's ETag without quotes; of a file, made from size, mtime in ns and inode.
    package let etag: String
    /// When the store says the object was written; a multipart object's is when its upload began.
    package let lastModified: Instant
    /// The version id, where the store keeps versions and a look told it; a listing tells none.
    package let versionID: String?

    /// A version of an object.
    package init(size: Int64, etag: String, lastModified: Instant, versionID: String? = nil) {
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.versionID = versionID
    }

    /// Whether the ETag counts parts, so that LastModified may lie before the object was visible.
    package var isMultipart: Bool {
        let bytes = etag.utf8
        guard let dash = bytes.lastIndex(of: UInt8(ascii: "-")) else { return false }
        let count = bytes[bytes.index(after: dash)...]
        return !count.isEmpty && count.allSatisfy { (48...57).contains($0) }
    }

    /// The same without its version id, as a listing tells it.
    package var withoutID: ObjectVersion {
        ObjectVersion(size: size, etag: etag, lastModified: lastModified)
    }

    /// Whether a look found what is expected: exactly this version where it has an id; where it has
    /// none, whichever has this size, ETag and LastModified.
    ///
    /// That is safe of what was listed as an object in one part: a listing of objects tells no ids.
    /// An object is acted upon only when its LastModified is older than every window of the race
    /// model. What a later look finds with all three the same is either what was listed, or the
    /// same bytes written within the same second: as old, so that each record about it is as
    /// visible, and had to be seen by the same scan. From that look on its id is the one that is
    /// meant, in the journal, in the note and in the condition of the act.
    ///
    /// An object in parts has the time at which its upload began (user guide, multipart upload
    /// overview), and may have come long behind it: there the same three may stand for a younger
    /// one. So `VersionLook` asks for its id before it is judged.
    package func means(_ found: ObjectVersion) -> Bool {
        self == found || (versionID == nil && self == found.withoutID)
    }

    /// Whether another version of a file has the same size and was written at the same time,
    /// whatever its inode: copying a folder to another disk changes nothing else.
    package func isSameFile(as other: ObjectVersion) -> Bool {
        size == other.size && withoutInode == other.withoutInode
    }

    private var withoutInode: Substring {
        etag.lastIndex(of: ".").map { etag[...$0] } ?? etag[...]
    }

    /// One text for one version, which the ledger compares by `isToken`. It ends with the id, or
    /// with a bar where none is known.
    package var token: String {
        var token = ""
        // With room for two long numbers.
        token.reserveCapacity(etag.utf8.count + 44 + (versionID?.utf8.count ?? 0))
        token += etag
        for number in [lastModified.nanoseconds, size] {
            token += "|"
            token += String(number)
        }
        token += "|"
        token += versionID ?? ""
        return token
    }

    /// Whether a token that was kept is another's, or differs from it only by an id that the other
    /// lacks: earlier programs listed versions with their ids, and what they saw counts on.
    package static func isToken(_ kept: String, for current: String) -> Bool {
        // By bytes: a text compares by canonical equivalence, and a store's ETag does not.
        let (kept, current) = (Array(kept.utf8), Array(current.utf8))
        if kept == current { return true }
        let bar = UInt8(ascii: "|")
        let parts = current.split(separator: bar, omittingEmptySubsequences: false)
        guard parts.count > 3, parts.last?.isEmpty == true,
            parts.suffix(3).dropLast().allSatisfy({
                Int64(String(decoding: $0, as: UTF8.self)) != nil
            }), kept.starts(with: current)
        else { return false }
        return !kept.dropFirst(current.count).contains(bar)
    }
}

/// One object in a listing.
package struct ListedObject: Hashable, Sendable {
    /// The key as the store has it, level and identity included.
    package let key: ObjectKey
    /// The version that was listed, with the id that a look told where one was made.
    package let version: ObjectVersion
    /// Of a symbolic link in a folder: the key its target has, when that lies in the folder.
    /// The link itself is the object; its target is protected as if a record referenced it.
    package let linkTarget: ObjectKey?
    /// The key of what the link leads to in the end, through other links, when that is there and
    /// lies in the folder; it is protected as well.
    package var linkEnd: ObjectKey?
    /// Every place in a folder of the configuration that the link leads to, in its own bucket or
    /// in another one; each is protected.
    package var leadsTo: [LinkedPlace] = []
    /// What speaks against taking it for a plain object, in one sentence; nil where nothing does.
    package let doubt: String?

    /// Whether it stands for more than itself and was ignored in words, as a link to a folder: it
    /// is neither an orphan nor erased, and what it leads to is protected.
    package let isIgnored: Bool

    /// Whether it leads to something in a folder of the configuration.
    package var isLink: Bool { linkTarget != nil || linkEnd != nil || !leadsTo.isEmpty }

    /// A listed object.
    package init(
        key: ObjectKey, version: ObjectVersion, linkTarget: ObjectKey? = nil,
        doubt: String? = nil, isIgnored: Bool = false
    ) {
        self.key = key
        self.version = version
        self.linkTarget = linkTarget
        self.doubt = doubt
        self.isIgnored = isIgnored
    }
}

/// A place that a symbolic link leads to.
package struct LinkedPlace: Hashable, Sendable {
    /// The bucket's name.
    package let bucket: String
    /// The key there; a folder has one too, without a slash at its end.
    package let key: ObjectKey

    /// A place.
    package init(bucket: String, key: ObjectKey) {
        self.bucket = bucket
        self.key = key
    }
}

/// An object in quarantine, where it lies at `PREFIX/RUN/KEY`.
package struct QuarantinedObject: Hashable, Sendable {
    /// The key it had and will have again when it is restored.
    package let key: ObjectKey
    /// The run that removed it, and that its place in quarantine names.
    package let run: RunID
    /// The version that lies in quarantine.
    package let version: ObjectVersion
    /// The delete marker by which it was hidden; nil of a copy, and where that is not known yet.
    package let marker: String?
    /// Of a symbolic link: every place in a folder of the configuration that it would lead to,
    /// were it back at its key.
    package var leadsTo: [LinkedPlace] = []

    /// An object in quarantine.
    package init(key: ObjectKey, run: RunID, version: ObjectVersion, marker: String? = nil) {
        self.key = key
        self.run = run
        self.version = version
        self.marker = marker
    }

    // The ledger knows the same object without its marker and without what it leads to.
    package static func == (one: QuarantinedObject, other: QuarantinedObject) -> Bool {
        one.key == other.key && one.run == other.run && one.version == other.version
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(run)
        hasher.combine(version)
    }
}
