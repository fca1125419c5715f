import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// Scan: open uploads, then all references, then each bucket's listing and quarantine.
struct ScanStage {
    /// What the stage works with.
    let job: Job

    /// Lists open uploads, reads all records, then lists every bucket, and joins the two.
    func run() async throws -> Observations {
        var observations = Observations(
            join: Reconciler(
                models: job.models, buckets: job.bucketMappings, resolver: job.resolver),
            rows: RowScan(models: job.models), forms: FieldForms(job.models),
            uploads: Array(repeating: [:], count: job.buckets.count),
            uploadProblems: Array(repeating: [], count: job.buckets.count),
            links: LinkTargets(job.buckets.map(\.name)))
        try await UploadScan(job: job).run(into: &observations)
        for source in job.records { try await read(source, into: &observations) }
        observations.rows.close()
        job.identities.remember(
            observations.join.knownIdentities(atMost: KnownIdentities.limit))
        for number in job.buckets.indices { try await list(number, into: &observations) }
        try await VersionLook(job: job).run(&observations)
        return observations
    }

    private func read(
        _ source: any RecordSource, into observations: inout Observations
    ) async throws {
        job.progress.begin("reading records of \(source.name)")
        defer { job.progress.end() }
        let models = job.models
        let own = models.indices.filter { models[$0].source == source.name }
        var count = 0
        let before = observations.join.referenceCount
        var withoutID = 0
        let started = job.clock()
        let result = try await source.scan(
            .columns(Self.columns(of: own.map { models[$0].mapping }))
        ) { batch in
            try job.interruption.check()
            let readers = own.filter { models[$0].mapping.table == batch.table }.compactMap {
                model in
                RecordReader(mapping: models[model].mapping, columns: batch.columns).map {
                    (model, $0)
                }
            }
            observations.rows.read(batch, source: source.name)
            for row in batch.rows {
                count += 1
                for (model, reader) in readers {
                    guard let reading = reader.read(row) else {
                        withoutID += 1
                        continue
                    }
                    observations.join.add(reading, model: model)
                    observations.forms.add(
                        reading, model: model, row: row, columns: batch.columns)
                }
            }
            job.progress.advance(batch.rows.count)
        }
        try await limit(source, &observations)
        observations.notes += result.notes.map { "records '\(source.name)': \($0)" }
        // A row that names no record may hold references that cannot be told apart.
        let scan = result.adding(
            withoutID == 0
                ? []
                : [ScanProblem(place: source.name, reason: "\(withoutID) rows without an id")])
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

    private func list(_ number: Int, into observations: inout Observations) async throws {
        let bucket = job.buckets[number]
        let mapping = job.bucketMappings[number]
        job.progress.begin("listing \(bucket.name)")
        defer { job.progress.end() }
        var (objects, bytes, held, heldBytes) = (0, Int64(0), 0, Int64(0))
        let started = job.clock()
        var foreign = ForeignQuarantine(mapping, holdsFolders: bucket.holdsLinks)
        var judged = JudgedObjects()
        var listing = try await bucket.list { batch in
            try job.interruption.check()
            // Also a link outside the prefixes leads to something that is needed.
            for object in batch where object.isLink {
                let isReferenced = observations.join.isReferenced(
                    object.key, bucket: number)
                observations.links.add(object, bucket: number, isReferenced: isReferenced)
            }
            let own = foreign.others(batch).filter { mapping.covers($0.key) }
            objects += own.count
            for object in own { bytes = bytes.adding(object.version.size) }
            let orphans = observations.join.match(own, bucket: number)
            let kept = observations.keep(orphans) { Self.ignores($0, mapping) }
            let ignored = own.count { Self.ignores($0, mapping) }
            judged.count += own.count - ignored
            judged.ignoredReferenced += ignored - (orphans.count - kept)
            job.progress.advance(batch.count)
        }
        listing = listing.adding(foreign.problems)
        observations.heldElsewhere.append(foreign.keys)
        // Behind the listing: what is moved into quarantine meanwhile is then seen here, or in
        // both; what is given back meanwhile is found by the look at what was not listed. A copy
        // of a listing has no quarantine to look into.
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
                name: bucket.name, kind: bucket.kind, objects: objects, bytes: bytes,
                quarantined: held, quarantinedBytes: heldBytes, scan: scan.summary))
        observations.judgedObjects.append(judged)
        observations.notes += listing.notes.map { "bucket '\(bucket.name)': \($0)" }
        // What an earlier run listed is as old as that listing, whenever this run began.
        if listing.isResumed { observations.resumedBuckets.append(bucket.name) }
        if listing.keepsVersions { observations.versioned.insert(bucket.name) }
        observations.objectMoments.append(
            job.moment(
                isLive: bucket.isLive,
                started: listing.isResumed ? min(started, listing.window.from) : started,
                seen: listing.window.from))
    }

    private static func ignores(_ object: ListedObject, _ mapping: BucketMapping) -> Bool {
        object.isIgnored || mapping.ignore.contains { $0.matches(object.key) }
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

extension ScanResult {
    /// The result with further problems.
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

extension Int64 {
    /// The sum, held at the end of the range: a listing may make sizes up.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
