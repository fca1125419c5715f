import MooringConfiguration
import MooringLedger
package import MooringModel
import Synchronization

/// A bucket whose quarantine lay elsewhere once: what lies there still is listed apart, watched,
/// given back and removed as what lies in the present one. Nothing new is put there.
///
/// A run has put objects in one place only, so that its name tells where they are.
package final class RememberingBucket: ActingBucket {
    /// The same store under a quarantine of the past.
    package struct Earlier: Sendable {
        /// Its prefix in the bucket itself; nil where it lies in another one.
        let prefix: ObjectKey?
        /// The store with that quarantine as its own.
        let bucket: any ActingBucket

        /// The store with that quarantine; the prefix is nil where it lies in another bucket.
        package init(prefix: ObjectKey?, bucket: any ActingBucket) {
            self.prefix = prefix
            self.bucket = bucket
        }
    }

    private let present: any ActingBucket
    private let earlier: [Earlier]
    // Where the listing found the objects of each run: a place among the earlier ones.
    private let places = Mutex<[RunID: Int]>([:])

    /// A bucket with its earlier quarantines.
    package init(_ present: any ActingBucket, earlier: [Earlier]) {
        self.present = present
        self.earlier = earlier
    }

    // MARK: The present bucket's own

    /// The present bucket's, as everything that no quarantine takes part in.
    package var name: String { present.name }
    package var kind: String { present.kind }
    package var isLive: Bool { present.isLive }
    package var isFolder: Bool { present.isFolder }
    package var isListedByInventory: Bool { present.isListedByInventory }
    package var storeIdentity: String { present.storeIdentity }
    package var holdsLinks: Bool { present.holdsLinks }
    package var concurrency: Int { present.concurrency }
    package var actsAtOnce: Int { present.actsAtOnce }
    package var sweepsAtOnce: Int { present.sweepsAtOnce }
    package var leaseStore: (any LeaseStore)? { present.leaseStore }
    package var markerStore: (any MarkerStore)? { present.markerStore }
    package var uploadStore: (any UploadStore)? { present.uploadStore }
    package var versionStore: (any VersionStore)? { present.versionStore }
    package var tagStore: (any TagStore)? { present.tagStore }
    package var settings: (any SettingsStore)? { present.settings }
    package var storageClasses: (any StorageClassReader)? { present.storageClasses }
    package var traffic: String? { present.traffic }

    /// The present bucket's trial.
    package func capabilities() async throws -> StoreCapabilities {
        try await present.capabilities()
    }

    /// The present bucket's clock.
    package func measureClock() async throws -> Duration { try await present.measureClock() }

    /// Clears folders of objects; none of a quarantine.
    package func clearFolders(above key: ObjectKey, within head: [UInt8]) async {
        await present.clearFolders(above: key, within: head)
    }

    // MARK: Listings and looks

    /// Lists what lies in no quarantine of now or then.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await present.list { batch in
            let own = own(batch)
            if !own.isEmpty { try await receive(own) }
        }
    }

    /// The same of what is there now.
    package func listNow(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await present.listNow { batch in
            let own = own(batch)
            if !own.isEmpty { try await receive(own) }
        }
    }

    private func own(_ batch: [ListedObject]) -> [ListedObject] {
        batch.filter { !isHeld($0.key) }
    }

    /// Lists what lies in the present quarantine, then in each earlier one.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        var result = try await present.listQuarantine(receive)
        for (place, view) in earlier.enumerated() {
            let other = try await view.bucket.listQuarantine { batch in
                places.withLock { known in for object in batch { known[object.run] = place } }
                try await receive(batch)
            }
            result = result.joined(other)
        }
        return result
    }

    /// Looks at one object; a key that lies in what was the quarantine once is `unknown`.
    package func head(_ key: ObjectKey) async -> HeadAnswer {
        isHeld(key)
            ? .unknown("the key lies in what was the quarantine once") : await present.head(key)
    }

    /// Looks at one object in the quarantine of its run.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        await view(key, run).headQuarantined(key, run: run)
    }

    // MARK: Acts

    /// Finishes a move where its run made it.
    package func finishMove(_ key: ObjectKey, run: RunID) async throws {
        try await view(key, run).finishMove(key, run: run)
    }

    /// Moves an object into the present quarantine.
    package func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome {
        guard !isHeld(key) else {
            throw StoreError(
                place: key.text, reason: "the key lies in what was the quarantine once",
                isRefusal: true)
        }
        return try await present.quarantine(key, expecting: version, run: run)
    }

    /// Moves an object back from where its run put it.
    package func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try await view(key, run).restore(key, run: run, expecting: version)
    }

    /// Removes an object for good from where its run put it.
    package func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try await view(key, run).sweep(key, run: run, expecting: version)
    }

    private func isHeld(_ key: ObjectKey) -> Bool {
        earlier.contains { view in view.prefix.map { key.hasPrefix($0.bytes) } == true }
    }

    // Where no listing told, each place is looked at; what lies nowhere is the present one's.
    private func view(_ key: ObjectKey, _ run: RunID) async -> any ActingBucket {
        if let place = places.withLock({ $0[run] }) { return earlier[place].bucket }
        guard case .absent = await present.headQuarantined(key, run: run) else { return present }
        for view in earlier {
            if case .present = await view.bucket.headQuarantined(key, run: run) {
                return view.bucket
            }
        }
        return present
    }
}

extension ScanResult {
    /// Two scans of one thing as one.
    fileprivate func joined(_ other: ScanResult) -> ScanResult {
        var result = ScanResult(
            window: ScanWindow(
                from: min(window.from, other.window.from), to: max(window.to, other.window.to)),
            problems: problems + other.problems,
            problemCount: problemCount + other.problemCount,
            outsideCount: outsideCount + other.outsideCount, consistency: consistency,
            requests: requests + other.requests)
        result.notes = notes + other.notes
        return result
    }
}

extension Job {
    /// Remembers where a bucket's removed objects lie now, before or after something is there.
    func rememberQuarantine(of name: String) throws {
        guard let bucket = bucket(name), bucket.isLive,
            let own = configuration.buckets.first(where: { $0.name == name })
        else { return }
        try ledger.remember(
            own.quarantineLocation, bucket: name, store: bucket.storeIdentity)
    }
}
