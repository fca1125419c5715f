import MooringAWS
package import MooringModel

/// The lease as an object under conditional writes; an empty one is none, since not every store
/// deletes under a condition.
extension S3Bucket: LeaseStore {
    /// Its own object holds it; nil once the trial showed that the store ignores conditions.
    package var leaseStore: (any LeaseStore)? {
        trial.ignoresConditionalWrites ? nil : self
    }

    /// Reads the object; nil also where the store can hold no lease.
    package func readLease() async throws -> FoundLease? {
        guard let (facts, bytes) = try await own.content(Lease.key), !bytes.isEmpty else {
            return nil
        }
        return FoundLease(content: bytes, tag: facts.version.etag)
    }

    /// Writes it where there is none, or an empty one. Throws where the store was not seen to keep
    /// conditions: two writers would both hold it.
    package func createLease(_ content: [UInt8]) async throws -> FoundLease? {
        let findings = try await proveWrites()
        let condition: (name: String, value: String)
        if let (facts, bytes) = try await own.content(Lease.key) {
            guard bytes.isEmpty else { return nil }
            condition = findings.ifMatch(facts.version.etag)
        } else {
            condition = ("if-none-match", "*")
        }
        return try await writeLease(content, condition)
    }

    /// Writes it over the one that was read.
    package func replaceLease(
        _ found: FoundLease, with content: [UInt8]
    ) async throws -> FoundLease? {
        let findings = try await proveWrites()
        guard try await readLease() == found else { return nil }
        return try await writeLease(content, findings.ifMatch(found.tag))
    }

    /// Deletes it under a condition, or empties it where the store does not delete so. Where
    /// versions are kept, its own old ones go too, as far as they can.
    package func removeLease(_ found: FoundLease) async throws -> Bool {
        let findings = try await proveWrites()
        guard try await readLease() == found else { return false }
        if findings.capabilities.versioning != .never
            || !findings.capabilities.conditionalDelete.isHonoured
        {
            guard try await writeLease([], findings.ifMatch(found.tag)) != nil else {
                return false
            }
            await clearOldLeases()
            return true
        }
        let response = try await own.delete(Lease.key, ifMatch: found.tag)
        switch response.status {
        case 200..<300: return true
        case 404, 409, 412: return false
        default: throw own.refusal(BucketCalls.deletion(Lease.key), response)
        }
    }

    private func clearOldLeases() async {
        do {
            guard try await own.versioning() != .never else { return }
            // The oldest first: a default retention keeps the newer ones for a while.
            for entry in try await own.stack(of: Lease.key).entries.dropFirst().reversed() {
                try await own.removeVersion(Lease.key, entry.id)
            }
        } catch {
            // Old leases do no harm: what cannot be removed stays.
            return
        }
    }

    // Where no answer comes, a look tells: a lease says who wrote it and when. One that still has
    // what the condition demands is written again, since only one of the two writes can fit it;
    // Ceph answers 500 to one of two that come at once.
    private func writeLease(
        _ content: [UInt8], _ condition: (name: String, value: String)
    ) async throws -> FoundLease? {
        var failures = 0
        while true {
            do {
                let headers = [("content-type", "application/json"), condition]
                switch try await own.put(
                    Lease.key, content, headers: headers.map { (name: $0.0, value: $0.1) })
                {
                case .done(let etag): return FoundLease(content: content, tag: etag)
                case .conflict where failures == 0: return nil
                case .conflict: return try await written(content)
                }
            } catch let error as StoreError where !error.isRefusal {
                failures += 1
                if let found = try await written(content) { return found }
                let found = try await own.content(Lease.key)
                let isAsBefore =
                    condition.name == "if-none-match"
                    ? found == nil
                    : found?.facts.version.etag == ETag.bare(condition.value)
                guard isAsBefore else { return nil }
                guard failures < Self.leaseAttempts else { throw error }
            }
        }
    }

    private static let leaseAttempts = 3

    // The lease where it holds this; an earlier write of it may have come late.
    private func written(_ content: [UInt8]) async throws -> FoundLease? {
        guard let (facts, bytes) = try await own.content(Lease.key), bytes == content else {
            return nil
        }
        return FoundLease(content: bytes, tag: facts.version.etag)
    }

    private func proveWrites() async throws -> TrialFindings {
        let findings = try await trial.findings()
        guard findings.capabilities.conditionalWrite.isHonoured else {
            throw StoreError(
                place: Lease.key.text,
                reason: "the store ignores conditions on writes, and can hold no lease",
                hint: "see to it that one ledger alone acts on this bucket", isRefusal: true)
        }
        return findings
    }
}
