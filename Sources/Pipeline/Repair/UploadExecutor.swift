import MooringConfiguration
import MooringDecisions
import MooringModel

/// Ends the abandoned uploads of a key for good, where none of them got a part within M.
struct UploadExecutor: StepExecutor {
    let journal: StepJournal

    /// The step's bucket.
    struct Place: StepPlace {
        let step: PlanStep
        /// Where uploads of its bucket are ended.
        let store: any UploadStore
    }

    func begin(_ step: PlanStep) async throws -> (UploadAbort, Place) {
        guard let machine = machine(step), let place = place(step) else {
            throw StepEnd.unproved
        }
        try await journal.refuseOpen(step)
        return (machine, place)
    }

    func takeUp(_ entry: JournalEntry) throws -> (UploadAbort, Place) {
        guard let place = place(entry.step) else { throw StepEnd.noBucket }
        guard let machine = machine(entry.step) else { throw StepEnd.unproved }
        return (machine.resume(), place)
    }

    private func place(_ step: PlanStep) -> Place? {
        (step.bucket.flatMap(journal.rights.bucket)?.uploadStore).map {
            Place(step: step, store: $0)
        }
    }

    // Nil where nothing proves the step.
    private func machine(_ step: PlanStep) -> UploadAbort? {
        IrreversibleProof(planned: step).map { proof in
            let race = job.objectRace(clock: journal.rights.clock)
            let rule = UploadRule(race: race, now: job.clock())
            return UploadAbort(
                step.precondition.basis.uploads, partsBefore: rule.partsBefore, proof: proof)
        }
    }

    func ask(
        _ question: UploadAbort.Question, _ place: inout Place
    ) async throws -> ObjectAnswer {
        switch question {
        case .readParts(let upload): .parts(try await place.store.parts(of: upload))
        }
    }

    func act(_ act: UploadAbort.Act, _ place: Place) async throws -> ObjectAnswer {
        switch act {
        case .abort(let upload, _): .moved(try await place.store.abort(upload))
        }
    }
}
