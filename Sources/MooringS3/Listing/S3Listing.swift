package import MooringModel

/// Lists one bucket: its objects, its versions, its open uploads.
///
/// Each listing gives everything in its scope once, or says in its result what it could not list.
/// Problems end in the result, and the other stretches of keys are listed nevertheless; only what
/// `receive` throws is thrown. `receive` is called once per batch, never concurrently.
package struct S3Listing: Sendable {
    /// The bucket that is listed.
    package let client: S3Client
    /// The most requests at a time.
    package let concurrency: Int
    /// The most keys that a page is asked for.
    package let pageSize: Int
    /// The time.
    package let clock: @Sendable () -> Instant

    /// A listing of a bucket, with at most `concurrency` requests at a time.
    package init(
        _ client: S3Client, concurrency: Int = 16, pageSize: Int = 1_000,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.client = client
        self.clock = clock
        self.concurrency = max(1, concurrency)
        self.pageSize = max(1, pageSize)
    }

    /// Lists all objects, by ListObjectsV2.
    package func objects(
        _ scope: ListingScope, _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await ListingRun<ListedObject>(self, scope).run(receive)
    }

    /// Lists the newest version of all objects whose newest version is no delete marker, by
    /// ListObjectVersions; each with its version id.
    package func newestVersions(
        _ scope: ListingScope, _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await versions(scope) { batch in
            let newest = batch.filter { $0.isNewest && !$0.isMarker }
            if newest.isEmpty { return }
            try await receive(newest.map { ListedObject(key: $0.key, version: $0.version) })
        }
    }

    /// Lists all versions and delete markers; those of one key come newest first.
    package func versions(
        _ scope: ListingScope, _ receive: ([ListedVersion]) async throws -> Void
    ) async throws -> ScanResult {
        try await ListingRun<ListedVersion>(self, scope).run(receive)
    }

    /// All versions and delete markers of one key, newest first; throws `StoreError` when the
    /// store does not tell.
    package func versions(of key: ObjectKey) async throws -> [ListedVersion] {
        let range = KeyRange(from: key.bytes, to: KeyRange.behind(key.bytes))
        var versions: [ListedVersion] = []
        let run = ListingRun<ListedVersion>(self, ListingScope(), tiles: [range])
        let result = try await run.run { versions += $0 }
        if let problem = result.problems.first {
            throw StoreError(place: problem.place, reason: problem.reason)
        }
        return versions
    }

    /// Lists the open uploads.
    package func uploads(
        _ scope: ListingScope, _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> ScanResult {
        try await ListingRun<OpenUpload>(self, scope).run(receive)
    }
}
