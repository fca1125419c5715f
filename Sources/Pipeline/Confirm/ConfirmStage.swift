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
    /// What waits in devices' outboxes.
    var outboxes: OutboxScan
    /// How many of the wanted keys are orphan candidates; the rest lie in quarantine.
    let orphanCount: Int
    /// The look at each dangling candidate's object; nil where it was not asked for.
    var heads: [HeadAnswer?]
    /// What hides the objects of dangling references that somebody deleted, and why that could not
    /// be seen, by their number.
    var deletions: [Int: Deletion] = [:]
    var deletionDoubts: [Int: String] = [:]
    /// The open uploads that matter, with their parts.
    var uploads: [WantedKey: [UploadFacts]] = [:]
    /// What lies again at the keys of objects in quarantine that are referenced, by the objects'
    /// place among those in quarantine.
    var successors: [Int: Successor] = [:]
    /// What the dangling references may mean beside their own objects, by their number.
    var meanings: [Int: Meaning] = [:]
    /// Objects in the lists of possible owners that may have lost an orphan.
    var siblings: [OwnerName: [ListedSibling]] = [:]
    /// Which fields hold no key as they are mapped, with the columns that pass B met.
    var forms: FieldForms
    /// What columns do not take that a nulling would write.
    var columns = NullableColumns()
    /// The sources that pass B could not read to their end, with the first reason.
    var incomplete: [String: String] = [:]
    /// When it began to read the records again.
    let beganAt: Instant
    /// When it ended.
    var endedAt: Instant

    /// The look that it was at what the records reference.
    var look: CleanLook { CleanLook(from: beganAt, until: endedAt) }
}

/// Pass B over every table, and a look at every missing object.
struct ConfirmStage {
    /// What the stage works with.
    let job: Job

    /// Reads every source once more, and looks at every object that is missed.
    func run(_ observations: Observations) async throws -> Confirmation {
        let beganAt = job.clock()
        let wanted =
            observations.orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
            + observations.quarantined.map { WantedKey(bucket: $0.bucket, key: $0.object.key) }
        var confirmation = Confirmation(
            scan: ConfirmScan(
                models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
                wanted: wanted, dangling: observations.dangling,
                known: observations.reconciler),
            rows: observations.rows.confirm(), outboxes: OutboxScan(job.outboxes),
            orphanCount: observations.orphans.count,
            heads: Array(repeating: nil, count: observations.dangling.count),
            forms: observations.forms, beganAt: beganAt, endedAt: beganAt)
        confirmation.uploads = try await UploadLook(job: job, observations: observations).run()
        guard !wanted.isEmpty || !observations.dangling.isEmpty || observations.rows.hasCandidates
        else { return confirmation }
        var (rows, outboxes) = (confirmation.rows, confirmation.outboxes)
        var forms = confirmation.forms
        if !observations.dangling.isEmpty {
            observations.reconciler.present { confirmation.scan.add(referenced: $0, bucket: $1) }
            confirmation.scan.closeReferenced()
        }
        let readsEverything = job.configuration.confirm != .never
        for source in job.records {
            let problems = try await Self.read(
                source, everything: readsEverything, job: job, into: &confirmation.scan,
                also: {
                    rows.read($0, source: source.name)
                    outboxes.read($0, source: source.name)
                    forms.see(columns: $0.columns, table: $0.table, source: source.name)
                })
            if let problem = problems.first {
                confirmation.incomplete[source.name] = problem.text
            }
        }
        (confirmation.rows, confirmation.outboxes, confirmation.forms) = (rows, outboxes, forms)
        confirmation.columns = try await NullableColumns.read(nullable(observations), job)
        try await look(at: observations.dangling, &confirmation)
        confirmation.successors = try await SuccessorLook(job: job, observations: observations)
            .run(confirmation)
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
            job.progress.advance(batch.rows.count)
        }
        return result.isComplete
            ? [] : result.problems + [ScanProblem(place: source.name, reason: "not read")]
    }

    // The models of which a reference or a relation may be nulled.
    private func nullable(_ observations: Observations) -> [SourceModel] {
        let models = job.models
        let referring = Set(observations.dangling.map(\.model))
        return models.indices.filter { model in
            referring.contains(model)
                || observations.rows.hasCandidates && !models[model].mapping.relations.isEmpty
        }.map { models[$0] }
    }

    private func look(
        at dangling: [DanglingCandidate], _ confirmation: inout Confirmation
    ) async throws {
        job.progress.begin("looking at missing objects")
        defer { job.progress.end() }
        for (number, bucket) in job.buckets.enumerated() where bucket.isLive {
            let wanted = dangling.indices.compactMap { index -> (Int, ObjectKey)? in
                guard confirmation.scan.standing[index] != nil,
                    dangling[index].bucket == number, dangling[index].patterns.count == 1,
                    case .exact(let key) = dangling[index].patterns[0]
                else { return nil }
                return (index, key)
            }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                wanted
            ) { index, key in
                (index, await DeletionLook.look(at: key, in: bucket))
            } tell: { index, look in
                confirmation.heads[index] = look.head
                confirmation.deletions[index] = look.deletion
                confirmation.deletionDoubts[index] = look.doubt
                job.progress.advance(1)
            }
        }
    }
}

/// A look at a missing object, and at what hides it where its bucket keeps versions.
struct DeletionLook: Sendable {
    /// What lies at the key.
    var head: HeadAnswer
    /// The delete marker that hides the object; nil where none does.
    var deletion: Deletion?
    /// Why that could not be seen; nil where it could.
    var doubt: String?

    /// Looks at a key.
    static func look(at key: ObjectKey, in bucket: any Bucket) async -> DeletionLook {
        var look = DeletionLook(head: await bucket.head(key))
        guard look.head == .absent, let versions = bucket.versions else { return look }
        do {
            look.deletion = try await versions.deletion(of: key)
        } catch {
            look.doubt = "whether somebody deleted the object could not be seen: \(error)"
        }
        return look
    }
}
