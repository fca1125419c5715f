import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Scan: open uploads, then all references, then each bucket's listing and quarantine; then the
/// rows once more, which are joined with what was listed, and the versions that no listing told.
struct ScanStage {
    /// What the stage works with.
    let job: Job
    /// Where places are noted that somebody asks for and the join does not know; nil where nobody
    /// wants them.
    var asked: AskedPlaces?

    /// Lists open uploads, reads all records, then lists every bucket, and joins the two.
    func run() async throws -> Observations {
        var observations = Observations(
            join: Reconciler(
                models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
                room: JoinRoom(bytes: job.memory, folder: job.scratch)),
            rows: RowScan(models: job.models), forms: FieldForms(job.models),
            uploads: Array(repeating: [:], count: job.buckets.count),
            uploadProblems: Array(repeating: [], count: job.buckets.count),
            links: LinkTargets(job.buckets.map(\.name)))
        let expected = ExpectedCounts(try job.ledger.lastCompleteAudit(of: Pipeline.auditCommands))
        observations.notes += job.narrowed?.notes ?? []
        if let asked { observations.join.watch(asked) }
        try await UploadScan(job: job).run(into: &observations)
        try await RecordScan(job: job, expected: expected).run(into: &observations)
        observations.rows.close()
        if observations.join.hidesIdentities { markHidden(in: &observations) }
        job.identities.remember(
            observations.join.knownIdentities(atMost: KnownIdentities.limit))
        observations.join.beginListing()
        try await BucketScan(job: job, expected: expected).run(into: &observations)
        HeldKin(job, observations.links).keepReferences(in: &observations)
        observations.join.beginReplay()
        try await replay(into: &observations)
        noteMemory(in: &observations)
        observations.noteScratch(job)
        try await InventoryLook(job: job).run(&observations)
        try await VersionLook(job: job).run(&observations)
        return observations
    }

    // The replay of the records, most of whose references fingerprints matched.
    private func replay(into observations: inout Observations) async throws {
        var isSame = true
        for (place, reading) in observations.firstReadings.enumerated() {
            let name = reading.source.name
            job.progress.begin(
                "joining the records of \(name)", .join, of: observations.records[place].records)
            defer { job.progress.end() }
            let problem = try await reading.replay(job) { batch in
                observations.join.replay(batch, source: name)
                job.progress.advance(batch.count)
            }
            if let problem {
                observations.records[place].scan.add(problem: problem.text)
                isSame = false
                // What a live store says now is seen, though nothing is proven by it.
                if reading.spool == nil { observations.join.forgetReferences(of: name) }
            }
        }
        guard !observations.join.endReplay(), isSame else { return }
        for place in observations.records.indices {
            let name = observations.records[place].name
            observations.records[place].scan.add(
                problem: ScanProblem.writtenWhileRead(name).text)
            observations.join.forgetReferences(of: name)
        }
    }

    private func noteMemory(in observations: inout Observations) {
        guard let reason = observations.join.unspilled else { return }
        observations.notes.append(
            "more memory was taken than --memory allows, since \(job.scratch) took no more: "
                + "\(reason); give a folder with more room by --scratch")
    }

    // A place without an identity is looked for behind one part of a path.
    private func markHidden(in observations: inout Observations) {
        for place in observations.records.indices {
            let problem = ScanProblem(
                place: observations.records[place].name,
                reason: "an identity holds a slash, so that it cannot be told which objects the "
                    + "records without an identity mean: give each record its identity, or "
                    + "correct the one with the slash")
            observations.records[place].scan.add(problem: problem.text)
        }
    }

    /// The columns to read of each table, over all models that read it.
    static func columns(of models: [ModelMapping]) -> [TableColumns] {
        var tables: [String] = []
        var columns: [String: [String]] = [:]
        for model in models {
            if columns[model.table] == nil { tables.append(model.table) }
            let known = columns[model.table] ?? []
            columns[model.table] = known + model.columns.filter { !known.contains($0) }
        }
        return tables.map { TableColumns(table: $0, columns: columns[$0] ?? []) }
    }
}

extension ScanProblem {
    /// That what a run kept of a source in its folder for scratch cannot be read any more.
    static func scratchLost(_ source: String, _ folder: String, _ reason: String) -> ScanProblem {
        ScanProblem(
            place: source,
            reason: "what was kept of it in \(folder) cannot be read: \(reason); check the disk, "
                + "or give another folder by --scratch")
    }

    /// That the readings of a source in one run did not read the same.
    static func writtenWhileRead(_ source: String) -> ScanProblem {
        ScanProblem(
            place: source, reason: "it was written to while it was read: start the run again")
    }
}

extension ScanResult {
    /// The result with further problems, which make it incomplete.
    func adding(_ more: [ScanProblem]) -> ScanResult {
        var result = ScanResult(
            window: window, problems: problems + more, problemCount: problemCount + more.count,
            consistency: consistency, requests: requests)
        (result.isResumed, result.keepsVersions) = (isResumed, keepsVersions)
        result.notes = notes
        return result
    }
}

extension Job {
    /// The moment that a scan's answers are judged by: its start, or `asOf`, or the time at which
    /// a copy was made, which is what it `seen`.
    func moment(isLive: Bool, started: Instant, seen: Instant) -> Instant {
        if isLive { return asOf ?? started }
        return asOf.map { min($0, seen) } ?? seen
    }
}

/// About how many records and objects a run will read: as many as the newest complete one did. Only
/// progress is told by it.
struct ExpectedCounts {
    private let records: [String: Int]
    private let objects: [String: Int]

    /// Those of a run; nothing is expected where there was none.
    init(_ run: RunSummary?) {
        records = Dictionary(
            (run?.records ?? []).map { ($0.name, $0.records) }, uniquingKeysWith: { $1 })
        objects = Dictionary(
            (run?.buckets ?? []).map { ($0.name, $0.objects) }, uniquingKeysWith: { $1 })
    }

    /// About how many records sources of these names have; nil where that of one is not known.
    func records(of names: [String]) -> Int? { Self.sum(names, records) }

    /// About how many objects buckets of these names have; nil where that of one is not known.
    func objects(of names: [String]) -> Int? { Self.sum(names, objects) }

    private static func sum(_ names: [String], _ counts: [String: Int]) -> Int? {
        names.reduce(0) { sum, name in counts[name].flatMap { count in sum.map { $0 + count } } }
    }
}
