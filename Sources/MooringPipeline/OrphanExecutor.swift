import MooringDecisions
import MooringModel

/// Drives `OrphanRemoval` against a real bucket and real records.
struct OrphanExecutor {
    /// What the repair works with.
    let job: Job
    /// The run in whose quarantine the object is put.
    let run: RunID
    /// Where the intent stands before the act.
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
            switch action {
            case .readOwners:
                action = machine.handle(
                    .owners(
                        await OwnerReader(job: job).answer(
                            step.precondition.owners, bucket: step.bucket, key: step.key)))
            case .head:
                action = machine.handle(.head(await bucket.head(step.key)))
            case .quarantine:
                intent = try journal.intend(step)
                let answer = await Self.move {
                    try await bucket.quarantine(step.key, expecting: expected, run: run)
                }
                guard let event = await settled(answer, step, bucket, whenHeld: .moved(.done))
                else { return Self.leftOpen(answer) }
                action = machine.handle(event)
            case .restore:
                let answer = await Self.move {
                    try await bucket.restore(step.key, run: run, expecting: expected)
                }
                guard let event = await settled(answer, step, bucket, whenHeld: nil)
                else { return Self.leftOpen(answer) }
                action = machine.handle(event)
            case .remove:
                let answer = await Self.move {
                    try await bucket.sweep(step.key, run: run, expecting: expected)
                }
                guard let event = await settled(answer, step, bucket, whenHeld: answer)
                else { return Self.leftOpen(answer) }
                action = machine.handle(event)
            case .finish(let outcome, let reason):
                return try end(step, intent, outcome, reason)
            }
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

    // What a failed move really did, told by whether the object lies in quarantine; nil when that
    // cannot be told, or when a restore has to be tried again.
    private func settled(
        _ answer: OrphanRemoval.Event, _ step: PlanStep, _ bucket: any Bucket,
        whenHeld: OrphanRemoval.Event?
    ) async -> OrphanRemoval.Event? {
        guard case .failed = answer else { return answer }
        let lost = LostAnswer(bucket: bucket, key: step.key, run: run)
        guard let isHeld = await lost.isHeld() else { return nil }
        if isHeld { return whenHeld }
        return whenHeld == .moved(.done) ? answer : .moved(.done)
    }

    // The intent stays without an outcome, so that the next run goes on from it.
    private static func leftOpen(_ answer: OrphanRemoval.Event) -> (StepOutcome, String?) {
        guard case .failed(let reason) = answer else { return (.failed, LostAnswer.nextRun) }
        return (.failed, "\(reason); \(LostAnswer.nextRun)")
    }

    private static func move(_ act: () async throws -> MoveOutcome) async -> OrphanRemoval.Event {
        do { return .moved(try await act()) } catch { return .failed("\(error)") }
    }
}

/// Reads an object's possible owners, strongly consistent.
struct OwnerReader {
    /// What the repair works with.
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
