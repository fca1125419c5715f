import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// Pass A: reads what every record references, from sources of different stores at once.
struct RecordScan {
    /// What the stage works with.
    let job: Job
    /// About how much there is.
    let expected: ExpectedCounts

    /// Reads all sources.
    func run(into observations: inout Observations) async throws {
        for group in SideBySide.groups(job.records.map(job.address)) {
            try await read(group, into: &observations)
        }
    }

    // What a source told so far.
    private struct Told {
        var reading: FirstReading
        var records = 0
        var references = 0
        var withoutID = 0
    }

    private func read(_ group: Range<Int>, into observations: inout Observations) async throws {
        try job.interruption.check()
        let sources = job.records
        let names = group.map { sources[$0].name }
        job.progress.begin(
            "reading records of \(names.joined(separator: ", "))", .records,
            of: expected.records(of: names))
        defer { job.progress.end() }
        var told = group.map { Told(reading: reading($0)) }
        let (columns, first, clock) = (told.map(\.reading.columns), group.lowerBound, job.clock)
        let ended = try await SideBySide.run(group) { number, hand in
            let started = clock()
            let result = try await sources[number].scan(.columns(columns[number - first]), hand)
            return (started: started, result: result)
        } receive: { number, batch in
            try job.interruption.check()
            take(batch, of: sources[number].name, &told[number - first], &observations)
            job.progress.advance(batch.count)
        }
        for (number, (told, end)) in zip(group, zip(told, ended)) {
            try await close(sources[number], told, end, &observations)
        }
    }

    private func reading(_ number: Int) -> FirstReading {
        let source = job.records[number]
        let own = job.models.filter { $0.source == source.name }
        return FirstReading(
            source: source, columns: ScanStage.columns(of: own.map(\.mapping)),
            spool: source.replaysByScan ? nil : RowSpool(in: job.scratch))
    }

    private func take(
        _ batch: RecordBatch, of source: String, _ told: inout Told,
        _ observations: inout Observations
    ) {
        told.reading.spool?.append(batch)
        observations.rows.read(batch, source: source)
        let isMapped = job.models.contains {
            $0.source == source && $0.mapping.table == batch.table
        }
        told.records += isMapped ? batch.count : 0
        let before = observations.join.referenceCount
        told.withoutID += observations.join.read(
            batch, source: source, forms: &observations.forms)
        told.references += observations.join.referenceCount - before
    }

    private func close(
        _ source: any RecordSource, _ told: Told, _ end: (started: Instant, result: ScanResult),
        _ observations: inout Observations
    ) async throws {
        var (told, result) = (told, end.result)
        (told.reading.state, told.reading.problems) = (result.state, result.problemCount)
        observations.firstReadings.append(told.reading)
        let before = observations.join.referenceCount
        told.records += addMatched(source, to: &observations)
        told.references += observations.join.referenceCount - before
        try await limit(source, &observations)
        observations.notes += result.notes.map { "records '\(source.name)': \($0)" }
        // A row that names no record may hold references that cannot be told apart.
        result = result.adding(
            [ScanProblem(rowsWithoutID: told.withoutID, of: source.name)].compactMap { $0 })
        observations.records.append(
            RunSummary.Records(
                name: source.name, kind: source.kind, records: told.records,
                references: told.references, scan: result.summary))
        let taken = job.configuration.records.first { $0.name == source.name }?.store.taken
        observations.recordMoments.append(
            job.moment(
                isLive: source.isLive, started: min(end.started, result.window.from),
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
}

extension Job {
    /// Where a source answers; this machine where nobody configured it.
    func address(_ source: any RecordSource) -> StoreAddress {
        configuration.records.first { $0.name == source.name }
            .map { StoreAddress($0.store) } ?? .machine
    }
}

extension ScanProblem {
    /// That rows of a source have no id; nil where all have one.
    init?(rowsWithoutID count: Int, of source: String) {
        guard count > 0 else { return nil }
        self.init(place: source, reason: "\(count) rows without an id")
    }
}
