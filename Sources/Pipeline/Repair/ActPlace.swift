import MooringDecisions
import MooringModel

/// Where a step about one object acts: its bucket, its key, the version it expects, and the run in
/// whose quarantine the object lies or shall lie, which whoever drives the step names.
struct ActPlace: StepPlace {
    private let rights: ActingRights
    private(set) var step: PlanStep
    /// The bucket.
    let bucket: any ActingBucket
    /// The key that the object has outside the quarantine.
    let key: ObjectKey
    /// The version that is expected there.
    private(set) var expected: ObjectVersion
    /// The run whose quarantine it is.
    let run: RunID
    var undoes: Int64?

    /// The place of a step; nil where its bucket, key or version is not named, or not configured
    /// any more.
    init?(_ step: PlanStep, _ rights: ActingRights, _ run: RunID) {
        guard let bucket = step.bucket.flatMap(rights.bucket), let key = step.key,
            let expected = step.precondition.object
        else { return nil }
        self.rights = rights
        self.step = step
        self.bucket = bucket
        self.key = key
        self.expected = expected
        self.run = run
    }

    /// The place of the version that is there now, where that is the expected one and its bucket
    /// keeps versions: a listing told no id, and from here on it is this one that is meant, in the
    /// journal too. Throws the step's end where it is not there.
    func pinned() async throws(StepEnd) -> ActPlace {
        guard expected.versionID == nil, bucket.needsTrial else { return self }
        // Of a store that cannot be tried the store check says why, and ends the step.
        let store = try? await bucket.capabilities()
        guard store?.versioning == .enabled else { return self }
        let head = await bucket.head(key)
        if let end = head.obstacle(expecting: expected) { throw end }
        guard case .present(let found) = head else { return self }
        var place = self
        place.step.precondition.object = found
        place.step = place.step.sealed()
        place.expected = found
        return place
    }

    /// What a machine about the object is told.
    func answer(_ question: ObjectQuestion) async throws -> ObjectAnswer {
        let owners = OwnerReader(job: rights.job)
        switch question {
        case .readOwners: return .owners(await owners.answer(step, key))
        case .readOwner:
            let record = [step.record?.identity].compactMap { $0 }
            return .owners(await owners.answer(record, bucket: bucket.name, key: key))
        case .head: return .head(await bucket.head(key))
        // Behind the end of what a move left half done.
        case .headQuarantined:
            try await bucket.finishMove(key, run: run)
            return .head(await bucket.headQuarantined(key, run: run))
        case .readTag: return .value(try await tagValue())
        case .readDeletion: return .deletion(try await having(bucket.versions).deletion(of: key))
        }
    }

    // What is gone has no tag, and a store's answer to that is an error.
    private func tagValue() async throws -> String? {
        do {
            return try await having(bucket.tags).tagValue(key)
        } catch {
            if case .absent = await bucket.head(key) { return nil }
            throw error
        }
    }

    /// What the bucket keeps beside objects, without which no step begins that needs it.
    func having<Store>(_ store: Store?) throws(StoreError) -> Store {
        guard let store else { throw StoreError(place: bucket.name, reason: "it keeps none") }
        return store
    }

    /// Moves the object into quarantine where it is the expected version.
    func quarantine() async throws -> ObjectAnswer {
        guard !step.wouldMixRuns else { return .moved(.stale(StepEnd.mixedRuns)) }
        return .moved(try await bucket.quarantine(key, expecting: expected, run: run))
    }

    /// Moves this version back from quarantine.
    func restore(_ held: ObjectVersion) async throws -> ObjectAnswer {
        .moved(try await bucket.restore(key, run: run, expecting: held))
    }

    /// Removes this version from quarantine for good.
    func sweep(_ held: ObjectVersion) async throws -> ObjectAnswer {
        .moved(try await bucket.sweep(key, run: run, expecting: held))
    }
}

/// Asks what a step's store can do, before the step begins.
struct StoreCheck {
    /// The stores and the configuration.
    let rights: ActingRights

    /// How a step ends that its store cannot carry out so that nothing is lost; nil where it can.
    func obstacle(_ step: PlanStep) async -> StepEnd? {
        guard let bucket = step.bucket.flatMap(rights.bucket), let key = step.key else {
            return nil
        }
        do {
            let store = try await bucket.capabilities()
                .concerning(key, step.precondition.object)
            if step.precondition.basis.needsVersions, store.versioning != .enabled {
                return .finish(
                    .stale,
                    reason: "the bucket keeps no versions any more, so it could not come back")
            }
            return rights.job.lack(of: store, for: step.strategy, key: key, in: bucket.name)
                .map { .finish(.stale, reason: "refused: \($0)") }
        } catch {
            return .finish(
                .failed, reason: "what its store can do could not be tried: \(error)")
        }
    }

    /// What is said behind a move back that could not be one act; nil where it was, and where
    /// nobody knows.
    func caveat(_ bucket: any ActingBucket, bytes: Int64) async -> String? {
        // Who could not try the store out has made no move either.
        guard let store = try? await bucket.capabilities() else { return nil }
        return StoreRule.caveat(of: store, bytes: bytes)
    }
}
