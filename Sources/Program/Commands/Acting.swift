import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// What every command does before it changes a store.
enum Acting {
    /// Refuses stores that are not those the ledger knows, takes the lease of every live bucket,
    /// refuses when a store's clock is too far away, or this machine's behind that of the run
    /// before, tries out what the stores can do, and ends what a crash left open; gives the clock
    /// difference that was measured, which every wait holds.
    ///
    /// Nothing is changed before it. `Session.run` gives the leases back.
    @discardableResult
    static func prepare(
        _ job: Job, _ summary: inout RunSummary, _ steps: inout StepLog,
        accepting acceptance: Acceptance = Acceptance()
    ) async throws -> Duration {
        _ = try await IdentityCheck.pass(job, &summary, accepting: acceptance)
        try await takeLeases(job, &summary)
        let clock = try await passClock(job, &summary)
        try await tryOut(job, &summary)
        try await resume(job, summary, &steps)
        return clock
    }

    /// The same for a command that may find nothing to do: leases and trial come now only where
    /// something is due, as far as is known before a scan.
    static func begin(
        _ job: Job, _ summary: inout RunSummary, _ steps: inout StepLog,
        accepting acceptance: Acceptance
    ) async throws -> ActingRights {
        let wantsMarker = try await IdentityCheck.pass(job, &summary, accepting: acceptance)
        var isDue = wantsMarker
        if !isDue { isDue = try await DueActs(job: job).areKnown() }
        if isDue { try await takeLeases(job, &summary) }
        let clock = try await passClock(job, &summary)
        if isDue {
            try await tryOut(job, &summary)
            try await resume(job, summary, &steps)
        }
        return ActingRights(clock: clock, areHeld: isDue)
    }

    fileprivate static func takeLeases(_ job: Job, _ summary: inout RunSummary) async throws {
        tell(try await job.takeLeases(for: summary.command, run: summary.id), &summary)
    }

    fileprivate static func tryOut(_ job: Job, _ summary: inout RunSummary) async throws {
        tell(try await CapabilityStage(job: job).tryOut(), &summary)
    }

    private static func passClock(
        _ job: Job, _ summary: inout RunSummary
    ) async throws -> Duration {
        let clock = try await job.measureClock()
        let behind = try job.clockBehind(at: summary.startedAt, before: summary.id)
        let answer = job.guards(for: summary.command).clockAnswer(clock, behind: behind)
        summary.guards.removeAll { $0.name == answer.name }
        summary.guards.append(answer)
        if let refusal = Refusal(guards: [answer], refused: "every change to a store") {
            throw refusal
        }
        return clock
    }

    private static func resume(
        _ job: Job, _ summary: RunSummary, _ steps: inout StepLog
    ) async throws {
        var resumed: [RepairStage.Result] = []
        try await ResumeStage(job: job, run: summary.id).resume { resumed.append($0) }
        for result in resumed { steps.tellResumed(result) }
        if let refusal = try LostPlaces(job: job).refusal() { throw refusal }
    }

    private static func tell(_ sentences: [String], _ summary: inout RunSummary) {
        for sentence in sentences {
            summary.notes.append(sentence)
            StandardError.report(sentence)
        }
    }
}

/// Whether a run may act: whether it holds the leases of its buckets, and tried their stores.
struct ActingRights {
    /// The clock difference that was measured.
    let clock: Duration
    /// Whether it holds them.
    private(set) var areHeld: Bool
    /// Whether it took them behind its scan: then another ledger may have acted meanwhile.
    private(set) var cameLate = false

    /// What a run has before its scan.
    init(clock: Duration, areHeld: Bool) {
        self.clock = clock
        self.areHeld = areHeld
    }

    /// Takes the leases and tries the stores where that was not done. Throws as
    /// `Acting.prepare` does; then nothing may be changed.
    mutating func take(_ job: Job, _ summary: inout RunSummary) async throws {
        guard !areHeld else { return }
        try await Acting.takeLeases(job, &summary)
        try await Acting.tryOut(job, &summary)
        areHeld = true
        cameLate = true
    }
}

/// What is known of the acts of a run before it scans anything.
struct DueActs {
    /// The stores and the ledger.
    let job: Job

    /// Whether there is a lease that has to be respected or taken over, an act to be ended, a
    /// store of which too little is known, or something in quarantine past its retention.
    func areKnown() async throws -> Bool {
        if try !job.ledger.openIntents().isEmpty { return true }
        let known = try KnownStores(job.buckets, job.ledger)
        for bucket in job.buckets where bucket.isLive {
            if bucket.needsTrial, isUncertain(known[bucket.name], bucket.name) { return true }
            if try sweeps(bucket.name) { return true }
            if try await bucket.leases?.readLease() != nil { return true }
        }
        return false
    }

    // A store that lacked something may have learnt it.
    private func isUncertain(_ store: StoreCapabilities?, _ bucket: String) -> Bool {
        guard let store, store.versionsDoubt == nil else { return true }
        return !StoreSentences.lacks(of: store, bucket, job.configuration.repair).isEmpty
    }

    private func sweeps(_ bucket: String) throws -> Bool {
        let ended = job.clock() - job.configuration.repair.retention
        return try job.ledger.quarantineWatch(bucket: bucket).contains {
            ($0.object.run.startedAt ?? .distantPast) <= ended
        }
    }
}
