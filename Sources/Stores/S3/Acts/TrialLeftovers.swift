import MooringModel

/// What a process left that was killed in its trial: small objects and open uploads of Mooring's
/// own. No trial takes a day, so that what is older belongs to none that is under way.
struct TrialLeftovers {
    /// Calls to the bucket in which trials are made.
    let calls: BucketCalls
    /// How the keys of such objects begin.
    let prefix: [UInt8]

    private static let age = Duration.hours(24)

    /// Removes them as far as it can: they do no harm where they stay, and the next trial looks
    /// again.
    func remove() async {
        do {
            for key in try await keys() { try await calls.removeAll(key) }
            var old: [OpenUpload] = []
            _ = try await listing.uploads(scope) { old += $0.filter { isOld($0.begunAt) } }
            for upload in old { _ = try await calls.send(UploadCalls.abort(upload.key, upload.id)) }
        } catch {
            // What the trial itself meets is what is told.
            return
        }
    }

    private var scope: ListingScope { ListingScope(prefixes: [prefix]) }
    private var listing: S3Listing { S3Listing(calls.client, concurrency: 1, clock: calls.clock) }

    private func isOld(_ moment: Instant) -> Bool { calls.clock() - moment > Self.age }

    private func keys() async throws -> Set<ObjectKey> {
        var (old, young): (Set<ObjectKey>, Set<ObjectKey>) = ([], [])
        func note(_ key: ObjectKey, _ writtenAt: Instant) {
            if isOld(writtenAt) { old.insert(key) } else { young.insert(key) }
        }
        if try await calls.versioning() == .never {
            _ = try await listing.objects(scope) { batch in
                for object in batch { note(object.key, object.version.lastModified) }
            }
        } else {
            _ = try await listing.versions(scope) { batch in
                for version in batch { note(version.key, version.version.lastModified) }
            }
        }
        return old.subtracting(young)
    }
}
