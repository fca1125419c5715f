import MooringConfiguration
import MooringDecisions
package import MooringLedger
package import MooringModel
import MooringReconcile

/// Reads quarantine back from the buckets, for a ledger that does not know what lies there.
package struct RebuildStage {
    /// What the buckets hold in quarantine.
    package struct Quarantine: Sendable {
        /// The objects by the run that put them there.
        package internal(set) var runs: [RunID: [Item]] = [:]
        /// What lies there outside every run, or in a run whose name is no date.
        package internal(set) var leftAlone: [ScanProblem] = []
        /// How much of that is only counted.
        package internal(set) var leftAloneUnnamed = 0
        /// What kept a listing from its end.
        package internal(set) var problems: [ScanProblem] = []
        /// Whether everything was listed.
        package internal(set) var isComplete = true
    }

    /// An object in the quarantine of a bucket.
    package struct Item: Hashable, Sendable {
        /// The bucket's name in the configuration.
        package let bucket: String
        /// The object, under the key that it had.
        package let object: QuarantinedObject
    }

    /// What the ledger does not know of one run.
    package struct Missing: Hashable, Sendable {
        /// The run and the repairs that are to be written.
        package let run: RebuiltRun
        /// Whether the ledger knows the run itself.
        package let isKnown: Bool
        /// How many of its objects the journal knows.
        package let knownObjects: Int
    }

    /// The sentence in every run and journal entry that is written.
    package static let note = "rebuilt from the buckets"

    private let job: Job

    /// A stage over a job.
    package init(job: Job) {
        self.job = job
    }

    /// Lists the quarantine of every live bucket; writes nothing.
    package static func list(
        _ buckets: [any Bucket], _ interruption: Interruption
    ) async throws -> Quarantine {
        var quarantine = Quarantine()
        for bucket in buckets where bucket.isLive {
            let result = try await bucket.listQuarantine { batch in
                try interruption.check()
                for object in batch {
                    quarantine.runs[object.run, default: []].append(
                        Item(bucket: bucket.name, object: object))
                }
            }
            let outside = result.problems.filter(\.isOutside)
            quarantine.leftAlone += outside
            quarantine.leftAloneUnnamed += result.outsideCount - outside.count
            quarantine.problems += result.problems.filter { !$0.isOutside }
            // A problem that is only counted is one: nobody knows what it hides.
            if result.problemCount > result.outsideCount { quarantine.isComplete = false }
        }
        for run in quarantine.runs.keys.sorted() where run.startedAt == nil {
            quarantine.runs[run] = nil
            quarantine.leftAlone.append(
                ScanProblem(place: run.text, reason: "its name is no date", isOutside: true))
        }
        return quarantine
    }

    /// What the ledger does not know of it, oldest run first.
    package func missing(_ quarantine: Quarantine) throws -> [Missing] {
        var missing: [Missing] = []
        for (run, items) in quarantine.runs.sorted(by: { $0.key < $1.key }) {
            let unknown = try items.filter { try !knows($0) }.sorted {
                ($0.bucket, $0.object.key) < ($1.bucket, $1.object.key)
            }
            let isKnown = try job.ledger.run(run) != nil
            guard !unknown.isEmpty || !isKnown else { continue }
            let entries = try entries(unknown, run)
            missing.append(
                Missing(
                    run: RebuiltRun(
                        summary: summary(run, repairs: items.count), entries: entries),
                    isKnown: isKnown, knownObjects: items.count - unknown.count))
        }
        return missing
    }

    /// Writes what is missing, all of it or nothing.
    package func write(_ missing: [Missing]) throws {
        guard !missing.isEmpty else { return }
        try job.ledger.rebuild(missing.map(\.run), reason: Self.note, at: job.clock())
    }

    // An entry of this run that moved the object in; how it ended is the journal's own matter.
    private func knows(_ item: Item) throws -> Bool {
        try job.ledger.journal(about: item.bucket, key: item.object.key).contains {
            $0.run == item.object.run && $0.step.precondition.quarantinedBy == nil
                && [.quarantine, .delete].contains($0.step.strategy)
        }
    }

    private func summary(_ run: RunID, repairs: Int) -> RunSummary {
        let started = run.startedAt ?? .distantPast
        var summary = RunSummary(
            id: run, command: "repair", programVersion: "", startedAt: started, configuration: "")
        summary.finishedAt = started
        summary.status = .complete
        summary.repairs.planned = repairs
        summary.repairs.done = repairs
        summary.notes = [Self.note]
        return summary
    }

    // The records that a key names as its owners find the entry too, as they would have found the
    // one that was lost.
    private func entries(_ items: [Item], _ run: RunID) throws -> [JournalEntry] {
        let placed = items.compactMap { item in
            job.buckets.firstIndex { $0.name == item.bucket }.map { ($0, item) }
        }
        let scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: placed.map { WantedKey(bucket: $0.0, key: $0.1.object.key) }, dangling: [])
        // It reads back without rights, so that no clock was measured; the bound stands in for it.
        let times = BelievableTimes(now: job.clock(), race: job.objectRace(clock: .zero))
        let owners = try OwnerLookup(job: job, run: run, times: times, remembers: false)
            .owners(of: placed.indices.map(scan.owners))
        return zip(placed, owners).map { placed, owners in
            let (bucket, object) = (placed.1.bucket, placed.1.object)
            let finding = FindingIdentity.object(.orphan, bucket: bucket, key: object.key)
            let step = PlanStep(
                id: "\(Strategy.quarantine.rawValue)-\(finding.prefix(12))", hash: "",
                strategy: .quarantine, finding: finding, bucket: bucket, key: object.key,
                record: nil,
                precondition: Precondition(
                    object: object.version, owners: owners.map(\.place.identity)))
            return JournalEntry(
                run: run, plan: nil, step: step.sealed(),
                intendedAt: run.startedAt ?? .distantPast)
        }
    }
}
