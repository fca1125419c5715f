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
        for source in job.records { try await read(source, expected, into: &observations) }
        observations.rows.close()
        if observations.join.hidesIdentities { markHidden(in: &observations) }
        job.identities.remember(
            observations.join.knownIdentities(atMost: KnownIdentities.limit))
        observations.join.beginListing()
        for number in job.buckets.indices {
            try await list(number, expected, into: &observations)
        }
        HeldKin(job, observations.links).keepReferences(in: &observations)
        observations.join.beginReplay()
        try await replay(into: &observations)
        noteMemory(in: &observations)
        observations.noteScratch(job)
        try await InventoryLook(job: job).run(&observations)
        try await VersionLook(job: job).run(&observations)
        return observations
    }

    private func read(
        _ source: any RecordSource, _ expected: ExpectedCounts,
        into observations: inout Observations
    ) async throws {
        job.progress.begin(
            "reading records of \(source.name)", .records, of: expected.records[source.name])
        defer { job.progress.end() }
        let own = job.models.filter { $0.source == source.name }
        var count = 0
        let before = observations.join.referenceCount
        var withoutID = 0
        var reading = FirstReading(
            source: source, columns: Self.columns(of: own.map(\.mapping)),
            spool: source.replaysByScan ? nil : RowSpool(in: job.scratch))
        let started = job.clock()
        let result = try await source.scan(.columns(reading.columns)) { batch in
            try job.interruption.check()
            reading.spool?.append(batch)
            observations.rows.read(batch, source: source.name)
            count += own.contains { $0.mapping.table == batch.table } ? batch.count : 0
            withoutID += observations.join.read(
                batch, source: source.name, forms: &observations.forms)
            job.progress.advance(batch.count)
        }
        (reading.state, reading.problems) = (result.state, result.problemCount)
        observations.firstReadings.append(reading)
        count += addMatched(source, to: &observations)
        try await limit(source, &observations)
        observations.notes += result.notes.map { "records '\(source.name)': \($0)" }
        // A row that names no record may hold references that cannot be told apart.
        let scan = result.adding(
            [ScanProblem(rowsWithoutID: withoutID, of: source.name)].compactMap { $0 })
        observations.records.append(
            RunSummary.Records(
                name: source.name, kind: source.kind, records: count,
                references: observations.join.referenceCount - before,
                scan: scan.summary))
        let taken = job.configuration.records.first { $0.name == source.name }?.store.taken
        observations.recordMoments.append(
            job.moment(
                isLive: source.isLive, started: min(started, result.window.from),
                seen: taken ?? result.window.from))
    }

    // Counts what an engine left out of a source, and gives how many records that were.
    private func addMatched(
        _ source: any RecordSource, to observations: inout Observations
    ) -> Int {
        var records = 0
        for (number, model) in job.models.enumerated() where model.source == source.name {
            guard let matched = job.narrowed?.matchedRecords[number] else { continue }
            observations.join.add(matched, model: number)
            observations.forms.add(matched, model: number)
            records += matched.records
        }
        return records
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

    // A source that cannot tell is not written, and says why.
    private func limit(
        _ source: any RecordSource, _ observations: inout Observations
    ) async throws {
        guard source.isLive else { return }
        var limits: RecordLimits
        do {
            limits = try await source.limits()
        } catch let error as StoreError {
            limits = RecordLimits(
                proofs: "whether it serves repairs could not be found out: \(error)")
        }
        observations.limits[source.name] = limits
        if let reason = limits.proofs {
            observations.notes.append("records '\(source.name)': nothing is repaired: \(reason)")
        } else if let reason = limits.writes {
            observations.notes.append("records '\(source.name)' are not written: \(reason)")
        }
    }

    private func list(
        _ number: Int, _ expected: ExpectedCounts, into observations: inout Observations
    ) async throws {
        let (bucket, mapping) = (job.buckets[number], job.bucketMappings[number])
        let gone = try await InventoryLook(job: job).movedAway(number)
        job.progress.begin("listing \(bucket.name)", .objects, of: expected.objects[bucket.name])
        defer { job.progress.end() }
        var (held, heldBytes) = (0, Int64(0))
        let started = job.clock()
        var objects = BucketListing(mapping, number: number, holdsFolders: bucket.holdsLinks)
        var listing = try await bucket.listBatches { batch in
            try job.interruption.check()
            objects.take(batch.without(gone), into: &observations)
            job.progress.advance(batch.count)
        }
        listing = listing.adding(objects.end(into: &observations))
        if let matched = job.narrowed?.matchedObjects[number] { objects.add(matched) }
        let isOfNow = bucket.isLive && !bucket.isListedByInventory
        let repeated = isOfNow ? 0 : observations.passOverRepeated(in: number)
        if repeated > 0 {
            listing = listing.adding([
                ScanProblem(
                    place: bucket.name,
                    reason: "\(Measure.count(repeated, "object")) listed more than once: it is no "
                        + "list of one moment; make it anew")
            ])
        }
        observations.heldElsewhere.append(objects.foreign.keys)
        // Behind the listing: what is moved into quarantine meanwhile is then seen here, or in
        // both; what is given back is found by the look at what was not listed. A copy has none.
        let quarantine: [ScanProblem] =
            bucket.isLive
            ? try await bucket.listQuarantine { batch in
                try job.interruption.check()
                for object in batch {
                    held += 1
                    heldBytes = heldBytes.adding(object.version.size)
                    observations.join.held.insert(object.key, bucket: number)
                    observations.quarantined.append((number, object))
                    observations.links.add(object, bucket: number)
                }
            }.problems : []
        let scan = listing.adding(quarantine + observations.uploadProblems[number])
        observations.buckets.append(
            RunSummary.Objects(
                name: bucket.name, kind: bucket.kind, objects: objects.objects,
                bytes: objects.bytes,
                quarantined: held, quarantinedBytes: heldBytes, scan: scan.summary))
        observations.judgedObjects.append(objects.judged)
        observations.notes += listing.notes.map { "bucket '\(bucket.name)': \($0)" }
        // What an earlier run listed is as old as that listing, whenever this run began.
        if listing.isResumed { observations.resumedBuckets.append(bucket.name) }
        if listing.keepsVersions { observations.versioned.insert(bucket.name) }
        observations.objectMoments.append(
            job.moment(
                isLive: isOfNow,
                started: listing.isResumed ? min(started, listing.window.from) : started,
                seen: bucket.moment(of: listing, listedAt: started)))
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

extension Bucket {
    // A live bucket is judged as of no moment that is still to come.
    fileprivate func moment(of listing: ScanResult, listedAt started: Instant) -> Instant {
        isLive ? min(started, listing.window.from) : listing.window.from
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
    /// About how many records, by the source's name.
    let records: [String: Int]
    /// About how many objects, by the bucket's name.
    let objects: [String: Int]

    /// Those of a run; nothing is expected where there was none.
    init(_ run: RunSummary?) {
        records = Dictionary(
            (run?.records ?? []).map { ($0.name, $0.records) }, uniquingKeysWith: { $1 })
        objects = Dictionary(
            (run?.buckets ?? []).map { ($0.name, $0.objects) }, uniquingKeysWith: { $1 })
    }
}

extension ScanProblem {
    /// That rows of a source have no id; nil where all have one.
    init?(rowsWithoutID count: Int, of source: String) {
        guard count > 0 else { return nil }
        self.init(place: source, reason: "\(count) rows without an id")
    }
}
