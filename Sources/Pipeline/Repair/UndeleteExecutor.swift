import MooringDecisions
import MooringModel

/// Takes back a deletion that somebody made, or, as the undo of that, hides the object again.
struct UndeleteExecutor: StepExecutor {
    let journal: StepJournal

    func begin(_ step: PlanStep) async throws -> (DeletionReversal, ActPlace) {
        guard let place = place(step, journal.run), let marker = step.precondition.basis.marker
        else {
            throw StepEnd.finish(.failed, reason: "its bucket or delete marker is not named")
        }
        guard let proof = ReversibleProof(planned: step) else { throw StepEnd.unproved }
        try await journal.refuseOpen(step)
        return (
            DeletionReversal(expected: place.expected, marker: marker, proof: proof), place
        )
    }

    /// Takes such a repair back: the object is hidden again where it is as it came back.
    func deleteAgain(_ entry: JournalEntry) async throws -> StepEnding {
        guard var place = place(entry.step, entry.run) else {
            return (.failed, "its bucket is no longer configured, or keeps no versions")
        }
        place.undoes = entry.number
        return try await drive(.undo(expected: place.expected), place)
    }

    func takeUp(_ entry: JournalEntry) throws -> (DeletionReversal, ActPlace) {
        guard let place = place(entry.step, entry.run) else { throw StepEnd.noBucket }
        return (.resume(expected: place.expected, isUndo: entry.undoes != nil), place)
    }

    private func place(_ step: PlanStep, _ run: RunID) -> ActPlace? {
        ActPlace(step, journal.rights, run).flatMap { $0.bucket.versionStore == nil ? nil : $0 }
    }

    func act(_ act: DeletionReversal.Act, _ place: ActPlace) async throws -> ObjectAnswer {
        let store = try place.having(place.bucket.versionStore)
        switch act {
        case .undelete(let deletion): return .moved(try await store.undelete(place.key, deletion))
        case .deleteAgain:
            return .moved(try await store.deleteAgain(place.key, expecting: place.expected))
        }
    }
}
