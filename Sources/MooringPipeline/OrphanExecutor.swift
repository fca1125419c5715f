import MooringDecisions
import MooringModel

/// Drives `OrphanRemoval` against a real bucket and real records.
struct OrphanExecutor {
    /// The stores.
    let job: Job
    /// The run whose quarantine takes the object.
    let run: RunID
    /// Where intent and outcome go.
    let journal: StepJournal

    /// Removes the step's object, into quarantine or for good.
    func remove(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let bucket = job.bucket(step.bucket), let expected = step.precondition.object
        else { return try end(step, nil, .failed, "its bucket or version is not named") }
        var machine = OrphanRemoval(
            expected: expected, removesForGood: step.strategy == .delete)
        var action = machine.start
        var intent: Int64?
        while true {
            if case .finish(let outcome, let reason) = action {
                return try end(step, intent, outcome, reason)
            }
            if action == .quarantine { intent = try journal.intend(step) }
            let event = await perform(action, step, bucket, expected)
            action = machine.handle(event)
        }
    }

    private func perform(
        _ action: OrphanRemoval.Action, _ step: PlanStep, _ bucket: any Bucket,
        _ expected: ObjectVersion
    ) async -> OrphanRemoval.Event {
        let key = step.key
        do {
            switch action {
            case .readOwners:
                let reader = OwnerReader(job: job)
                return .owners(
                    await reader.answer(
                        step.precondition.owners, bucket: step.bucket, key: key))
            case .head:
                return .head(await bucket.head(key))
            case .quarantine:
                return .moved(try await bucket.quarantine(key, expecting: expected, run: run))
            case .restore:
                return .moved(try await bucket.restore(key, run: run, expecting: expected))
            case .remove:
                return .moved(try await bucket.sweep(key, run: run, expecting: expected))
            case .finish(_, let reason):
                return .failed(reason ?? "the step had ended")
            }
        } catch {
            return .failed("\(error)")
        }
    }

    private func end(
        _ step: PlanStep, _ intent: Int64?, _ outcome: StepOutcome, _ reason: String?
    ) throws -> (StepOutcome, String?) {
        if let intent {
            try journal.conclude(intent, outcome, reason)
        } else {
            try journal.conclude(step, outcome, reason)
        }
        return (outcome, reason)
    }
}

/// Reads an object's possible owners, strongly consistent.
struct OwnerReader {
    /// The stores and mappings.
    let job: Job

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
            return job.resolver.patterns(
                value: reference.value, level: field.level, identity: reading.identity
            ).contains { $0.matches(key) }
        }
    }
}
