import MooringAWS
import MooringModel

/// Removes things for good, many with one call where the store was seen to do that as exactly as
/// with one call each: what comes while a batch is under way goes together into the next.
///
/// Each removal ends on its own: one that is refused stops none of its neighbours.
actor BatchRemover {
    /// How a removal ended that the store answered.
    enum Ending: Hashable, Sendable {
        /// It is gone, or was gone already.
        case removed
        /// The object has another ETag than it should have, and is where it was.
        case changed
    }

    /// What the store was seen to do with removals.
    struct Trust: Hashable, Sendable {
        /// Whether a single removal minds its ETag.
        let conditionalDelete: Bool
        /// Whether a batch minds the ETag of each key.
        let conditionalBatch: Bool
        /// Whether a batch removes exactly the version that it names.
        let versionBatch: Bool

        /// What was seen.
        init(deletes: Bool, batches: Bool, versions: Bool) {
            conditionalDelete = deletes
            conditionalBatch = batches
            versionBatch = versions
        }

        /// What a trial showed.
        init(_ findings: TrialFindings) {
            self.init(
                deletes: findings.capabilities.conditionalDelete.isHonoured,
                batches: findings.capabilities.conditionalBatch.isHonoured,
                versions: findings.batchesVersions)
        }

        /// Whether a batch does the same with an item as a call of its own would.
        func allowsBatch(_ item: BatchItem) -> Bool {
            guard item.key.isNameable else { return false }
            return item.version == nil ? conditionalBatch && item.etag != nil : versionBatch
        }
    }

    // Nil of what goes alone.
    private typealias Waiting = (item: BatchItem, end: CheckedContinuation<BatchEnd?, any Error>)

    private static let conflicts: Set<String> = [
        "PreconditionFailed", "ConditionalRequestConflict",
    ]
    private static let absences: Set<String> = ["NoSuchKey", "NoSuchVersion"]

    private let calls: BucketCalls
    private var waiting: [Waiting] = []
    private var underWay = 0

    /// A remover in one bucket.
    init(_ calls: BucketCalls) {
        self.calls = calls
    }

    /// Removes an object as long as it has the item's ETag, or one version for good. Throws
    /// `StoreError`; unless it is a refusal, nobody knows whether it is gone.
    func remove(_ item: BatchItem, _ trust: Trust) async throws -> Ending {
        guard trust.allowsBatch(item) else { return try await removeAlone(item, trust) }
        let end = try await withCheckedThrowingContinuation { end in
            waiting.append((item, end))
            sendIfDue()
        }
        switch end {
        case .removed: return .removed
        case .refused(let code) where Self.absences.contains(code): return .removed
        case .refused(let code) where item.etag != nil && Self.conflicts.contains(code):
            return .changed
        // Asked alone, the store says why in a way that has words; and to remove a version, or
        // what has this ETag, once more is to remove it once.
        case .refused, .unanswered, nil: return try await removeAlone(item, trust)
        }
    }

    /// Removes one version or marker for good; it may be gone already.
    func removeVersion(_ key: ObjectKey, _ id: String, _ trust: Trust) async throws {
        _ = try await remove(BatchItem(key: key, version: id), trust)
    }

    private func removeAlone(_ item: BatchItem, _ trust: Trust) async throws -> Ending {
        let etag = trust.conditionalDelete && item.version == nil ? item.etag : nil
        let response = try await calls.delete(item.key, version: item.version, ifMatch: etag)
        switch response.status {
        case 200..<300, 404: return .removed
        case 409, 412: if etag != nil { return .changed }
        default: break
        }
        throw calls.refusal(
            BucketCalls.deletion(item.key, version: item.version, ifMatch: etag), response)
    }

    private func sendIfDue() {
        while !waiting.isEmpty, underWay == 0 || waiting.count >= BucketCalls.batchLimit {
            let batch = Array(waiting.prefix(BucketCalls.batchLimit))
            waiting.removeFirst(batch.count)
            underWay += 1
            Task {
                await send(batch)
                underWay -= 1
                sendIfDue()
            }
        }
    }

    // Without an answer each of them is in doubt, as it would be alone.
    private func send(_ batch: [Waiting]) async {
        do {
            let ends = try await calls.removeBatch(batch.map(\.item))
            for (waiting, end) in zip(batch, ends) { waiting.end.resume(returning: end) }
        } catch let error as StoreError where error.isRefusal {
            for waiting in batch { waiting.end.resume(returning: nil) }
        } catch {
            for waiting in batch { waiting.end.resume(throwing: error) }
        }
    }
}
