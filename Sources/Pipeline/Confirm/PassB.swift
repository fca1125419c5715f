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
        for (place, source) in job.records.enumerated() {
            let first = candidates.observations.firstReadings[place]
            scan.comparesReferenced = compares && Self.isMet(first)
            // A copy that is another one by now tells another state below, and proves nothing.
            scan.readsAsBefore = !source.isLive && first.state != nil
            let (problems, state) = try await Self.read(
                source, everything: job.configuration.confirm != .never,
                job: job, into: &scan,
                also: {
                    rows.read($0, source: source.name)
                    outboxes.read($0, source: source.name)
                    forms.see(columns: $0.columns, table: $0.table, source: source.name)
                })
            // What fingerprints matched was read, and is never compared with anything later.
            let problem =
                problems.first ?? (state != first.state ? .writtenWhileRead(source.name) : nil)
            if let problem { incomplete[source.name] = problem.text }
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

    /// Reads one source in full, or only its mapped columns, and gives the problems met, and what
    /// was read as of which write, where the source tells that; `also` is handed every batch.
    static func read(
        _ source: any RecordSource, everything: Bool, job: Job, into scan: inout ConfirmScan,
        also: (RecordBatch) -> Void = { _ in }
    ) async throws -> (problems: [ScanProblem], state: String?) {
        job.progress.begin(
            "confirming against \(source.name)", .confirm,
            of: scan.recordsKnown(of: source.name))
        defer { job.progress.end() }
        let mappings = job.models.filter { $0.source == source.name }.map(\.mapping)
        let own = job.configuration.records.first { $0.name == source.name }
        let scope: RecordScope =
            everything
            ? .all(unread: own?.unread ?? []) : .columns(ScanStage.columns(of: mappings))
        scan.rules[source.name] = TextRules(
            foreignColumns: await source.foreignColumns(), notReferences: own?.notReferences ?? [])
        let result = try await source.scan(scope) { batch in
            try job.interruption.check()
            scan.read(batch, source: source.name, searchesText: everything)
            also(batch)
            job.progress.advance(batch.count)
        }
        let problems =
            result.isComplete
            ? [] : result.problems + [ScanProblem(place: source.name, reason: "not read")]
        return (problems, result.state)
    }
}
