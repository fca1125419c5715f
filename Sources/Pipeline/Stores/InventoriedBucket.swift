package import MooringModel

/// A live bucket whose objects an inventory lists: candidates come from the inventory, and every
/// look and every act goes to the bucket itself.
package final class InventoriedBucket: ActingBucket {
    private let live: any ActingBucket
    private let inventory: any Bucket
    private let longest: Duration
    private let clock: @Sendable () -> Instant

    /// A live bucket under its inventory, which may be so old; an older one makes its scan
    /// incomplete.
    package init(
        _ live: any ActingBucket, listedBy inventory: any Bucket, notOlderThan longest: Duration,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.live = live
        self.inventory = inventory
        self.longest = longest
        self.clock = clock
    }

    // MARK: The live bucket's own

    /// The live bucket's, as everything but the listing.
    package var name: String { live.name }
    package var kind: String { live.kind }
    package var isLive: Bool { live.isLive }
    package var isFolder: Bool { live.isFolder }
    package var storeIdentity: String { live.storeIdentity }
    package var holdsLinks: Bool { live.holdsLinks }
    package var concurrency: Int { live.concurrency }
    package var actsAtOnce: Int { live.actsAtOnce }
    package var sweepsAtOnce: Int { live.sweepsAtOnce }
    package var leaseStore: (any LeaseStore)? { live.leaseStore }
    package var markerStore: (any MarkerStore)? { live.markerStore }
    package var uploadStore: (any UploadStore)? { live.uploadStore }
    package var versionStore: (any VersionStore)? { live.versionStore }
    package var tagStore: (any TagStore)? { live.tagStore }
    package var settings: (any SettingsStore)? { live.settings }
    package var storageClasses: (any StorageClassReader)? { live.storageClasses }
    package var traffic: String? { live.traffic }

    /// Always.
    package var isListedByInventory: Bool { true }

    // MARK: Listings

    /// Lists what the inventory has, quarantine included: the mapping tells it apart.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await listBatches { try await receive($0.objects) }
    }

    /// The same in the inventory's own batches. Its age is a problem where it is too high.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        let result = try await inventory.listBatches(receive)
        let age = clock() - result.window.from
        guard result.isComplete, age > longest else { return result }
        return result.adding([
            ScanProblem(
                place: name,
                reason: "its inventory is of \(result.window.from.iso8601), more than "
                    + "\(longest.label) ago: name a newer one, or allow more by 'inventoryAge'")
        ])
    }

    /// Lists the live bucket.
    package func listNow(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult { try await live.list(receive) }

    /// Lists the live bucket's quarantine.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult { try await live.listQuarantine(receive) }

    // MARK: Looks and acts

    /// Looks at the live bucket.
    package func head(_ key: ObjectKey) async -> HeadAnswer { await live.head(key) }

    /// Looks into the live bucket's quarantine.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        await live.headQuarantined(key, run: run)
    }

    /// The live bucket's trial.
    package func capabilities() async throws -> StoreCapabilities {
        try await live.capabilities()
    }

    /// The live bucket's clock.
    package func measureClock() async throws -> Duration { try await live.measureClock() }

    /// Finishes a move in the live bucket.
    package func finishMove(_ key: ObjectKey, run: RunID) async throws {
        try await live.finishMove(key, run: run)
    }

    /// Moves an object of the live bucket.
    package func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome {
        try await live.quarantine(key, expecting: version, run: run)
    }

    /// Moves an object back in the live bucket.
    package func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try await live.restore(key, run: run, expecting: version)
    }

    /// Removes an object for good from the live bucket's quarantine.
    package func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try await live.sweep(key, run: run, expecting: version)
    }

    /// Clears folders of the live bucket.
    package func clearFolders(above key: ObjectKey, within head: [UInt8]) async {
        await live.clearFolders(above: key, within: head)
    }
}
