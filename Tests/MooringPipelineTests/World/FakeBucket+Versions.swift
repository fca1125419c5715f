import MooringModel
import Synchronization

extension FakeBucket {
    func versions(of key: ObjectKey, most: Int) async throws -> KeptVersions? {
        let number = try await script.enter(.versions)
        let kept = state.withLock { state -> KeptVersions? in
            guard state.isVersioned else { return nil }
            let all = state.kept(of: key)
            return KeptVersions(Array(all.prefix(most)), older: max(0, all.count - most))
        }
        try await script.leave(.versions, number)
        return kept
    }
}

extension FakeBucket.State {
    /// What is kept of a key, newest first: ids are numbered in the order of their writes.
    fileprivate func kept(of key: ObjectKey) -> [KeptVersion] {
        var kept = live.older.filter { $0.key == key }
        if let deleted = live.deleted[key] { kept += Self.older(key, deleted, isNewest: true) }
        var all = kept.map {
            KeptVersion(
                id: $0.id, isMarker: $0.isMarker, writtenAt: $0.writtenAt,
                etag: live.etags[$0.id] ?? "", size: $0.size)
        }
        if let version = objects[key]?.version, let id = version.versionID {
            all.append(
                KeptVersion(
                    id: id, isMarker: false, writtenAt: version.lastModified, etag: version.etag,
                    size: version.size))
        }
        return all.sorted { number($0.id) > number($1.id) }
    }

    private func number(_ id: String) -> Int { Int(id.dropFirst()) ?? 0 }
}
