import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// The confirm scan: reads every record once more, against what the join left over.
struct PassB {
    /// The objects that it looks for, by their numbers.
    let wanted: WantedObjects
    /// What it met of that.
    private(set) var scan: ConfirmScan
    /// What it met of relations and copies.
    private(set) var rows: RowConfirm
    /// What waits in devices' outboxes.
    private(set) var outboxes: OutboxScan
    /// Which fields hold no key as they are mapped.
    private(set) var forms: FieldForms
    /// The sources that it could not read to their end, with the first reason.
    private(set) var incomplete: [String: String] = [:]

    /// A pass that has read nothing yet.
    init(_ job: Job, _ candidates: Candidates) {
        wanted = WantedObjects(candidates)
        scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: wanted.keys, dangling: candidates.dangling, known: candidates.join)
        rows = candidates.rows.confirm()
        outboxes = OutboxScan(job.outboxes)
        forms = candidates.forms
    }

    /// Reads every source, every table of it where the configuration lets it.
    mutating func run(_ job: Job, _ candidates: Candidates) async throws {
        let compares = !candidates.dangling.isEmpty
        if compares { try await addReferenced(candidates, job) }
        var (rows, outboxes, forms) = (rows, outboxes, forms)
        for group in SideBySide.groups(job.records.map(job.address)) {
            let first = candidates.observations.firstReadings
            let readings = try await Self.read(
                group, everything: job.configuration.confirm != .never, job: job, into: &scan
            ) { number, batch, scan in
                let source = job.records[number]
                scan.comparesReferenced = compares && Self.isMet(first[number])
                // A copy that is another one by now tells another state below, and proves nothing.
                scan.readsAsBefore = !source.isLive && first[number].state != nil
                rows.read(batch, source: source.name)
                outboxes.read(batch, source: source.name)
                forms.see(columns: batch.columns, table: batch.table, source: source.name)
            }
            for (number, reading) in zip(group, readings) {
                let name = job.records[number].name
                // What fingerprints matched was read, and is never compared with anything later.
                let problem =
                    reading.problems.first
                    ?? (reading.state != first[number].state ? .writtenWhileRead(name) : nil)
                if let problem { incomplete[name] = problem.text }
            }
        }
        if compares { scan.closeReferenced() }
        (self.rows, self.outboxes, self.forms) = (rows, outboxes, forms)
    }

    // Whether pass B reads every reference of a source as it was at first: a file is what it was,
    // but answers as one table alone.
    private static func isMet(_ first: FirstReading) -> Bool {
        first.spool == nil && first.columns.count < 2
    }

    // The objects that records referenced at first. Those that the pass does not meet itself are
    // had once more.
    private mutating func addReferenced(_ candidates: Candidates, _ job: Job) async throws {
        for first in candidates.observations.firstReadings where !Self.isMet(first) {
            let problem = try await first.replay(job) { batch in
                scan.compareReferenced(batch, source: first.source.name)
            }
            if let problem { incomplete[first.source.name] = problem.text }
        }
        candidates.join.ignored.each { scan.add(referenced: $0, bucket: $1) }
    }

    /// How a source was read: the problems met, and as of which write, where the source tells that.
    typealias Reading = (problems: [ScanProblem], state: String?)

    /// Reads one source in full, or only its mapped columns; `also` is handed every batch.
    static func read(
        _ source: any RecordSource, everything: Bool, job: Job, into scan: inout ConfirmScan,
        also: (RecordBatch) -> Void = { _ in }
    ) async throws -> Reading {
        guard let number = job.records.firstIndex(where: { $0.name == source.name }) else {
            return ([ScanProblem(place: source.name, reason: "not read")], nil)
        }
        return try await read(
            number..<number + 1, everything: everything, job: job, into: &scan
        ) { _, batch, _ in also(batch) }[0]
    }

    // Reads the sources of a group at once; `before` is handed every batch before the scan is.
    private static func read(
        _ group: Range<Int>, everything: Bool, job: Job, into scan: inout ConfirmScan,
        before: (Int, RecordBatch, inout ConfirmScan) -> Void
    ) async throws -> [Reading] {
        try job.interruption.check()
        let sources = job.records
        let names = group.map { sources[$0].name }
        let known = names.map { scan.recordsKnown(of: $0) }
        job.progress.begin(
            "confirming against \(names.joined(separator: ", "))", .confirm,
            of: known.contains(nil) ? nil : known.compactMap(\.self).reduce(0, +))
        defer { job.progress.end() }
        var scopes: [RecordScope] = []
        for number in group {
            let own = job.configuration.records.first { $0.name == sources[number].name }
            scan.rules[sources[number].name] = TextRules(
                foreignColumns: await sources[number].foreignColumns(),
                notReferences: own?.notReferences ?? [])
            scopes.append(
                everything ? .all(unread: own?.unread ?? []) : .columns(job.columns(number)))
        }
        let wanted = scopes
        var equal = group.map { _ in EqualNames() }
        let results = try await SideBySide.run(group) { number, hand in
            try await sources[number].scan(wanted[number - group.lowerBound], hand)
        } receive: { number, batch in
            try job.interruption.check()
            equal[number - group.lowerBound].read(batch)
            before(number, batch, &scan)
            scan.read(batch, source: sources[number].name, searchesText: everything)
            job.progress.advance(batch.count)
        }
        return zip(zip(names, equal), results).map { source, result in
            let (name, equal) = source
            let problems =
                result.isComplete
                ? [] : result.problems + [ScanProblem(place: name, reason: "not read")]
            return ([equal.problem(in: name)].compactMap(\.self) + problems, result.state)
        }
    }
}

extension Job {
    // The mapped columns of a source.
    fileprivate func columns(_ number: Int) -> [TableColumns] {
        ScanStage.columns(
            of: models.filter { $0.source == records[number].name }.map(\.mapping))
    }
}
