import MooringDecisions
import MooringLedger
import MooringModel

/// Marks an orphan for the bucket's lifecycle rule, and takes that mark off again.
struct TagExecutor: StepExecutor {
    let journal: StepJournal

    private static let noTags = StepEnd.finish(
        .failed, reason: "its bucket or version is not named, or it has no tags")

    func begin(_ step: PlanStep) async throws -> (ObjectTagging, ActPlace) {
        guard let place = place(step, journal.run) else { throw Self.noTags }
        guard let proof = ReversibleProof(planned: step) else { throw StepEnd.unproved }
        try await journal.refuseOpen(step)
        let pinned = try await place.pinned()
        if let end = await StoreCheck(rights: journal.rights).obstacle(pinned.step) { throw end }
        return (ObjectTagging(expected: pinned.expected, run: journal.run, proof: proof), pinned)
    }

    /// Takes off the tag of a repair.
    func untag(_ entry: JournalEntry) async throws -> StepEnding {
        guard var place = place(entry.step, entry.run) else {
            return (.failed, "its bucket is no longer configured, or has no tags")
        }
        place.undoes = entry.number
        return try await drive(.undo(expected: place.expected, run: entry.run), place)
    }

    /// Takes the tag off an object that is no orphan any more, in whatever version it is there.
    ///
    /// A tag that is not on it any more, since the object went or was uploaded anew, is noted as
    /// off, so that no later run looks for it.
    func release(_ step: PlanStep) async throws -> StepEnding {
        do {
            return try await releaseNow(step)
        } catch let end as StepEnd {
            return try await journal.end(step, nil, end)
        }
    }

    private func releaseNow(_ step: PlanStep) async throws -> StepEnding {
        guard let place = place(step, journal.run) else { throw Self.noTags }
        try await journal.refuseOpen(step)
        let taggings = try StandingTag.all(of: place, job.ledger)
        let found: ObjectVersion
        switch await place.bucket.head(place.key) {
        case .present(let version): found = version
        case .absent: return try await note(taggings, step, "the object is gone")
        case .unknown(let why):
            throw StepEnd.finish(.failed, reason: "the object could not be looked at: \(why)")
        }
        let value: String?
        do {
            value = try await place.having(place.bucket.tagStore).tagValue(place.key)
        } catch {
            throw StepEnd.finish(.failed, reason: "\(error)")
        }
        guard let own = taggings.last(where: { $0.run.text == value }) else {
            return try await note(taggings, step, "the tag was off already")
        }
        var now = step
        now.precondition.object = found
        guard var there = ActPlace(now.sealed(), journal.rights, own.run) else {
            throw StepEnd.unproved
        }
        there.undoes = own.number
        return try await drive(.undo(expected: found, run: own.run), there)
    }

    /// Why an object that was tagged once could not be made free of the tag; nil where it is.
    func obstacle(untagging tagging: PlanStep) async throws -> String? {
        let (outcome, reason) = try await release(Planner.untag(tagging))
        return [.done, .confirmed].contains(outcome)
            ? nil : "its tag could not be taken off: \(reason ?? outcome.rawValue)"
    }

    // Where all were noted before there is nothing to write.
    private func note(
        _ taggings: [StandingTag], _ step: PlanStep, _ reason: String
    ) async throws -> StepEnding {
        let standing = taggings.filter { !$0.isOff }
        for tagging in standing {
            let intent = try await journal.intend(step, undoes: tagging.number)
            _ = try await journal.end(step, intent, .finish(.done, reason: reason))
        }
        return (standing.isEmpty ? .confirmed : .done, reason)
    }

    func takeUp(_ entry: JournalEntry) throws -> (ObjectTagging, ActPlace) {
        let tagged = try tagging(entry)
        guard let place = place(entry.step, tagged) else { throw StepEnd.noBucket }
        if entry.undoes != nil {
            return (ObjectTagging.undo(expected: place.expected, run: tagged).resume(), place)
        }
        guard let proof = ReversibleProof(planned: entry.step) else { throw StepEnd.unproved }
        return (
            ObjectTagging(expected: place.expected, run: tagged, proof: proof).resume(), place
        )
    }

    // The run whose tag an entry is about: its own, or the one that its repair was made in.
    private func tagging(_ entry: JournalEntry) throws -> RunID {
        guard let undone = entry.undoes else { return entry.run }
        return try job.ledger.journal(about: entry.step).first { $0.number == undone }?.run
            ?? entry.run
    }

    private func place(_ step: PlanStep, _ run: RunID) -> ActPlace? {
        ActPlace(step, journal.rights, run).flatMap { $0.bucket.tagStore == nil ? nil : $0 }
    }

    func act(_ act: ObjectTagging.Act, _ place: ActPlace) async throws -> ObjectAnswer {
        let store = try place.having(place.bucket.tagStore)
        let (version, value) = (place.expected, place.run.text)
        switch act {
        case .tag:
            return .moved(try await store.tag(place.key, expecting: version, value: value))
        case .untag:
            return .moved(try await store.untag(place.key, expecting: version, value: value))
        }
    }
}
