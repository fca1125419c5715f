import MooringModel

/// The versions and delete markers of one key, newest first.
struct VersionStack: Sendable {
    /// A version or a delete marker, as the listing told it.
    typealias Entry = KeptVersion

    /// Newest first.
    let entries: [Entry]

    /// What a listing told of a key; nil where it did not begin with the newest.
    init?(_ listed: [ListedVersion]) {
        guard listed.first?.isNewest ?? true, !listed.dropFirst().contains(where: \.isNewest) else {
            return nil
        }
        entries = listed.compactMap { item in
            item.version.versionID.map { id in
                Entry(
                    id: id, isMarker: item.isMarker, writtenAt: item.version.lastModified,
                    etag: item.version.etag, size: item.version.size)
            }
        }
    }

    /// Where a version lies; 0 is the newest, nil means that it is gone.
    func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    /// The entry at a place; nil beyond the end.
    subscript(_ index: Int) -> Entry? {
        entries.indices.contains(index) ? entries[index] : nil
    }
}
