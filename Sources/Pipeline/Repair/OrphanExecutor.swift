import MooringDecisions
import MooringModel

/// Removes an orphan, into quarantine or for good.
struct OrphanExecutor: StepExecutor {
    let journal: StepJournal

    func begin(_ step: PlanStep) async throws -> (OrphanRemoval, ActPlace) {
        guard let place = ActPlace(step, journal.rights, journal.run) else {
            throw StepEnd.finish(.failed, reason: "its bucket or version is not named")
        }
        if step.wouldMixRuns { throw StepEnd.mixesRuns }
        _ = try machine(place, ReversibleProof(planned: step))
        try await journal.refuseOpen(step)
        let pinned = try await place.pinned()
        if let end = await StoreCheck(rights: journal.rights).obstacle(pinned.step) { throw end }
        return (try machine(pinned, ReversibleProof(planned: pinned.step)), pinned)
    }

    func takeUp(_ entry: JournalEntry) async throws -> (OrphanRemoval, ActPlace) {
        let step = entry.step
        guard let place = ActPlace(step, journal.rights, entry.quarantineRun) else {
            throw StepEnd.noBucket
        }
        // What lies there may be an older copy: what is at its key still is left alone.
        if step.wouldMixRuns {
            switch await place.bucket.head(place.key) {
            case .present: throw StepEnd.mixesRuns
            case .unknown(let doubt): throw StepEnd.leaveOpen(reason: doubt)
            case .absent: break
            }
        }
        return (try machine(place, ReversibleProof(begun: step)).resume(), place)
    }

    private func machine(
        _ place: ActPlace, _ proof: ReversibleProof?
    ) throws(StepEnd) -> OrphanRemoval {
        if place.step.strategy == .delete {
            guard let proof = IrreversibleProof(planned: place.step) else { throw .unproved }
            return OrphanRemoval(expected: place.expected, deleting: proof)
        }
        guard let proof else { throw .unproved }
        return OrphanRemoval(expected: place.expected, proof: proof)
    }

    func act(_ act: OrphanRemoval.Act, _ place: ActPlace) async throws -> ObjectAnswer {
        switch act {
        case .quarantine: try await place.quarantine()
        case .restore(let held): try await place.restore(held)
        case .remove: try await place.sweep(place.expected)
        }
    }
}
