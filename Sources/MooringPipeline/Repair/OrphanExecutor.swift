import MooringDecisions
import MooringModel

/// Drives `OrphanRemoval` against a real bucket and real records.
struct OrphanExecutor {
    /// The stores.
    let job: Job
    /// The run whose quarantine takes the object, or took it.
    let run: RunID
    /// Where intent and outcome go.
    let journal: StepJournal

    /// Removes the step's object, into quarantine or for good.
    func remove(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let place = Place(step, job, run) else {
            return try journal.end(step, nil, .failed, "its bucket or version is not named")
        }
        guard let machine = machine(step, place) else { return try journal.unproved(step, nil) }
        if let reason = try journal.waits(step) {
            return try journal.end(step, nil, .stale, reason)
        }
        return try await drive(machine, place, intent: nil)
    }

    /// Finishes a removal that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        let step = entry.step
        guard let place = Place(step, job, run) else {
            return try journal.end(
                step, entry.number, .failed, "its bucket is no longer configured")
        }
        guard let machine = machine(step, place) else {
            return try journal.unproved(step, entry.number)
        }
        return try await drive(machine.resume(), place, intent: entry.number)
    }

    private struct Place {
        let step: PlanStep
        let bucket: any Bucket
        let key: ObjectKey
        let expected: ObjectVersion
        let run: RunID

        init?(_ step: PlanStep, _ job: Job, _ run: RunID) {
            guard let bucket = step.bucket.flatMap(job.bucket), let key = step.key,
                let expected = step.precondition.object
            else { return nil }
            self.step = step
            self.bucket = bucket
            self.key = key
            self.expected = expected
            self.run = run
        }
    }

    // Nil where nothing proves the step.
    private func machine(_ step: PlanStep, _ place: Place) -> OrphanRemoval? {
        if step.strategy == .delete {
            return IrreversibleProof(planned: step).map {
                OrphanRemoval(expected: place.expected, deleting: $0)
            }
        }
        return ReversibleProof(planned: step).map {
            OrphanRemoval(expected: place.expected, proof: $0)
        }
    }

    private func drive(
        _ start: OrphanRemoval, _ place: Place, intent: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try journal.leaveOpen(place.step, intent, reason)
            case .quarantine: intent = try journal.intend(place.step)
            case .readOwners, .head, .headQuarantined, .restore, .remove: break
            }
            action = machine.handle(await perform(action, place))
        }
    }

    private func perform(
        _ action: OrphanRemoval.Action, _ place: Place
    ) async -> OrphanRemoval.Event {
        let (key, bucket, expected, run) = (
            place.key, place.bucket, place.expected, place.run
        )
        do {
            switch action {
            case .readOwners:
                return .owners(await OwnerReader(job: job).answer(place.step, place.key))
            case .head:
                return .head(await bucket.head(key))
            case .headQuarantined:
                return .head(await bucket.headQuarantined(key, run: run))
            case .quarantine:
                return .moved(try await bucket.quarantine(key, expecting: expected, run: run))
            case .restore(let held):
                return .moved(try await bucket.restore(key, run: run, expecting: held))
            case .remove:
                return .moved(try await bucket.sweep(key, run: run, expecting: expected))
            case .finish(_, let reason): return .failed(reason ?? "the step had ended")
            case .leaveOpen(let reason): return .failed(reason)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}

/// Reads an object's possible owners, strongly consistent.
struct OwnerReader {
    /// What the repair works with.
    let job: Job

    /// Whether one of a step's possible owners references its object now, or what it was made from
    /// lives.
    func answer(_ step: PlanStep, _ key: ObjectKey) async -> OwnersAnswer {
        let bucket = step.bucket ?? ""
        let owners = await answer(step.precondition.owners, bucket: bucket, key: key)
        guard owners == .unreferenced else { return owners }
        return await sourceAnswer(key, bucket: bucket)
    }

    /// Whether one of these records references the object now.
    func answer(
        _ owners: [RecordIdentity], bucket: String, key: ObjectKey
    ) async -> OwnersAnswer {
        for owner in owners {
            guard let source = job.source(owner.source), let mapping = job.mapping(owner) else {
                return .unknown("\(owner.source)/\(owner.model) is not configured")
            }
            do {
                let rows = try await source.rows(
                    table: mapping.table, idColumns: mapping.id, id: owner.id,
                    columns: mapping.columns)
                guard let reader = RecordReader(mapping: mapping, columns: mapping.columns)
                else { return .unknown("the mapping of \(owner.model) names no id") }
                for reading in rows.compactMap(reader.read)
                where references(reading, mapping, bucket, key) {
                    return .referenced
                }
            } catch {
                return .unknown("\(error)")
            }
        }
        return .unreferenced
    }

    // A value that cannot be read as a list or object may hold the key: that is doubt enough.
    private func references(
        _ reading: RecordReading, _ mapping: ModelMapping, _ bucket: String, _ key: ObjectKey
    ) -> Bool {
        if reading.unusable.contains(where: \.hidesReferences) { return true }
        return reading.references.contains { reference in
            let field = mapping.files[reference.field]
            // The same key in another bucket is another object; a name nobody knows may mean any.
            let meant = job.bucketName(of: reference, field: field)
            guard meant == nil || meant == bucket else { return false }
            return job.resolver.patterns(
                value: reference.value, level: field.level, identity: reading.identity
            ).contains { $0.matches(key) }
        }
    }
}
