package import MooringDecisions
import MooringLedger
package import MooringModel

/// What a deletion request leaves in a store behind its objects: older versions and delete markers
/// below the request's prefixes, and open uploads to them.
package struct EraseRemains: Sendable {
    /// What was removed, or would be, and what could not be.
    package struct Outcome: Hashable, Sendable {
        /// Older versions that were removed, and their bytes.
        package var versions = 0
        package var bytes: Int64 = 0
        /// Delete markers that were removed.
        package var markers = 0
        /// Uploads that were ended.
        package var uploads = 0
        /// What could not be removed, or not even be listed, in words without keys.
        package var failures: [String] = []

        /// Nothing yet.
        package init() {}

        /// Whether there was anything to remove.
        package var isEmpty: Bool { self == Outcome() }
    }

    private let job: Job
    private let run: RunID
    private let scope: ErasureScope
    private let writer: JournalWriter

    /// The remains of a request in a run.
    package init(job: Job, run: RunID, scope: ErasureScope) {
        self.job = job
        self.run = run
        self.scope = scope
        writer = JournalWriter(job.ledger)
    }

    /// Counts what is there; changes nothing.
    package func survey() async throws -> Outcome { try await go(by: nil) }

    /// Removes it for good, with the intent of each key in the journal before, and lists the
    /// versions once more: what stayed is a failure.
    func remove(by rights: ActingRights) async throws -> Outcome {
        var outcome = try await go(by: rights)
        var left = Outcome()
        for bucket in buckets {
            guard let store = bucket.versions else { continue }
            try await versions(bucket, store, by: nil, &left)
        }
        if left.versions + left.markers > 0 {
            outcome.failures.append(
                "still listed afterwards: \(left.versions) older versions and "
                    + "\(left.markers) delete markers")
        }
        outcome.failures += left.failures.filter { !outcome.failures.contains($0) }
        return outcome
    }

    private var buckets: [any Bucket] {
        job.buckets.filter { bucket in
            bucket.isLive && (scope.bucket == nil || scope.bucket == bucket.name)
        }
    }

    // Without rights it is only counted.
    private func go(by rights: ActingRights?) async throws -> Outcome {
        var outcome = Outcome()
        for bucket in buckets {
            if let store = bucket.uploads {
                try await uploads(bucket, store, by: rights, &outcome)
            }
            if let store = bucket.versions {
                try await versions(bucket, store, by: rights, &outcome)
            }
        }
        return outcome
    }

    // MARK: Uploads

    private func uploads(
        _ bucket: any Bucket, _ store: any UploadReader, by rights: ActingRights?,
        _ outcome: inout Outcome
    ) async throws {
        var found: [OpenUpload] = []
        let result = try await store.listUploads { batch in
            try job.interruption.check()
            found += batch.filter { covers($0.key, bucket.name) }
        }
        outcome.failures += result.problems.map { "uploads not listed: \($0.reason)" }
        for upload in found {
            try job.interruption.check()
            guard let rights, let store = rights.bucket(bucket.name)?.uploadStore else {
                outcome.uploads += 1
                continue
            }
            let step = step(.abort, bucket.name, upload.key)
            let failure = try await carryOut(step, rights) {
                // One that is not open any more is gone as well.
                _ = try await store.abort(upload)
            }
            if let failure {
                outcome.failures.append("an upload is still open: \(failure)")
            } else {
                outcome.uploads += 1
            }
        }
    }

    // MARK: Versions

    private func versions(
        _ bucket: any Bucket, _ store: any VersionReader, by rights: ActingRights?,
        _ outcome: inout Outcome
    ) async throws {
        let quarantines = mapping(bucket.name)?.quarantines.map(\.bytes) ?? []
        var found: [ObjectKey: [OlderVersion]] = [:]
        for head in heads(bucket.name) + quarantines where !head.isEmpty {
            let result = try await store.listOlderVersions(within: head) { batch in
                try job.interruption.check()
                for version in batch
                where covers(version.key, bucket.name)
                    && found[version.key]?.contains(version) != true
                {
                    found[version.key, default: []].append(version)
                }
            }
            outcome.failures += result.problems.map { "versions not listed: \($0.reason)" }
        }
        for (key, versions) in found.sorted(by: { $0.key < $1.key }) {
            try job.interruption.check()
            if let rights {
                try await remove(versions, of: key, bucket.name, rights, &outcome)
            } else {
                count(versions, &outcome)
            }
        }
    }

    // What hides goes last: without the marker the version below it would be there again.
    private func remove(
        _ versions: [OlderVersion], of key: ObjectKey, _ bucket: String,
        _ rights: ActingRights, _ outcome: inout Outcome
    ) async throws {
        let ordered = versions.filter { !$0.isMarker } + versions.filter(\.isMarker)
        guard let store = rights.bucket(bucket)?.versionStore else {
            outcome.failures.append("older versions are left: bucket \(bucket) is a copy")
            return
        }
        let failure = try await carryOut(step(.delete, bucket, key), rights) {
            for version in ordered { try await store.remove(version) }
        }
        if let failure {
            outcome.failures.append("older versions are left: \(failure)")
        } else {
            count(versions, &outcome)
        }
    }

    private func count(_ versions: [OlderVersion], _ outcome: inout Outcome) {
        outcome.markers += versions.count(where: \.isMarker)
        outcome.versions += versions.count { !$0.isMarker }
        for version in versions where !version.isMarker { outcome.bytes += version.size }
    }

    private func mapping(_ bucket: String) -> BucketMapping? {
        job.bucketMappings.first { $0.name == bucket }
    }

    // As of objects: what lies outside the bucket's prefixes is somebody else's.
    private func covers(_ key: ObjectKey, _ bucket: String) -> Bool {
        guard let mapping = mapping(bucket) else { return false }
        let below = mapping.quarantines.first { key.hasPrefix($0.bytes) } ?? mapping.quarantine
        let original = key.original(below: below.bytes)
        return scope.covers(bucket: bucket, key: original)
            && (original != key || mapping.covers(key))
    }

    private func heads(_ bucket: String) -> [[UInt8]] {
        scope.places.filter { $0.bucket == nil || $0.bucket == bucket }.map(\.head)
    }

    // MARK: The journal

    private func step(_ strategy: Strategy, _ bucket: String, _ key: ObjectKey) -> PlanStep {
        let finding = FindingIdentity.object(.orphan, bucket: bucket, key: key)
        return PlanStep(
            id: "erase-\(strategy == .abort ? "upload" : "versions")-\(finding.prefix(12))",
            hash: "", strategy: strategy, finding: finding, bucket: bucket, key: key, record: nil,
            precondition: Precondition()
        ).sealed()
    }

    // Gives why it failed; a crash behind the intent leaves it to the next request.
    private func carryOut(
        _ step: PlanStep, _ rights: ActingRights, _ act: () async throws -> Void
    ) async throws -> String? {
        let journal = StepJournal(rights, writer, run: run, plan: ErasureOrder.plan(of: run))
        let intent = try await journal.intend(step)
        do {
            try await act()
        } catch {
            let reason = (error as? StoreError)?.reason ?? "\(error)"
            _ = try await journal.end(step, intent, .finish(.failed, reason: reason))
            return reason
        }
        _ = try await journal.end(step, intent, .finish(.done, reason: nil))
        return nil
    }
}

extension ObjectKey {
    /// The key that an object in quarantine had, behind the quarantine's prefix and the run's name;
    /// any other key as it is.
    fileprivate func original(below quarantine: [UInt8]) -> ObjectKey {
        guard !quarantine.isEmpty, hasPrefix(quarantine),
            let slash = bytes[quarantine.count...].firstIndex(of: UInt8(ascii: "/"))
        else { return self }
        return ObjectKey(Array(bytes[(slash + 1)...]))
    }
}
