import MooringModel

/// A list of a bucket's objects as it was at a moment.
struct FakeInventory: Bucket {
    let name: String
    var objects: [ListedObject]
    let moment: Instant
    let kind = "inventory"
    let isLive = false
    var lease: (any LeaseReader)? { nil }
    var marker: (any MarkerReader)? { nil }
    var uploads: (any UploadReader)? { nil }
    var versions: (any VersionReader)? { nil }
    var tags: (any TagReader)? { nil }

    init(_ name: String, _ objects: [ListedObject], at moment: Instant) {
        self.name = name
        self.objects = objects
        self.moment = moment
    }

    func list(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult {
        if !objects.isEmpty { try await receive(objects) }
        return ScanResult(
            window: ScanWindow(from: moment, to: moment), consistency: "moving")
    }

    func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await FakeInventory(name, [], at: moment).list { _ in }
    }

    func head(_ key: ObjectKey) async -> HeadAnswer { .unknown("a copy") }

    func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer { .unknown("a copy") }
}
