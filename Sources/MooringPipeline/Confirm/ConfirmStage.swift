import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// What the confirm scan and the looks at missing objects say: the border before the judge.
struct Confirmation {
    /// Pass B over all sources.
    var scan: ConfirmScan
    /// Pass B of records alone: relations and copies.
    var rows: RowConfirm
    /// How many of the wanted keys are orphan candidates; the rest lie in quarantine.
    let orphanCount: Int
    /// The look at each dangling candidate's object; nil where it was not asked for.
    var heads: [HeadAnswer?]
    /// What the dangling references may mean beside their own objects, by their number.
    var meanings: [Int: Meaning] = [:]
    /// Objects in the lists of possible owners that may have lost an orphan.
    var siblings: [OwnerName: [ListedSibling]] = [:]
    /// The sources that pass B could not read to their end, with the first reason.
    var incomplete: [String: String] = [:]
    /// When it ended.
    var endedAt: Instant
}

/// Pass B over every table, and a look at every missing object.
struct ConfirmStage {
    /// What the stage works with.
    let job: Job

    /// Reads every source once more, and looks at every object that is missed.
    func run(_ observations: Observations) async throws -> Confirmation {
        let wanted =
            observations.orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
            + observations.quarantined.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
        var confirmation = Confirmation(
            scan: ConfirmScan(
                models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
                wanted: wanted, dangling: observations.dangling),
            rows: observations.rows.confirm(), orphanCount: observations.orphans.count,
            heads: Array(repeating: nil, count: observations.dangling.count),
            endedAt: job.clock())
        guard !wanted.isEmpty || !observations.dangling.isEmpty || observations.rows.hasCandidates
        else { return confirmation }
        var rows = confirmation.rows
        if !observations.dangling.isEmpty {
            observations.reconciler.present { confirmation.scan.add(referenced: $0, bucket: $1) }
        }
        let readsEverything = job.configuration.confirm != .never
        for source in job.records {
            let problems = try await Self.read(
                source, everything: readsEverything, job: job, into: &confirmation.scan,
                also: { rows.read($0, source: source.name) })
            if let problem = problems.first {
                confirmation.incomplete[source.name] = problem.text
            }
        }
        confirmation.rows = rows
        try await look(at: observations.dangling, &confirmation)
        confirmation.meanings = try await MeaningLook(job: job, observations: observations)
            .run(confirmation)
        confirmation.siblings = try await SiblingLook(job: job)
            .run(observations.orphans, confirmation.scan)
        confirmation.endedAt = job.clock()
        return confirmation
    }

    /// Reads one source in full, or only its mapped columns, and gives the problems met; `also` is
    /// handed every batch.
    static func read(
        _ source: any RecordSource, everything: Bool, job: Job, into scan: inout ConfirmScan,
        also: (RecordBatch) -> Void = { _ in }
    ) async throws -> [ScanProblem] {
        job.progress.begin("confirming against \(source.name)")
        defer { job.progress.end() }
        let mappings = job.models.filter { $0.source == source.name }.map(\.mapping)
        let scope: RecordScope =
            everything ? .everything : .columns(ScanStage.columns(of: mappings))
        let result = try await source.scan(scope) { batch in
            try job.interruption.check()
            scan.read(batch, source: source.name, searchesText: everything)
            also(batch)
            job.progress.advance(batch.rows.count)
        }
        return result.isComplete
            ? [] : result.problems + [ScanProblem(place: source.name, reason: "not read")]
    }

    private func look(
        at dangling: [DanglingCandidate], _ confirmation: inout Confirmation
    ) async throws {
        job.progress.begin("looking at missing objects")
        defer { job.progress.end() }
        for (number, candidate) in dangling.enumerated() {
            guard confirmation.scan.standing[number] != nil, let bucket = candidate.bucket,
                job.buckets[bucket].isLive, candidate.patterns.count == 1,
                case .exact(let key) = candidate.patterns[0]
            else { continue }
            try job.interruption.check()
            confirmation.heads[number] = await job.buckets[bucket].head(key)
            job.progress.advance(1)
        }
    }
}
