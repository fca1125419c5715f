import MooringDecisions
import MooringModel

/// Where a step about one object acts: its bucket, its key, the version it expects, and the run in
/// whose quarantine the object lies or shall lie, which whoever drives the step names.
struct ActPlace: Sendable {
    /// The step.
    let step: PlanStep
    /// The bucket.
    let bucket: any Bucket
    /// The object's full key.
    let key: ObjectKey
    /// The version.
    let expected: ObjectVersion
    /// The quarantine's run.
    let run: RunID

    /// The place of a step; nil where its bucket, key or version is not named, or not configured
    /// any more.
    init?(_ step: PlanStep, _ job: Job, _ run: RunID) {
        guard let bucket = step.bucket.flatMap(job.bucket), let key = step.key,
            let expected = step.precondition.object
        else { return nil }
        self.step = step
        self.bucket = bucket
        self.key = key
        self.expected = expected
        self.run = run
    }

    /// A place whose version is told by its id, or how its step ends.
    enum Pinned: Sendable {
        case place(ActPlace)
        case ended(StepOutcome, String)
    }

    /// The place of the version that is there now, where that is the expected one and its bucket
    /// keeps versions: a listing told no id, and from here on it is this one that is meant, in the
    /// journal too.
    func pinned() async -> Pinned {
        guard expected.versionID == nil, bucket.needsTrial else { return .place(self) }
        // Of a store that cannot be tried the store check says why, and ends the step.
        let store = try? await bucket.capabilities()
        guard store?.versioning == .enabled else { return .place(self) }
        switch await bucket.head(key) {
        case .present(let found):
            guard expected.means(found) else {
                return .ended(.stale, "the object is another version now")
            }
            var step = step
            step.precondition.object = found
            return .place(
                ActPlace(
                    step: step.sealed(), bucket: bucket, key: key, expected: found, run: run))
        case .absent: return .ended(.stale, "the object is gone already")
        case .unknown(let reason):
            return .ended(.failed, "the object could not be looked at: \(reason)")
        }
    }

    private init(
        step: PlanStep, bucket: any Bucket, key: ObjectKey, expected: ObjectVersion, run: RunID
    ) {
        self.step = step
        self.bucket = bucket
        self.key = key
        self.expected = expected
        self.run = run
    }

    /// Looks at the object.
    func head() async -> OrphanRemoval.Event { .head(await bucket.head(key)) }

    /// Looks for the object in quarantine, behind the end of what a move left half done.
    func headQuarantined() async -> OrphanRemoval.Event {
        do {
            try await bucket.finishMove(key, run: run)
        } catch {
            return .failed("\(error)")
        }
        return .head(await bucket.headQuarantined(key, run: run))
    }

    /// Moves the object into quarantine where it is the expected version.
    func quarantine() async -> OrphanRemoval.Event {
        guard !step.wouldMixRuns else { return .moved(.stale(StepJournal.mixesRuns)) }
        return await moved { try await bucket.quarantine(key, expecting: expected, run: run) }
    }

    /// Moves this version back from quarantine.
    func restore(_ held: ObjectVersion) async -> OrphanRemoval.Event {
        await moved { try await bucket.restore(key, run: run, expecting: held) }
    }

    /// Removes this version from quarantine for good.
    func sweep(_ held: ObjectVersion) async -> OrphanRemoval.Event {
        await moved { try await bucket.sweep(key, run: run, expecting: held) }
    }

    private func moved(_ move: () async throws -> MoveOutcome) async -> OrphanRemoval.Event {
        do {
            return .moved(try await move())
        } catch {
            return .failed("\(error)")
        }
    }
}

/// Asks what a step's store can do, before the step begins.
struct StoreCheck {
    /// The stores and the configuration.
    let job: Job

    /// How a step ends that its store cannot carry out so that nothing is lost; nil where it can.
    func obstacle(_ step: PlanStep) async -> (StepOutcome, String)? {
        guard let bucket = step.bucket.flatMap(job.bucket), let key = step.key else { return nil }
        do {
            let store = try await bucket.capabilities()
                .concerning(key, step.precondition.object)
            if step.precondition.basis.needsVersions, store.versioning != .enabled {
                return (.stale, "the bucket keeps no versions any more, so it could not come back")
            }
            let isSafe =
                StoreRule.lack(of: store, for: step.strategy, neverReused: false) == nil
            guard !isSafe else { return nil }
            let reuse = job.configuration.keyReuse(of: bucket.name)
            return StoreRule.lack(
                of: store, for: step.strategy, neverReused: reuse.isNeverReused(key)
            ).map { (.stale, "refused: \($0)") }
        } catch {
            return (.failed, "what its store can do could not be tried: \(error)")
        }
    }

    /// What is said behind a move back that could not be one act; nil where it was, and where
    /// nobody knows.
    func caveat(_ bucket: any Bucket, bytes: Int64) async -> String? {
        // Who could not try the store out has made no move either.
        guard let store = try? await bucket.capabilities() else { return nil }
        return StoreRule.caveat(of: store, bytes: bytes)
    }
}
