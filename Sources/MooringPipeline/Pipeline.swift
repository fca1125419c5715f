import MooringConfiguration
package import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReconcile

/// The pipeline: scan → reconcile → confirm → judge → plan → repair → report. One noun crosses
/// each border: observations → confirmation → findings → plan → journal entries → report.
package struct Pipeline: Sendable {
    /// What the pipeline works with.
    package let job: Job

    /// A pipeline over a job.
    package init(job: Job) {
        self.job = job
    }

    /// What an audit found: the summary, the findings in report order, and their tally.
    package struct Audit: Sendable {
        /// The run, with its scans, counts and guards.
        package var summary: RunSummary
        /// In report order.
        package var findings: [Finding]
        /// Counted for gates and guards.
        package var tally: Tally
        /// What lies in quarantine and may be swept, and what the rest waits for.
        package var quarantine: [QuarantineState]
    }

    /// An object in quarantine after a complete look at everything.
    package struct QuarantineState: Hashable, Sendable {
        /// The bucket's name.
        package let bucket: String
        /// The object.
        package let object: QuarantinedObject
        /// The records that its key names as owners.
        package let owners: [RecordIdentity]
        /// Whether anything references it.
        package let isReferenced: Bool
        /// What its sweep waits for; nil when it may be removed for good.
        package let need: ProofNeed?
        /// The proof of a sweep, made from the same facts; nil while it waits for something.
        package let proof: IrreversibleProof?
    }

    /// Scans, reconciles, confirms and judges; writes the ledger and nothing else.
    package func audit(
        _ run: RunSummary, accepting acceptance: Acceptance = Acceptance(),
        clock: Duration? = nil
    ) async throws -> Audit {
        var summary = run
        var observations = try await ScanStage(job: job).run()
        // Behind the scan: what was read is then what the marker stands for.
        let identity = IdentityStage(job: job, run: run.id)
        let stores = try await identity.check(accepting: acceptance)
        observations.vanished = try VanishedStage(job: job, run: run.id)
            .find(observations, accepting: acceptance)
        observations.notes += observations.vanished.notes
        let confirmation = try await ConfirmStage(job: job).run(observations)
        var judged = try JudgeStage(
            job: job, run: run.id, observations: observations, confirmation: confirmation,
            clock: clock ?? .zero, stores: try KnownStores(job)
        ).judge()
        let mapping = try MappingStage(
            job: job, observations: observations, confirmation: confirmation
        ).apply(to: &judged)
        var tally = Tally()
        for finding in judged.findings { tally.add(finding) }

        summary.records = observations.records
        for (name, problem) in confirmation.incomplete {
            summary.records.markIncomplete(name, problem)
        }
        summary.buckets = observations.buckets
        summary.counts = tally.counts
        summary.confirmedAt =
            job.configuration.confirm == .never ? nil : confirmation.endedAt
        summary.notes += observations.notes
        summary.notes += job.configuration.guardsOff
        summary.notes += judged.lacks.sorted { $0.key < $1.key }.map { sentence, count in
            "\(Measure.count(count, "finding")) kept: \(sentence)"
        }
        summary.guards = try guards(
            summary, tally: tally, mapping, accepting: acceptance, clock: clock)
        summary.guards += stores.map(\.answer.answer)
        summary.repairs.planned = tally.steps
        let incomplete = summary.incompleteSides
        summary.status = incomplete.isEmpty ? .complete : .incomplete
        if !incomplete.isEmpty {
            summary.reason = "not read to the end: \(incomplete.joined(separator: ", "))"
        }
        // What a listing of two runs says of one moment, it says of none.
        let isWhole = observations.resumedBuckets.isEmpty
        let quarantine = try quarantineStates(
            judged, summary, observations, look: confirmation.look, clock: clock ?? .zero)
        try remember(
            judged, observations, summary: summary, look: confirmation.look, isWhole: isWhole)
        if summary.status == .complete, !summary.guards.contains(where: \.refused) {
            summary.notes += try await identity.settle(stores, acts: false)
        }
        return Audit(
            summary: summary, findings: judged.findings, tally: tally, quarantine: quarantine)
    }

    private func guards(
        _ summary: RunSummary, tally: Tally, _ mapping: RunSummary.Guard,
        accepting acceptance: Acceptance, clock: Duration?
    ) throws -> [RunSummary.Guard] {
        var facts = GuardFacts()
        facts.incomplete = summary.incompleteSides
        facts.references = summary.records.reduce(0) { $0 + $1.references }
        facts.previousReferences = try job.referencesBefore(summary.id)
        facts.objects = summary.buckets.reduce(0) { $0 + $1.objects }
        facts.steps = tally.steps
        facts.orphansToRemove = tally.orphansToRemove
        facts.held = summary.buckets.reduce(0) { $0 + $1.quarantined }
        facts.bytesToRemove = tally.bytesToRemove
        facts.clock = clock
        facts.mapping = mapping
        return Guards(
            limits: job.configuration.limits, clockBound: job.configuration.race.clockBound
        ).check(facts, accepting: acceptance)
    }

    /// The commands whose runs scan both sides.
    package static let auditCommands: Set<String> = ["audit", "check", "run", "sweep"]

    // A run under `asOf` is kept, but proves nothing to later ones.
    private func remember(
        _ judged: JudgeStage.Result, _ observations: Observations, summary: RunSummary,
        look: CleanLook, isWhole: Bool
    ) throws {
        let now = job.asOf ?? job.clock()
        for start in stride(from: 0, to: judged.findings.count, by: 500) {
            try job.ledger.record(
                Array(judged.findings[start..<min(start + 500, judged.findings.count)]),
                in: summary.id)
        }
        guard job.asOf == nil else { return }
        guard IdentityRule.refusals(in: summary.guards).isEmpty else {
            return try rememberOther(judged, at: now, run: summary.id)
        }
        guard summary.status == .complete else { return }
        let proof = missingProof(summary, observations)
        for start in stride(from: 0, to: judged.sightings.count, by: 500) {
            try job.ledger.sight(
                Array(judged.sightings[start..<min(start + 500, judged.sightings.count)]),
                at: now, run: summary.id)
        }
        try job.ledger.closeSightings(run: summary.id)
        try job.ledger.closeFirstSights(run: summary.id)
        // A run that goes on with an earlier listing says nothing for a sweep; what it saw
        // referenced speaks against one all the same.
        try job.ledger.watch(
            judged.watched.filter { isWhole || $0.referenced }.map {
                // What does not prove that nothing references an object counts against it.
                (
                    bucket: $0.bucket, object: $0.object,
                    referenced: $0.referenced || proof != nil
                )
            },
            at: now, run: summary.id, look: look)
        for bucket in job.buckets where isWhole {
            try job.ledger.closeWatch(run: summary.id, bucket: bucket.name)
        }
    }

    // What was seen on another store proves nothing, whatever it was; that something is referenced
    // still speaks against a sweep.
    private func rememberOther(
        _ judged: JudgeStage.Result, at now: Instant, run: RunID
    ) throws {
        try job.ledger.dropFirstSights(run: run)
        try job.ledger.watch(judged.watched.filter(\.referenced), at: now, run: run)
    }

    // A program that held the file open may have gone on writing to it: then it is not what was
    // judged, and stays. Without a journal of it, its watch alone must do.
    private func changedProof(_ bucket: String, _ object: QuarantinedObject) throws -> String? {
        let judged = try job.ledger.journal(about: bucket, key: object.key).last {
            $0.run == object.run && $0.step.strategy == .quarantine
        }?.step.precondition.object
        guard let judged else { return nil }
        // A copy in another store has its own stamp, and nobody has it open.
        let isSame =
            job.bucket(bucket)?.kind == "directory"
            ? judged.etag == object.version.etag : judged.size == object.version.size
        guard !isSame else { return nil }
        return "an object that is as it was when it was judged"
    }

    // Judged as of the moment at which this run's scan began: a long scan proves nothing by its
    // own length, since a reference may be written behind it.
    private func quarantineStates(
        _ judged: JudgeStage.Result, _ summary: RunSummary, _ observations: Observations,
        look: CleanLook, clock: Duration
    ) throws -> [QuarantineState] {
        let isWhole = observations.resumedBuckets.isEmpty
        let began = observations.beganAt ?? job.asOf ?? job.clock()
        var known: [String: [QuarantinedObject: WatchedObject]] = [:]
        for bucket in job.buckets {
            known[bucket.name] = Dictionary(
                try job.ledger.quarantineWatch(bucket: bucket.name).map { ($0.object, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let (retention, race) = (
            job.configuration.repair.retention, job.objectRace(clock: clock)
        )
        let unread = job.unreadSources.buckets
        return try judged.watched.enumerated().map { place, entry in
            let watched = known[entry.bucket]?[entry.object]
            let missing =
                try missingProof(summary, observations)
                ?? judged.watchedDoubts[place] ?? changedProof(entry.bucket, entry.object)
                ?? (isWhole ? nil : "a listing of one run alone")
                ?? (unread.contains(entry.bucket) ? "a source without unread tables" : nil)
            // What a history still names waits twice as long.
            let retention = judged.watchedRemembered[place] ? retention + retention : retention
            let facts = SweepRule.Facts(
                quarantinedAt: entry.object.run.startedAt ?? .distantFuture,
                isReferenced: entry.referenced, cleanRuns: watched?.cleanRuns ?? 0,
                firstCleanAt: watched?.firstCleanAt, looks: watched?.looks ?? CleanLooks(),
                scan: look, owners: judged.watchedOwners[place],
                mayBeLinked: job.mayBeLinked(entry.object.key, in: entry.bucket))
            return QuarantineState(
                bucket: entry.bucket, object: entry.object,
                owners: judged.watchedOwners[place].map(\.place.identity),
                isReferenced: entry.referenced,
                need: missing.map { ProofNeed(proof: $0, after: nil) }
                    ?? SweepRule.need(facts, retention: retention, race: race, now: began),
                proof: missing != nil
                    ? nil
                    : IrreversibleProof(
                        sweeping: facts, retention: retention, race: race, now: began))
        }
    }

    // Why a run cannot prove that nothing references an object; nil when it can.
    private func missingProof(
        _ summary: RunSummary, _ observations: Observations
    ) -> String? {
        if !job.records.allSatisfy({ observations.serves($0) }) { return "live stores" }
        if summary.confirmedAt == nil { return "a confirm scan" }
        if !IdentityRule.refusals(in: summary.guards).isEmpty {
            return "the store that the ledger knows"
        }
        // A set of references that shrank that much proves nothing about what it lacks.
        if summary.guards.contains(where: { $0.name == "referenceDrop" && $0.refused }) {
            return "a set of references that did not shrink"
        }
        // Under a wrong mapping no key means what its record says.
        if MappingGuard.answer(in: summary.guards)?.refused == true {
            return MappingGuard.need.proof
        }
        return summary.status == .complete ? nil : "a complete run"
    }
}

extension RunSummary {
    /// The names of the sides that were not read to their end.
    package var incompleteSides: [String] {
        records.filter { !$0.scan.complete }.map(\.name)
            + buckets.filter { !$0.scan.complete }.map(\.name)
    }
}

extension [RunSummary.Records] {
    fileprivate mutating func markIncomplete(_ name: String, _ problem: String) {
        for index in indices where self[index].name == name {
            self[index].scan.complete = false
            self[index].scan.problems.append(problem)
            self[index].scan.problemCount += 1
        }
    }
}
