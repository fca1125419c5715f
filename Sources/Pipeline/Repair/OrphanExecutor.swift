import MooringDecisions
import MooringModel

/// Drives `OrphanRemoval` against a real bucket and real records.
struct OrphanExecutor {
    /// The stores.
    let job: Job
    /// The run whose quarantine takes the object, or took it.
    let run: RunID
    /// Where intent and outcome go.
    let journal: ObjectJournal

    /// Removes the step's object, into quarantine or for good.
    func remove(_ step: PlanStep) async throws -> (StepOutcome, String?) {
        guard let place = ActPlace(step, job, run) else {
            return try await journal.end(
                step, nil, .failed, "its bucket or version is not named")
        }
        if step.wouldMixRuns {
            return try await journal.end(step, nil, .stale, StepJournal.mixesRuns)
        }
        guard machine(place, ReversibleProof(planned: step)) != nil else {
            return try await journal.unproved(step, nil)
        }
        if let reason = try await journal.waits(step) {
            return try await journal.end(step, nil, .stale, reason)
        }
        switch await place.pinned() {
        case .ended(let outcome, let reason):
            return try await journal.end(step, nil, outcome, reason)
        case .place(let place):
            return try await removePinned(place)
        }
    }

    private func removePinned(_ place: ActPlace) async throws -> (StepOutcome, String?) {
        if let (outcome, reason) = await StoreCheck(job: job).obstacle(place.step) {
            return try await journal.end(place.step, nil, outcome, reason)
        }
        guard let machine = machine(place, ReversibleProof(planned: place.step)) else {
            return try await journal.unproved(place.step, nil)
        }
        return try await drive(machine, place, intent: nil)
    }

    /// Finishes a removal that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> (StepOutcome, String?) {
        let step = entry.step
        guard let place = ActPlace(step, job, entry.quarantineRun) else {
            return try await journal.leaveOpen(step, entry.number, StepJournal.noBucket)
        }
        // What lies there may be an older copy: what is at its key still is left alone.
        if step.wouldMixRuns {
            switch await place.bucket.head(place.key) {
            case .present:
                return try await journal.end(step, entry.number, .stale, StepJournal.mixesRuns)
            case .unknown(let doubt):
                return try await journal.leaveOpen(step, entry.number, doubt)
            case .absent: break
            }
        }
        guard let machine = machine(place, ReversibleProof(begun: step)) else {
            return try await journal.unproved(step, entry.number)
        }
        return try await drive(machine.resume(), place, intent: entry.number)
    }

    // Nil where nothing proves the step.
    private func machine(_ place: ActPlace, _ proof: ReversibleProof?) -> OrphanRemoval? {
        if place.step.strategy == .delete {
            return IrreversibleProof(planned: place.step).map {
                OrphanRemoval(expected: place.expected, deleting: $0)
            }
        }
        return proof.map { OrphanRemoval(expected: place.expected, proof: $0) }
    }

    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    private func drive(
        _ start: OrphanRemoval, _ place: ActPlace, intent: Int64?
    ) async throws -> (StepOutcome, String?) {
        var (machine, intent) = (start, intent)
        var action = machine.start
        while true {
            switch action {
            case .finish(let outcome, let reason):
                return try await journal.end(place.step, intent, outcome, reason)
            case .leaveOpen(let reason):
                return try await journal.leaveOpen(place.step, intent, reason)
            case .quarantine where intent == nil: intent = try await journal.intend(place.step)
            case .quarantine, .readOwners, .head, .headQuarantined, .restore, .remove: break
            }
            action = machine.handle(await perform(action, place))
        }
    }

    private func perform(
        _ action: OrphanRemoval.Action, _ place: ActPlace
    ) async -> OrphanRemoval.Event {
        switch action {
        case .readOwners: .owners(await OwnerReader(job: job).answer(place.step, place.key))
        case .head: await place.head()
        case .headQuarantined: await place.headQuarantined()
        case .quarantine: await place.quarantine()
        case .restore(let held): await place.restore(held)
        case .remove: await place.sweep(place.expected)
        case .finish(_, let reason): .failed(reason ?? "the step had ended")
        case .leaveOpen(let reason): .failed(reason)
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
        let names = job.bucketNames
        return reading.references.contains { reference in
            let field = mapping.files[reference.field]
            let patterns = job.resolver.patterns(
                value: reference.value, level: field.level, identity: reading.identity)
            return names.number(named: bucket).map {
                names.mayMean(key, in: $0, reference, field, as: patterns)
            } ?? patterns.contains { $0.matches(key) }
        }
    }
}
