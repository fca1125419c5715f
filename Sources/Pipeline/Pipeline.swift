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
        /// The steps that take tags off what is no orphan any more.
        package var untagging: [PlanStep] = []
        /// The places of the runs that put it there, in the ledger's order.
        package var order: [RunID: Int64] = [:]
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
        /// Whether records reference its key, and mean the object that is there again.
        package let livesAgain: Bool
        /// When the pass B ended that all this rests on.
        package let confirmedAt: Instant
        /// Why this run's looks say nothing of it, whatever they saw; nil where they do.
        let lack: HeldProof.Lack?
    }

    /// Scans, reconciles, confirms and judges; writes the ledger and nothing else.
    package func audit(
        _ run: RunSummary, accepting acceptance: Acceptance = Acceptance(),
        clock: Duration? = nil
    ) async throws -> Audit {
        var summary = run
        let acceptance = try job.reviewed(acceptance, in: run.id)
        var observations = try await ScanStage(job: job).run()
        try await VersionLook(job: job).run(&observations)
        // Behind the scan: what was read is then what the marker stands for.
        let identity = IdentityStage(job: job, run: run.id)
        let stores = try await identity.check(accepting: acceptance)
        observations.vanished = try VanishedStage(job: job, run: run.id)
            .find(observations, accepting: acceptance)
        observations.notes += observations.vanished.notes
        let confirmation = try await ConfirmStage(job: job).run(observations)
        var judged = try JudgeStage(
            job: job, run: run.id, observations: observations, confirmation: confirmation,
            clock: clock ?? .zero, stores: try KnownStores(job), acceptance: acceptance
        ).judge()
        let mapping = try MappingStage(
            job: job, observations: observations, confirmation: confirmation
        ).apply(to: &judged)
        var tally = Tally()
        for finding in judged.findings { tally.add(finding) }

        describe(observations, confirmation, judged, tally, in: &summary)
        let measured = GuardStage(
            job: job, run: run.id, observations: observations, confirmation: confirmation)
        summary.fields = measured.fields
        summary.accepted = acceptance.texts
        var facts = try measured.facts(summary, tally: tally)
        facts.clock = clock
        facts.behind = try job.clockBehind(at: run.startedAt, before: run.id)
        facts.answers = [mapping] + stores.map(\.answer.answer)
        summary.guards = job.guards(for: summary.command, of: summary.id)
            .check(facts, accepting: acceptance)
        let standing = PlaceStanding(job, summary.guards, accepting: acceptance)
        summary.repairs.planned = tally.steps + tally.restores
        summary.end()
        let quarantine = try quarantineStates(
            judged, summary, observations, (standing, confirmation.look), clock: clock ?? .zero)
        try remember(judged, observations, summary, (standing, confirmation.look), quarantine)
        if job.asOf == nil, summary.status == .complete {
            try job.ledger.record(
                measured.placeCounts(summary, facts, standing), of: summary.id,
                forgetting: try countsForgotten(before: summary.id))
        }
        if summary.status == .complete, !summary.guards.contains(where: \.refused) {
            summary.notes += try await identity.settle(stores, acts: false)
            try VanishedStage(job: job, run: run.id).settle(observations)
        }
        let untagging = try TaggedObjects(job, observations, confirmation, judged.findings)
            .untagging(&summary)
        return Audit(
            summary: summary, findings: judged.findings, tally: tally, quarantine: quarantine,
            untagging: untagging, order: observations.order)
    }

    // What was read and found, as the report tells it.
    private func describe(
        _ observations: Observations, _ confirmation: Confirmation, _ judged: JudgeStage.Result,
        _ tally: Tally, in summary: inout RunSummary
    ) {
        summary.records = observations.records
        for (name, problem) in confirmation.incomplete {
            summary.records.markIncomplete(name, problem)
        }
        summary.buckets = observations.buckets
        summary.counts = tally.counts
        summary.confirmedAt =
            job.configuration.confirm == .never ? nil : confirmation.endedAt
        summary.notes += observations.notes
        summary.notes += confirmation.forms.sentences
        summary.notes += job.configuration.guardsOff
        summary.notes += judged.lacks.sorted { $0.key < $1.key }.map { sentence, count in
            "\(Measure.count(count, "finding")) kept: \(sentence)"
        }
    }

    /// The commands whose runs scan both sides.
    package static let auditCommands: Set<String> = ["audit", "check", "run", "sweep"]

    // A clock that is ahead makes no earlier count old: the run before bounds what it says.
    private func countsForgotten(before run: RunID) throws -> Instant {
        let previous = try job.ledger.runs(limit: 2).first { $0.id != run }?.startedAt
        let now = job.clock()
        return min(now, previous ?? now) - Baseline.window - .days(1)
    }

    // A run under `asOf` is kept, but proves nothing to later ones.
    private func remember(
        _ judged: JudgeStage.Result, _ observations: Observations, _ summary: RunSummary,
        _ seen: (standing: PlaceStanding, look: CleanLook), _ states: [QuarantineState]
    ) throws {
        let (standing, look) = seen
        let now = job.asOf ?? job.clock()
        for start in stride(from: 0, to: judged.findings.count, by: 500) {
            try job.ledger.record(
                Array(judged.findings[start..<min(start + 500, judged.findings.count)]),
                in: summary.id)
        }
        if job.asOf == nil, !IdentityRule.refusals(in: summary.guards).isEmpty {
            // What was seen on another store proves nothing, whatever it was; that something is
            // referenced still speaks against a sweep.
            try job.ledger.dropFirstSights(run: summary.id)
            return try rememberReferenced(judged, observations, run: summary.id, at: now)
        }
        if job.asOf == nil,
            summary.guards.contains(where: { $0.name == Guards.clockName && $0.refused })
        {
            // Under a clock that is wrong nothing was seen first.
            try job.ledger.dropFirstSights(run: summary.id)
        }
        if job.asOf == nil {
            // Before anything is asked of the scan: what lies there is told from another ledger's
            // quarantine by this alone.
            for bucket in Set(judged.watched.map(\.bucket)) {
                try job.rememberQuarantine(of: bucket)
            }
        }
        guard job.asOf == nil, summary.status == .complete else {
            return try rememberReferenced(judged, observations, run: summary.id, at: now)
        }
        let places = Dictionary(
            judged.findings.map { ($0.id, job.place(of: $0)) }, uniquingKeysWith: { one, _ in one })
        for (worth, sightings) in judged.sightings(standing) {
            for start in stride(from: 0, to: sightings.count, by: 500) {
                try job.ledger.sight(
                    Array(sightings[start..<min(start + 500, sightings.count)]), worth: worth,
                    at: now, run: summary.id, places: places)
            }
        }
        try job.ledger.closeSightings(run: summary.id, in: job.runScope)
        try job.ledger.closeFirstSights(run: summary.id, in: job.runScope)
        let looks = RunLooks(
            standing: standing, look: look, at: now,
            isWhole: observations.resumedBuckets.isEmpty,
            proves: missingProof(summary, observations) == nil)
        try remember(looks, at: states, run: summary.id)
    }

    // What a run's looks at quarantine are worth, all but for the single object.
    private struct RunLooks {
        let standing: PlaceStanding
        let look: CleanLook
        let at: Instant
        // What a listing of two runs says of one moment, it says of none.
        let isWhole: Bool
        let proves: Bool
    }

    private func remember(_ looks: RunLooks, at states: [QuarantineState], run: RunID) throws {
        // A run that goes on with an earlier listing says nothing for a sweep; what it saw
        // referenced speaks against one all the same.
        // Where a share alone refused, earlier looks stay as they are.
        for bucket in job.buckets where looks.standing.passes(bucket: bucket.name) {
            try job.ledger.passWatch(run: run, bucket: bucket.name)
        }
        // What only another run may judge keeps the looks of that one.
        for (bucket, held) in Dictionary(grouping: states, by: \.bucket) {
            try job.ledger.passWatch(
                run: run, bucket: bucket,
                objects: held.filter { $0.lack?.isAnothers == true }.map(\.object))
        }
        try job.ledger.watch(
            states.filter {
                $0.isReferenced
                    || looks.isWhole && !looks.standing.passes(bucket: $0.bucket)
                        && $0.lack?.isAnothers != true
            }.map {
                // What does not prove that nothing references an object counts against it.
                (
                    bucket: $0.bucket, object: $0.object,
                    referenced: $0.isReferenced || !looks.proves || $0.lack != nil
                        || looks.standing.blocks(bucket: $0.bucket)
                )
            },
            at: looks.at, run: run, look: looks.look, sources: job.configuration.sourceStamps)
        for bucket in job.buckets where looks.isWhole {
            try job.ledger.closeWatch(run: run, bucket: bucket.name)
        }
    }

    // What a run saw referenced speaks against a sweep, complete or not, and so does what it saw
    // of an object whose quarantine it could not list to its end.
    private func rememberReferenced(
        _ judged: JudgeStage.Result, _ observations: Observations, run: RunID, at now: Instant
    ) throws {
        var items = judged.watched.filter(\.referenced)
        let seen = Set(judged.watched.map { HeldPlace($0.bucket, $0.object) })
        for (number, bucket) in job.buckets.enumerated() {
            for known in try job.ledger.quarantineWatch(bucket: bucket.name)
            where observations.reconciler.isReferenced(known.object.key, bucket: number)
                && !seen.contains(HeldPlace(bucket.name, known.object))
            {
                items.append((bucket: bucket.name, object: known.object, referenced: true))
            }
        }
        try job.ledger.watch(items, at: now, run: run)
    }

    private struct HeldPlace: Hashable {
        let bucket: String
        let key: ObjectKey
        let run: RunID

        init(_ bucket: String, _ object: QuarantinedObject) {
            (self.bucket, key, run) = (bucket, object.key, object.run)
        }
    }

    // A program that held the file open may have gone on writing to it: then it is not what was
    // judged, and stays. Without a journal of it, its watch alone must do.
    private func changedProof(
        _ bucket: String, _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> String? {
        let judged = journal.last {
            $0.run == object.run && $0.step.strategy == .quarantine
        }?.step.precondition.object
        guard let judged else { return nil }
        // A copy in another store has its own stamp, and nobody has it open.
        let isSame =
            job.bucket(bucket)?.kind == "directory"
            ? judged.isSameFile(as: object.version) : judged.size == object.version.size
        guard !isSame else { return nil }
        return "an object that is as it was when it was judged"
    }

    // Judged as of the moment at which this run's scan began: a long scan proves nothing by its
    // own length, since a reference may be written behind it.
    private func quarantineStates(
        _ judged: JudgeStage.Result, _ summary: RunSummary, _ observations: Observations,
        _ seen: (standing: PlaceStanding, look: CleanLook), clock: Duration
    ) throws -> [QuarantineState] {
        let (standing, look) = seen
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
        let held = try HeldProof(job, judged.watched.map(\.object.run))
        let sources = job.configuration.sourceStamps
        return try judged.watched.enumerated().map { place, entry in
            let watched = known[entry.bucket]?[entry.object]?.known(reading: sources)
            let journal = try job.ledger.journal(about: entry.bucket, key: entry.object.key)
            let lack = held.lack(entry.bucket, entry.object, journal)
            let missing =
                missingProof(summary, observations) ?? lack?.proof
                ?? standing.missing(bucket: entry.bucket)
                ?? changedProof(entry.bucket, entry.object, journal)
                ?? (isWhole ? nil : "a listing of one run alone") ?? judged.watchDoubts[place]
                ?? (unread.contains(entry.bucket) ? "a source without unread tables" : nil)
            let livesAgain = judged.livesAgain.contains(place)
            // What a history still names waits twice as long.
            let retention = judged.watchedRemembered[place] ? retention + retention : retention
            let facts = SweepRule.Facts(
                quarantinedAt: Self.quarantinedAt(entry.object, journal),
                isReferenced: entry.referenced, cleanRuns: watched?.cleanRuns ?? 0,
                firstCleanAt: watched?.firstCleanAt, looks: watched?.looks ?? CleanLooks(),
                scan: look,
                // Whoever owns the key means what lies there again, so that nobody settles this.
                owners: livesAgain ? [] : judged.watchedOwners[place],
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
                        sweeping: facts, retention: retention, race: race, now: began),
                livesAgain: livesAgain, confirmedAt: summary.confirmedAt ?? .distantPast,
                lack: lack)
        }
    }

    // An earlier version put the object of a later run where an older one of its key lay: its
    // retention begins with the last that was put there.
    private static func quarantinedAt(
        _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> Instant {
        let runs = journal.filter { $0.mayHaveMoved(object) }.map(\.run) + [object.run]
        return runs.map { $0.startedAt ?? .distantFuture }.max() ?? .distantFuture
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
        return summary.status == .complete ? nil : "a complete run"
    }
}

extension JudgeStage.Result {
    /// The sightings by what each is worth where its finding lies.
    fileprivate func sightings(
        _ standing: PlaceStanding
    ) -> [SightingWorth: [(findingID: String, token: String)]] {
        let tokens = Dictionary(sightings.map { ($0.findingID, $0.token) }) { _, last in last }
        var worths: [SightingWorth: [(findingID: String, token: String)]] = [:]
        for finding in findings {
            guard let token = tokens[finding.id] else { continue }
            worths[standing.worth(finding), default: []].append((finding.id, token))
        }
        return worths
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
