import MooringModel

/// A kind of bucket, by what its moves are.
enum BucketKind: String, CaseIterable, Sendable {
    /// Moves are renames.
    case folder
    /// Moves are copies, known by their content.
    case copies
    /// Moves are delete markers.
    case versions

    /// What a fake of it is like.
    var traits: StoreTraits {
        switch self {
        case .folder: StoreTraits()
        case .copies: .s3(.never, deletes: .honoured)
        case .versions: .s3(.enabled, deletes: .honoured)
        }
    }
}

extension World {
    /// Uploads a content as a device does: on S3 the same content has the same ETag.
    func upload(_ key: String, _ content: String) {
        bucket.put(
            ObjectKey(key), Array(content.utf8),
            etag: bucket.kind == "s3" ? "of \(content)" : nil)
    }

    /// What lies at a key, as a text.
    func content(_ key: String) -> String? {
        bucket.objects[ObjectKey(key)].map { String(decoding: $0.content, as: UTF8.self) }
    }

    /// The runs under which a key lies in quarantine, oldest first.
    func runs(holding key: String) -> [RunID] {
        bucket.held.filter { $0.key == ObjectKey(key) }.map(\.run).sorted()
    }

    /// What lies in quarantine of a key under a run, as a text.
    func content(_ key: String, heldBy run: RunID) -> String? {
        bucket.held.first { $0.key == ObjectKey(key) && $0.run == run }
            .map { String(decoding: $0.stored.content, as: UTF8.self) }
    }
}
