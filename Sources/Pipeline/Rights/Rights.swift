import MooringDecisions
import MooringLedger
import MooringModel

/// What every run does before it changes a store, and the only place that makes `ActingRights`.
///
/// Nothing is changed before it. Whoever conducts the run gives the leases back.
struct Rights {
    /// The stores and the ledger.
    let job: Job
    /// The run that wants to act.
    let run: CurrentRun

    /// Refuses stores that are not those the ledger knows, takes the lease of every live bucket,
    /// refuses when a store's clock is too far away, or this machine's behind that of the run
    /// before, tries out what the stores can do, and ends what a crash left open.
    func take(accepting acceptance: Acceptance = Acceptance()) async throws -> ActingRights {
        _ = try await refuseOtherStores(accepting: acceptance)
        try await takeLeases()
        let clock = try await passClock()
        try await tryOut()
        return try await resumed(ActingRights(job: job, clock: clock, cameLate: false))
    }

    /// The same for a run that may find nothing to do: leases and trial come now only where
    /// something is due, as far as is known before a scan.
    func takeWhereDue(accepting acceptance: Acceptance) async throws -> PromisedRights {
        let wantsMarker = try await refuseOtherStores(accepting: acceptance)
        var isDue = wantsMarker
        if !isDue { isDue = try await DueActs(job: job).areKnown() }
        if isDue { try await takeLeases() }
        let clock = try await passClock()
        guard isDue else { return PromisedRights(clock: clock) }
        try await tryOut()
        let rights = ActingRights(job: job, clock: clock, cameLate: false)
        return PromisedRights(clock: clock, acting: try await resumed(rights))
    }

    /// Takes the leases and tries the stores behind the scan, where that was not done before it.
    func fulfil(_ promised: inout PromisedRights) async throws -> ActingRights {
        if let acting = promised.acting { return acting }
        try await takeLeases()
        try await tryOut()
        let rights = ActingRights(job: job, clock: promised.clock, cameLate: true)
        promised.acting = rights
        return rights
    }

    /// Adopts what is new and, with rights, writes a marker into each bucket that has none, since
    /// every guard passed by now.
    func adoptIdentities(by rights: ActingRights?) async throws {
        let stage = IdentityStage(job: job, run: run.summary.id)
        for sentence in try await stage.adoptNew(try await stage.check(), by: rights) {
            run.note(sentence)
        }
    }

    // Whether a bucket has no marker, so that one will be written.
    private func refuseOtherStores(accepting acceptance: Acceptance) async throws -> Bool {
        do {
            let results = try await IdentityStage(job: job, run: run.summary.id).refuseOthers(
                accepting: acceptance, refused: "every change, and nothing was changed")
            set(results.map(\.answer.answer), named: IdentityRule.name)
            return results.contains { $0.answer.wantsMarker }
        } catch let error as IdentityRefusal {
            set(error.guards, named: IdentityRule.name)
            throw error.refusal
        }
    }

    private func takeLeases() async throws {
        let own = (command: run.summary.command, run: run.summary.id)
        for sentence in try await job.takeLeases(for: own.command, run: own.run) {
            run.note(sentence)
        }
    }

    private func tryOut() async throws {
        for sentence in try await CapabilityStage(job: job).tryOut() { run.note(sentence) }
    }

    private func passClock() async throws -> Duration {
        let clock = try await job.measureClock()
        let behind = try job.clockBehind(at: run.summary.startedAt, before: run.summary.id)
        let answer = job.guards(for: run.summary.command).clockAnswer(clock, behind: behind)
        set([answer], named: answer.name)
        if let refusal = Refusal(guards: [answer], refused: "every change to a store") {
            throw refusal
        }
        return clock
    }

    private func resumed(_ rights: ActingRights) async throws -> ActingRights {
        try await ResumeStage(rights, run: run.summary.id).run { run.addResumed($0) }
        if let refusal = try LostPlaces(job: job).refusal() { throw refusal }
        return rights
    }

    private func set(_ guards: [RunSummary.Guard], named name: String) {
        run.summary.guards.removeAll { $0.name == name }
        run.summary.guards += guards
    }
}

/// That a run may act: it passed the stores' identities and clocks, holds the leases of its
/// buckets, and tried what they can do. Stores are changed by nothing else.
package struct ActingRights: Sendable {
    /// The stores and the ledger.
    let job: Job
    /// The clock difference that was measured, which every wait holds.
    let clock: Duration
    /// Whether they came behind the run's own scan: then another ledger may have acted meanwhile.
    let cameLate: Bool

    fileprivate init(job: Job, clock: Duration, cameLate: Bool) {
        self.job = job
        self.clock = clock
        self.cameLate = cameLate
    }

    /// The bucket of this name, to be changed; nil of a copy.
    func bucket(_ name: String) -> (any ActingBucket)? {
        job.actingBuckets.first { $0.name == name }
    }

    /// The source of this name, to be written; nil of a copy.
    func source(_ name: String) -> (any ActingRecordSource)? {
        job.source(name) as? any ActingRecordSource
    }
}

/// The rights of a run that may find nothing to do: identities and clocks passed.
struct PromisedRights {
    /// The clock difference that was measured.
    let clock: Duration
    /// What became of the promise; nil until something is due.
    fileprivate(set) var acting: ActingRights?

    fileprivate init(clock: Duration, acting: ActingRights? = nil) {
        self.clock = clock
        self.acting = acting
    }
}

extension Job {
    /// The buckets that can be changed, for what this folder writes of Mooring's own: leases,
    /// markers and trials.
    var actingBuckets: [any ActingBucket] { buckets.compactMap { $0 as? any ActingBucket } }
}
