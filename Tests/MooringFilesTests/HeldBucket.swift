import MooringModel

/// A bucket that keeps the folder of its files for as long as it is used itself.
struct HeldBucket: Bucket {
    private let bucket: any Bucket
    private let sandbox: Sandbox

    init(_ bucket: any Bucket, _ sandbox: Sandbox) {
        self.bucket = bucket
        self.sandbox = sandbox
    }

    var name: String { bucket.name }
    var kind: String { bucket.kind }
    var isLive: Bool { bucket.isLive }
    var isFolder: Bool { bucket.isFolder }
    var lease: (any LeaseReader)? { bucket.lease }
    var marker: (any MarkerReader)? { bucket.marker }
    var uploads: (any UploadReader)? { bucket.uploads }
    var versions: (any VersionReader)? { bucket.versions }
    var tags: (any TagReader)? { bucket.tags }

    func list(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult {
        try await bucket.list(receive)
    }

    func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await bucket.listBatches(receive)
    }

    func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await bucket.listQuarantine(receive)
    }

    func head(_ key: ObjectKey) async -> HeadAnswer { await bucket.head(key) }

    func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        await bucket.headQuarantined(key, run: run)
    }
}
