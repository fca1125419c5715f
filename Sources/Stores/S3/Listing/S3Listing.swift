package import MooringModel

/// Lists one bucket: its objects, its versions, its open uploads.
///
/// Each listing gives everything in its scope once, in no order, or says in its result what it
/// could not list. Problems end in the result, and the other stretches of keys are listed
/// nevertheless; only what `receive` throws is thrown. `receive` is called once per batch of at
/// most a page, never concurrently; what it does not take in time waits, and the store with it.
package struct S3Listing: Sendable {
    /// What is called with how far the listing came, behind each batch.
    package typealias OnCheckpoint = (ListingCheckpoint) async throws -> Void

    /// The bucket that is listed.
    package let client: S3Client
    /// The most requests at a time.
    package let concurrency: Int
    /// The most keys that a page is asked for.
    package let pageSize: Int
    /// The time.
    package let clock: @Sendable () -> Instant
    /// What is told when the store had to be listed in another way than asked.
    package let onNote: @Sendable (String) -> Void

    /// A listing of a bucket, with at most `concurrency` requests at a time.
    package init(
        _ client: S3Client, concurrency: Int = 16, pageSize: Int = 1_000,
        clock: @escaping @Sendable () -> Instant,
        onNote: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.client = client
        self.clock = clock
        self.concurrency = max(1, concurrency)
        self.pageSize = max(1, pageSize)
        self.onNote = onNote
    }

    /// Lists all objects, by ListObjectsV2; or those that a checkpoint left open.
    package func objects(
        _ scope: ListingScope, resuming checkpoint: ListingCheckpoint? = nil,
        onCheckpoint: OnCheckpoint? = nil, _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await objectBatches(scope, resuming: checkpoint, onCheckpoint: onCheckpoint) {
            try await receive($0.objects)
        }
    }

    /// The same in slabs.
    package func objectBatches(
        _ scope: ListingScope, resuming checkpoint: ListingCheckpoint? = nil,
        onCheckpoint: OnCheckpoint? = nil, _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        var run = ListingRun<ListedObject>(self, scope, resuming: checkpoint)
        return try await run.run(onCheckpoint: onCheckpoint) {
            try await receive(ObjectBatch($0.slab))
        }
    }

    /// Lists all versions and delete markers; those of one key come newest first.
    package func versions(
        _ scope: ListingScope, resuming checkpoint: ListingCheckpoint? = nil,
        onCheckpoint: OnCheckpoint? = nil, _ receive: ([ListedVersion]) async throws -> Void
    ) async throws -> ScanResult {
        var run = ListingRun<ListedVersion>(self, scope, resuming: checkpoint)
        return try await run.run(onCheckpoint: onCheckpoint, receive)
    }

    /// All versions and delete markers of one key, newest first; throws `StoreError` when the
    /// store does not tell.
    package func versions(of key: ObjectKey) async throws -> [ListedVersion] {
        let range = KeyRange(from: key.bytes, to: KeyRange.behind(key.bytes))
        var versions: [ListedVersion] = []
        var run = ListingRun<ListedVersion>(self, ListingScope(), tiles: [range])
        let result = try await run.run { versions += $0 }
        if let problem = result.problems.first {
            throw StoreError(place: problem.place, reason: problem.reason)
        }
        return versions
    }

    private struct Enough: Error {}

    /// The newest versions and delete markers of one key, newest first, at most `most`, and how
    /// many there are: all, or those of the pages that were read until `limit` was passed. Throws
    /// `StoreError` when the store does not tell.
    package func newestVersions(
        of key: ObjectKey, most: Int, counting limit: Int
    ) async throws -> (newest: [ListedVersion], count: Int, isWhole: Bool) {
        let range = KeyRange(from: key.bytes, to: KeyRange.behind(key.bytes))
        var newest: [ListedVersion] = []
        var count = 0
        var run = ListingRun<ListedVersion>(self, ListingScope(), tiles: [range])
        do {
            let result = try await run.run { batch in
                newest += batch.prefix(most - newest.count)
                count += batch.count
                if count > limit { throw Enough() }
            }
            if let problem = result.problems.first {
                throw StoreError(place: problem.place, reason: problem.reason)
            }
        } catch is Enough {
            return (newest, count, false)
        }
        return (newest, count, true)
    }

    /// Lists the open uploads, by ListMultipartUploads, one page after the other.
    package func uploads(
        _ scope: ListingScope, _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> ScanResult {
        var run = UploadListing(self, scope)
        return try await run.run(receive)
    }
}
